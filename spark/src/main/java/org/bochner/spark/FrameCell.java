package org.bochner.spark;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Locale;
import org.apache.spark.ml.linalg.SparseVector;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.VectorUDT;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.data.cell.Cells;
import org.jspecify.annotations.Nullable;
import scala.collection.Seq;

/**
 * A column of a DataFrame that makes one or several columns of the rows.
 *
 * @param index the index of the column in a {@link Row}
 * @param width the number of columns of the rows; 0 if it is not known yet
 * @param categories the categories of a column of texts, ascending; empty for others
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record FrameCell(int index, String name, Kind kind, int width, String[] categories) implements Serializable {
    private static final long serialVersionUID = 1L;

    /** What is wrong with a cell without a value. */
    static final String IS_NULL = "is null";

    /** What is wrong with a vector or an array of no numbers. */
    static final String IS_EMPTY = "holds a vector without values";

    /** What users of stages can do about a cell without a value. */
    static final String FILL_IN = "fill in missing values first, for example with Imputer or na().fill";

    /** What a column holds. */
    enum Kind {
        NUMBER,
        BOOLEAN,
        /** A vector of Spark ML. */
        VECTOR,
        /** An array of numbers. */
        ARRAY,
        /** Texts, each of which becomes a column of zeros and ones. */
        CATEGORY
    }

    /** Receives the values of a cell that are not 0, with their places in the cell. */
    interface Receiver {
        void accept(int place, double value);
    }

    /** Returns the cell of a column; fails for types that hold no numbers or texts. */
    static FrameCell of(StructField field, int index) {
        DataType type = field.dataType();
        if (type instanceof NumericType) {
            return new FrameCell(index, field.name(), Kind.NUMBER, 1, new String[0]);
        }
        if (type instanceof BooleanType) {
            return new FrameCell(index, field.name(), Kind.BOOLEAN, 1, new String[0]);
        }
        if (type instanceof VectorUDT) {
            return new FrameCell(index, field.name(), Kind.VECTOR, 0, new String[0]);
        }
        if (type instanceof ArrayType array && array.elementType() instanceof NumericType) {
            return new FrameCell(index, field.name(), Kind.ARRAY, 0, new String[0]);
        }
        if (type instanceof StringType) {
            return new FrameCell(index, field.name(), Kind.CATEGORY, 0, new String[0]);
        }
        throw new BochnerException(
                "column '" + field.name() + "' is of type " + type.simpleString()
                        + ", which holds neither numbers nor categories",
                Remedy.advice("convert it, or name the other columns in featuresCols"));
    }

    FrameCell withWidth(int columns) {
        return new FrameCell(index, name, kind, columns, categories);
    }

    FrameCell withCategories(String... names) {
        return new FrameCell(index, name, kind, names.length, names);
    }

    /** Returns the name of a column of the rows. */
    String columnName(int place) {
        return switch (kind) {
            case NUMBER, BOOLEAN -> name;
            case CATEGORY -> name + "=" + categories[place];
            case VECTOR, ARRAY -> name + "[" + place + "]";
        };
    }

    /** Returns the number of values of this cell in a row. */
    int size(Row row) {
        return switch (kind) {
            case NUMBER, BOOLEAN -> 1;
            case CATEGORY -> categories.length;
            case VECTOR -> row.<Vector>getAs(index).size();
            case ARRAY -> row.<Seq<?>>getAs(index).size();
        };
    }

    /** Returns the category of a row, in the spelling of files. */
    String category(Row row) {
        return Cells.canonical(row.getString(index));
    }

    /** Returns what is wrong with this cell in a row, by its width and categories; null if nothing is. */
    @Nullable
    String problem(Row row) {
        if (row.isNullAt(index)) {
            return IS_NULL + "; " + FILL_IN;
        }
        if (kind == Kind.CATEGORY) {
            return Arrays.binarySearch(categories, category(row)) < 0
                    ? "holds '" + row.getString(index) + "', which did not occur in training"
                    : null;
        }
        int size = size(row);
        if (size != width) {
            return "has " + size + " values, and the model was trained with " + width;
        }
        @Nullable String[] problem = new String[1];
        values(row, (place, value) -> {
            if (!Float.isFinite((float) value) && problem[0] == null) {
                problem[0] = problem(place, value);
            }
        });
        return problem[0];
    }

    /** Passes on the values of this cell in a row, without zeros. A missing number of an array is NaN. */
    void values(Row row, Receiver to) {
        switch (kind) {
            case NUMBER -> to.accept(0, ((Number) row.get(index)).doubleValue());
            case BOOLEAN -> to.accept(0, row.getBoolean(index) ? 1 : 0);
            case CATEGORY -> {
                int place = Arrays.binarySearch(categories, category(row));
                if (place >= 0) {
                    to.accept(place, 1);
                }
            }
            case VECTOR -> vector(row.getAs(index), to);
            case ARRAY -> {
                Seq<?> values = row.getAs(index);
                for (int i = 0; i < values.size(); i++) {
                    to.accept(i, values.apply(i) instanceof Number number ? number.doubleValue() : Double.NaN);
                }
            }
            default -> throw new IllegalStateException(kind.name().toLowerCase(Locale.ROOT));
        }
    }

    /** Returns what is wrong with a value that is not finite in float32. */
    static String problem(int place, double value) {
        return "holds " + value + " at place " + place
                + " (from 0); values must be finite numbers in the range of float32"
                + (Double.isNaN(value) ? ", fill in missing values first" : "");
    }

    private static void vector(Vector vector, Receiver to) {
        if (vector instanceof SparseVector sparse) {
            int[] indices = sparse.indices();
            double[] values = sparse.values();
            for (int e = 0; e < indices.length; e++) {
                to.accept(indices[e], values[e]);
            }
            return;
        }
        double[] values = vector.toArray();
        for (int i = 0; i < values.length; i++) {
            to.accept(i, values[i]);
        }
    }

    /** Returns true if the values of this cell in a row are a sparse vector. */
    boolean isSparse(Row row) {
        return kind == Kind.VECTOR && row.get(index) instanceof SparseVector;
    }
}
