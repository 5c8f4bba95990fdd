package org.bochner.spark;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.expressions.UserDefinedFunction;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.text.Suggestion;
import org.bochner.data.DataOptions;
import org.bochner.data.cell.Cells;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a DataFrame by their roles.
 *
 * @param label the column of the labels; null for none
 * @param weight the column of the row weights; null for none
 * @param ignored the columns that are left out
 */
record ShellColumns(
        ShellFrames.Frame frame,
        @Nullable String label,
        @Nullable String weight,
        List<String> ignored) {
    private static final UserDefinedFunction TEXT =
            functions.udf((UDF1<String, String>) ShellColumns::category, DataTypes.StringType);
    private static final UserDefinedFunction NUMBER =
            functions.udf((UDF1<Double, String>) ShellColumns::category, DataTypes.StringType);

    /** Returns the roles that options give to the columns of training data. */
    static ShellColumns of(ShellFrames.Frame frame, DataOptions options) {
        List<String> names = Arrays.asList(frame.rows().columns());
        List<String> ignored = new ArrayList<>();
        for (String column : options.ignored()) {
            ignored.add(find(frame.name(), names, column));
        }
        String weight = options.rowWeight() == null ? null : find(frame.name(), names, options.rowWeight());
        String label = label(frame, options.label(), ignored, weight);
        if (label != null && label.equals(weight)) {
            throw DataException.in(frame.name(), "column '" + label + "' cannot be both label and weight");
        }
        for (String column : ignored) {
            if (column.equals(label) || column.equals(weight)) {
                throw DataException.in(
                        frame.name(), "column '" + column + "' is label or row weight, so it cannot be left out");
            }
        }
        return new ShellColumns(frame, label, weight, ignored);
    }

    private static @Nullable String label(
            ShellFrames.Frame frame, String given, List<String> ignored, @Nullable String weight) {
        List<String> names = Arrays.asList(frame.rows().columns());
        if (given.contains(",") && !names.contains(given)) {
            throw DataException.in(frame.name(), "--label names several columns; on Spark, train one model for each");
        }
        if (given.equals("none")) {
            return null;
        }
        if (!given.equals("auto")) {
            return find(frame.name(), names, given);
        }
        boolean vectors = Arrays.stream(frame.rows().schema().fields())
                .anyMatch(field -> !(simple(field.dataType()) || field.dataType() instanceof StringType));
        if (vectors && names.contains("label")) {
            return "label";
        }
        List<String> left = names.stream()
                .filter(name -> !ignored.contains(name) && !name.equals(weight))
                .toList();
        return left.isEmpty() ? null : left.get(left.size() - 1);
    }

    /** Returns the column that a name or an index means. */
    static String find(String file, List<String> names, String given) {
        if (names.contains(given)) {
            return given;
        }
        int count = names.size();
        if (given.equals("first") || given.equals("last")) {
            return names.get(given.equals("first") ? 0 : count - 1);
        }
        if (given.matches("-?\\d{1,9}")) {
            int index = Integer.parseInt(given);
            int place = index < 0 ? count + index : index;
            if (place >= 0 && place < count) {
                return names.get(place);
            }
            throw DataException.in(file, "has " + count + " columns and no column " + given);
        }
        throw DataException.in(
                file, "no column '" + given + "'" + Suggestion.hint(given, names.subList(0, Math.min(50, count))));
    }

    /** Returns the columns of the features, in their order. */
    List<String> features() {
        return Arrays.stream(frame.rows().columns())
                .filter(name -> !name.equals(label) && !name.equals(weight) && !ignored.contains(name))
                .toList();
    }

    static Column column(String name) {
        return functions.col(Schemas.quoted(name));
    }

    /**
     * Returns the columns with the values that files would have: truth values are texts, texts have their canonical form, and
     * texts that stand for missing values are null.
     *
     * @param options the columns of numbers that are categories, and the class that is told from all others
     */
    Dataset<Row> values(DataOptions options) {
        StructType schema = frame.rows().schema();
        List<String> names = Arrays.asList(schema.fieldNames());
        List<String> categorical = new ArrayList<>();
        options.categorical().forEach(column -> categorical.add(find(frame.name(), names, column)));
        List<Column> values = new ArrayList<>();
        for (String name : features()) {
            StructField field = schema.apply(name);
            requireReadable(field);
            Column value = column(name);
            if (field.dataType() instanceof BooleanType) {
                value = value.cast(DataTypes.StringType);
            } else if (field.dataType() instanceof StringType) {
                value = TEXT.apply(value);
            } else if (categorical.contains(name) && field.dataType() instanceof NumericType) {
                value = NUMBER.apply(value.cast(DataTypes.DoubleType));
            }
            values.add(value.as(name));
        }
        if (label != null) {
            values.add(label(schema.apply(label).dataType(), options.positive()).as(label));
        }
        if (weight != null) {
            values.add(column(weight));
        }
        return frame.rows().select(values.toArray(new Column[0]));
    }

    private void requireReadable(StructField field) {
        DataType type = frame.type(field.name());
        if (ShellFrames.isDate(type)) {
            throw DataException.in(
                    frame.name(),
                    "column '" + field.name() + "' is of type " + type.simpleString()
                            + ", which Spark's command does not read",
                    Remedy.set(Setting.IGNORED, field.name(), "leaves it out"),
                    Remedy.advice("or make it a number in a view"));
        }
    }

    private Column label(DataType type, @Nullable String positive) {
        Column value = column(Objects.requireNonNull(label));
        if (type instanceof BooleanType) {
            value = value.cast(DataTypes.StringType);
        } else if (type instanceof StringType) {
            value = TEXT.apply(value);
        }
        if (positive == null) {
            return value;
        }
        Column text = type instanceof NumericType ? NUMBER.apply(value.cast(DataTypes.DoubleType)) : value;
        String name = Cells.canonical(positive);
        return functions.when(text.equalTo(name), name).when(text.isNotNull(), FrameReader.AGAINST + name);
    }

    /** Returns true for numbers and truth values. */
    static boolean simple(DataType type) {
        return type instanceof NumericType || type instanceof BooleanType;
    }

    private static @Nullable String category(@Nullable String text) {
        if (text == null) {
            return null;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return Cells.missing(bytes, 0, bytes.length) ? null : Cells.canonical(text);
    }

    private static @Nullable String category(@Nullable Double number) {
        return number == null || number.isNaN() ? null : Cells.canonical(number);
    }
}
