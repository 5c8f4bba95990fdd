package org.bochner.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.ml.attribute.AttributeGroup;
import org.apache.spark.ml.attribute.NominalAttribute;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.bochner.base.BochnerException;

/** Checks and extends the columns of DataFrames. */
final class Schemas {
    private Schemas() {}

    /** Returns the names of the columns of a stage's features. */
    static List<String> features(InputParams<?> stage) {
        boolean one = stage.isSet(stage.featuresCol());
        if (one && stage.isSet(stage.featuresCols())) {
            throw new BochnerException(stage.uid() + ": featuresCol and featuresCols are both set; clear one of them");
        }
        return one || !stage.isDefined(stage.featuresCols())
                ? List.of(stage.getFeaturesCol())
                : List.of(stage.getFeaturesCols());
    }

    /** Fails if a column of the features does not exist or has another type than a feature. */
    static void requireFeatures(StructType schema, InputParams<?> stage) {
        boolean one = stage.isSet(stage.featuresCol()) || !stage.isDefined(stage.featuresCols());
        for (String column : features(stage)) {
            int index = RowInput.index(schema, column, one ? "featuresCol" : "featuresCols");
            FrameCell unused = FrameCell.of(schema.fields()[index], index);
        }
    }

    /**
     * Fails if a column does not exist or does not hold numbers.
     *
     * @param param the param that names the column
     * @param remedy what to do about another type
     */
    static void requireNumbers(StructType schema, String column, String param, String remedy) {
        StructField field = schema.fields()[RowInput.index(schema, column, param)];
        if (!(field.dataType() instanceof NumericType)) {
            String advice = field.dataType() instanceof StringType ? remedy : "cast it to double";
            throw new BochnerException(param + ": column '" + column + "' is of type "
                    + field.dataType().simpleString() + ", and must hold numbers; " + advice);
        }
    }

    /** Returns the columns with new ones; fails if one of these exists. */
    static StructType with(StructType schema, List<StructField> added) {
        List<StructField> fields = new ArrayList<>(Arrays.asList(schema.fields()));
        for (StructField field : added) {
            if (fields.stream().anyMatch(known -> known.name().equals(field.name()))) {
                throw new BochnerException("the new column '" + field.name()
                        + "' exists already; drop it, or give the new one another name");
            }
            fields.add(field);
        }
        return new StructType(fields.toArray(StructField[]::new));
    }

    static StructField number(String name) {
        return new StructField(name, DataTypes.DoubleType, true, Metadata.empty());
    }

    /** Returns a column of vectors of a size; of an unknown size for 0. */
    static StructField vector(String name, int size) {
        Metadata metadata = size > 0 ? new AttributeGroup(name, size).toMetadata() : Metadata.empty();
        return new StructField(name, SQLDataTypes.VectorType(), true, metadata);
    }

    /** Returns a column of class indices. */
    static StructField indices(String name, int count, String... names) {
        NominalAttribute plain = NominalAttribute.defaultAttr().withName(name);
        NominalAttribute nominal = names.length > 0 ? plain.withValues(names) : plain.withNumValues(count);
        return new StructField(name, DataTypes.DoubleType, true, nominal.toMetadata());
    }

    /** Returns the rows with the indices of the columns as their names, which are different for Spark in any case. */
    static Dataset<Row> numbered(Dataset<Row> data) {
        return data.toDF(IntStream.range(0, data.columns().length)
                .mapToObj(Integer::toString)
                .toArray(String[]::new));
    }

    /** Returns a column of {@link #numbered} rows. */
    static Column at(int index) {
        return functions.col(quoted(Integer.toString(index)));
    }

    /** Returns the name of a column in backquotes, because Spark takes dots in names for fields of structs. */
    static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }
}
