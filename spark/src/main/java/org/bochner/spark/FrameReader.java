package org.bochner.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.ml.attribute.Attribute;
import org.apache.spark.ml.attribute.NominalAttribute;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.text.Suggestion;
import org.bochner.data.DataIdentity;
import org.bochner.data.Encoding;
import org.bochner.data.Labels;
import org.bochner.data.cell.Cells;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of a DataFrame: surveys them in one job, and converts them to blocks in a second one, which keeps the blocks
 * in the memory of the executors, and on their disks if the memory is too small.
 *
 * @param name the name of the data, for messages and training records
 * @param features the names of the columns of features
 * @param label the name of the column of labels; null for none
 * @param meaning what the labels are
 * @param weight the name of the column of row weights; null for none
 */
record FrameReader(
        String name,
        List<String> features,
        @Nullable String label,
        Meaning meaning,
        @Nullable String weight) {
    private static final StorageLevel KEPT = StorageLevel.MEMORY_AND_DISK();

    /** Stands before the name of a class in the name of all others. */
    static final String AGAINST = "not ";

    /** What labels are. */
    enum Meaning {
        NUMBERS,
        /** Classes: texts or numbers. */
        CLASSES
    }

    /**
     * What a caller of {@link #read(Dataset, Hints)} knows.
     *
     * @param classes the classes in their order; empty to sort those that are found
     * @param sparse true to make sparse blocks with the encoding of LIBSVM files. If false, blocks are sparse only where the rows
     *     have sparse vectors with few values.
     * @param filling what users can do about missing values
     */
    record Hints(List<String> classes, boolean sparse, List<Remedy> filling) {
        static final Hints NONE = new Hints(List.of(), false, List.of(Remedy.advice(FrameCell.FILL_IN)));
    }

    /** Reads a DataFrame. The caller must {@linkplain SparkRows#release release} the rows. */
    SparkRows read(Dataset<Row> data) {
        return read(data, Hints.NONE);
    }

    /** Reads a DataFrame of which more is known. */
    SparkRows read(Dataset<Row> data, Hints hints) {
        List<String> needed = new ArrayList<>(new LinkedHashSet<>(features));
        if (needed.size() < features.size()) {
            throw new BochnerException(name + ": a column of features is named twice");
        }
        StructType schema = data.schema();
        if (label != null) {
            needed.add(label);
        }
        if (weight != null) {
            needed.add(weight);
        }
        needed.forEach(column -> require(schema, column));
        // Other columns may have the same names but for their case.
        List<String> known = Arrays.asList(schema.fieldNames());
        Dataset<Row> own = Schemas.numbered(data)
                .select(needed.stream()
                        .map(column -> Schemas.at(known.indexOf(column)).as(column))
                        .toArray(Column[]::new));
        List<FrameCell> cells = new ArrayList<>();
        for (int c = 0; c < features.size(); c++) {
            cells.add(FrameCell.of(own.schema().fields()[c], c));
        }
        FrameLabel given = label(own.schema());
        int weightIndex = weight == null ? -1 : needed.size() - 1;
        JavaRDD<Row> rows = own.javaRDD();
        FrameSurvey survey = survey(name, "survey", rows, cells, given, weightIndex, hints.filling());
        FrameLayout layout = layout(survey, cells, given, weightIndex, hints);
        return kept(rows.mapPartitions(layout::chunks), chunks -> SparkRows.of(chunks, layout, DataIdentity.UNKNOWN));
    }

    /** Keeps blocks on the executors, unless making the source of them fails. */
    static SparkRows kept(JavaRDD<RowChunk> chunks, Function<JavaRDD<RowChunk>, SparkRows> source) {
        JavaRDD<RowChunk> kept = chunks.setName("bochner rows").persist(KEPT);
        try {
            return source.apply(kept);
        } catch (RuntimeException e) {
            if (!kept.context().isStopped()) {
                kept.unpersist(false);
            }
            throw e;
        }
    }

    private void require(StructType schema, String column) {
        List<String> known = Arrays.asList(schema.fieldNames());
        if (!known.contains(column)) {
            throw new BochnerException(name + ": no column '" + column + "'" + Suggestion.hint(column, known));
        }
    }

    private FrameLabel label(StructType schema) {
        if (label == null) {
            return FrameLabel.NONE;
        }
        StructField field = schema.fields()[features.size()];
        boolean number = field.dataType() instanceof NumericType;
        boolean text = field.dataType().typeName().equals("string")
                || field.dataType().typeName().equals("boolean");
        if (!number && (meaning == Meaning.NUMBERS || !text)) {
            throw new BochnerException(name + ": label column '" + label + "' is of type "
                    + field.dataType().simpleString() + "; "
                    + (meaning == Meaning.NUMBERS
                            ? "numbers to predict need a numeric column"
                            : "classes need numbers or texts"));
        }
        FrameLabel plain = FrameLabel.numbers(features.size(), label);
        return meaning == Meaning.CLASSES && number
                ? nominalValues(field).map(plain::withIndexed).orElse(plain)
                : plain;
    }

    /**
     * Surveys rows in a job.
     *
     * @param name the name of the data, for messages
     * @param job the name of the job
     * @param filling what users can do about missing values
     */
    static FrameSurvey survey(
            String name,
            String job,
            JavaRDD<Row> rows,
            List<FrameCell> cells,
            FrameLabel given,
            int weightIndex,
            List<Remedy> filling) {
        FrameSurvey survey = SparkJobs.named(
                rows.context(),
                job,
                () -> rows
                        .mapPartitions(part -> Collections.singletonList(FrameSurvey.of(cells, given, weightIndex, part)
                                        .sent())
                                .iterator())
                        .collect()
                        .stream()
                        .map(FrameSurvey::received)
                        .reduce((first, later) -> first.merge(cells, later))
                        .orElse(null));
        if (survey != null && survey.failure() != null) {
            Remedy[] remedies = survey.missing() ? filling.toArray(Remedy[]::new) : new Remedy[0];
            throw new BochnerException(name + ": " + survey.failure(), remedies);
        }
        if (survey == null || survey.rows() == 0) {
            throw new BochnerException(name + ": has no rows");
        }
        return survey;
    }

    private FrameLayout layout(
            FrameSurvey survey, List<FrameCell> cells, FrameLabel given, int weightIndex, Hints hints) {
        List<FrameCell> sized = new ArrayList<>();
        List<Double> origins = new ArrayList<>();
        for (int c = 0; c < cells.size(); c++) {
            FrameCell cell = cells.get(c);
            FrameCell own = cell.kind() == FrameCell.Kind.CATEGORY
                    ? cell.withCategories(survey.categories(c))
                    : cell.withWidth(survey.width(c));
            sized.add(own);
            for (int j = 0; j < own.width(); j++) {
                origins.add(survey.origin(c, j));
            }
        }
        boolean sparse = hints.sparse() || survey.sparse();
        boolean far = !sparse && origins.stream().anyMatch(origin -> origin != 0);
        double[] origin =
                far ? origins.stream().mapToDouble(Double::doubleValue).toArray() : null;
        return new FrameLayout(name, sized, classes(survey, given, hints), weightIndex, sparse, origin);
    }

    /** Returns the label with the names of its classes. */
    private FrameLabel classes(FrameSurvey survey, FrameLabel given, Hints hints) {
        if (!given.exists() || meaning == Meaning.NUMBERS) {
            return given;
        }
        if (survey.manyLabels()) {
            throw new BochnerException(name + ": label column '" + given.name() + "' has more than "
                    + FrameSurvey.MOST_NAMES + " different classes; are they numbers to predict?");
        }
        if (survey.labels().size() < 2) {
            throw new BochnerException(name + ": all rows are of the class '"
                    + String.join("", survey.labels().keySet()) + "' of column '" + given.name()
                    + "'; there is nothing to tell apart");
        }
        if (!hints.classes().isEmpty()) {
            return given.withClasses(hints.classes());
        }
        List<String> names = new ArrayList<>(survey.labels().keySet());
        names.sort(given.indexed().isEmpty() ? Cells.ORDER : Comparator.comparing(given.indexed()::indexOf));
        return given.withClasses(names);
    }

    /** Returns the names that the metadata of a column give to its class indices; empty if there are none. */
    static Optional<String[]> nominalValues(StructField field) {
        Attribute attribute = Attribute.fromStructField(field);
        return attribute instanceof NominalAttribute nominal && nominal.values().isDefined()
                ? Optional.of(nominal.values().get())
                : Optional.empty();
    }

    /**
     * Returns the encoding of files with these columns: a table, in which the numbers of a vector have names such as {@code
     * features[0]}, or a LIBSVM file for sparse vectors. Null if sparse vectors stand beside categories.
     */
    static @Nullable Encoding encoding(FrameLayout layout) {
        Encoding files = unlabelled(layout);
        List<String> classes = layout.labels().names();
        boolean against = layout.labels() instanceof Labels.Classes
                && classes.size() == 2
                && classes.get(0).equals(AGAINST + classes.get(1));
        return files == null || !against ? files : files.withPositive(classes.get(1));
    }

    private static @Nullable Encoding unlabelled(FrameLayout layout) {
        boolean categories = layout.cells().stream().anyMatch(cell -> cell.kind() == FrameCell.Kind.CATEGORY);
        if (layout.sparse()) {
            return categories ? null : Encoding.ofSparse(layout.columns(), 1, layout.labels());
        }
        List<Encoding.TableColumn> columns = new ArrayList<>();
        double[] origin = layout.origin();
        int first = 0;
        for (FrameCell cell : layout.cells()) {
            boolean category = cell.kind() == FrameCell.Kind.CATEGORY;
            for (int j = 0; j < (category ? 1 : cell.width()); j++) {
                double shift = origin == null || category ? 0 : origin[first + j];
                String own = category ? cell.name() : cell.columnName(j);
                columns.add(new Encoding.TableColumn(own, List.of(cell.categories()), shift));
            }
            first += cell.width();
        }
        return Encoding.ofTable(columns, layout.labels(), layout.label().name());
    }
}
