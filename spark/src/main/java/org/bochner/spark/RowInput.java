package org.bochner.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.ml.linalg.VectorUDT;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.text.Suggestion;
import org.bochner.data.Encoding;
import org.bochner.data.RowBlockBuilder;
import org.bochner.model.KernelModel;
import org.jspecify.annotations.Nullable;

/** How the rows of a DataFrame become the rows of a model. */
sealed interface RowInput extends Serializable permits CellInput, EncodedInput {
    /**
     * A reader of rows for one model.
     *
     * <p>Threads: not safe.
     */
    interface Reader {
        /**
         * Starts a block without rows.
         *
         * @param first the first row, which shows whether rows are sparse
         */
        void begin(Row first, RowBlockBuilder block);

        /** Adds a row to a block; returns what is wrong with the row, which is then not added, or null. */
        @Nullable
        String add(Row row, RowBlockBuilder block);
    }

    /** Returns a reader of rows for a model. */
    Reader reader(KernelModel model);

    /**
     * Returns the input of a stage's columns.
     *
     * @param trained the columns of the training; empty if the model was read from a file of its own
     */
    static RowInput of(StructType schema, List<String> columns, List<FrameCell> trained, KernelModel model) {
        List<Integer> places = columns.stream()
                .map(column -> index(schema, column, "featuresCol"))
                .toList();
        if (!trained.isEmpty()) {
            requireCount(places.size(), trained.stream().map(FrameCell::name).toList());
            List<FrameCell> cells = new ArrayList<>();
            for (int c = 0; c < places.size(); c++) {
                cells.add(matched(FrameCell.of(schema.fields()[places.get(c)], places.get(c)), trained.get(c)));
            }
            return new CellInput(cells);
        }
        List<String> names = names(model);
        boolean vector = places.size() == 1 && isVector(schema.fields()[places.get(0)]);
        if (vector || names.isEmpty()) {
            requireCount(places.size(), List.of("a vector of " + model.columns() + " numbers"));
            return new CellInput(List.of(
                    FrameCell.of(schema.fields()[places.get(0)], places.get(0)).withWidth(model.columns())));
        }
        requireCount(places.size(), names);
        for (int place : places) {
            if (isVector(schema.fields()[place])) {
                throw new BochnerException("column '" + schema.fields()[place].name() + "' holds vectors, and the model"
                        + " was trained with a number, a text or a date for each column of featuresCols");
            }
        }
        return new EncodedInput(names, places, EncodedRows.zone(SparkSession.active()));
    }

    private static boolean isVector(StructField field) {
        return field.dataType() instanceof VectorUDT || field.dataType() instanceof ArrayType;
    }

    private static void requireCount(int given, List<String> trained) {
        if (given != trained.size()) {
            throw new BochnerException("featuresCols names " + given + (given == 1 ? " column" : " columns")
                    + ", and the model was trained with " + trained.size() + ": " + String.join(", ", trained));
        }
    }

    /** Returns a column with the width and the categories of the training. */
    private static FrameCell matched(FrameCell given, FrameCell trained) {
        boolean texts = given.kind() == FrameCell.Kind.CATEGORY;
        if (texts != (trained.kind() == FrameCell.Kind.CATEGORY)) {
            throw new BochnerException("column '" + given.name() + "' holds " + (texts ? "texts" : "numbers")
                    + ", and the model was trained with " + (texts ? "numbers" : "texts"));
        }
        return texts ? given.withCategories(trained.categories()) : given.withWidth(trained.width());
    }

    /** Returns the names of the columns that a model from files was trained with; empty for a model of vectors. */
    static List<String> names(KernelModel model) {
        return model.encoding().map(Encoding::columnRanges).orElse(List.of()).stream()
                .map(range -> range.name())
                .toList();
    }

    /**
     * Returns the index of a column; fails if there is none.
     *
     * @param param the param that names the column
     */
    static int index(StructType schema, String column, String param) {
        List<String> known = List.of(schema.fieldNames());
        int index = known.indexOf(column);
        if (index < 0) {
            throw new BochnerException(
                    param + ": the data have no column '" + column + "'" + Suggestion.hint(column, known),
                    Remedy.advice("they have " + String.join(", ", known)));
        }
        return index;
    }
}
