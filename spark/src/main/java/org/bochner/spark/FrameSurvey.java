package org.bochner.spark;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.InputFileBlockHolder;
import org.apache.spark.sql.Row;
import org.bochner.data.cell.ColumnOrigin;
import org.jspecify.annotations.Nullable;

/**
 * What must be known of a DataFrame before its rows are converted: the widths of vectors, categories, classes, and which
 * columns are far from 0. All values are checked.
 */
final class FrameSurvey {
    /** The most columns whose distance from 0 is measured; wider vectors are rarely timestamps. */
    private static final int MOST_MEASURED = 4096;

    /** The most different classes, or categories of a column. */
    static final int MOST_NAMES = 10_000;

    private static final int UNSEEN = -1;

    private static final String MANY_TEXTS =
            "has more than " + MOST_NAMES + " different texts; is it an id? Leave it out, or hash it";

    private long rows;
    private long values;
    private long nonZeros;
    private long sparseVectors;
    /** The width of each cell; {@value #UNSEEN} if no row was seen, and for categories. */
    private int[] widths = new int[0];
    /** The categories of each cell; empty for other cells. */
    private List<TreeSet<String>> categories = List.of();
    /** The columns of all cells that are measured, cell by cell. */
    private List<List<ColumnOrigin>> origins = List.of();
    /** The number of rows per class or number; stays empty above {@link #MOST_NAMES} different ones. */
    private TreeMap<String, Long> labels = new TreeMap<>();

    private boolean manyLabels;
    private boolean fractions;
    private boolean texts;
    private @Nullable String failure;
    private boolean missing;

    /** Creates an empty survey, for reading. */
    private FrameSurvey() {}

    private FrameSurvey(int cells) {
        widths = new int[cells];
        Arrays.fill(widths, UNSEEN);
        categories = new ArrayList<>();
        origins = new ArrayList<>();
        for (int c = 0; c < cells; c++) {
            categories.add(new TreeSet<>());
            origins.add(new ArrayList<>());
        }
    }

    /** Surveys the rows of a partition, up to the first bad one. */
    static FrameSurvey of(List<FrameCell> cells, FrameLabel label, int weight, Iterator<Row> rows) {
        FrameSurvey survey = new FrameSurvey(cells.size());
        while (rows.hasNext() && survey.failure == null) {
            Row row = rows.next();
            String problem = survey.add(cells, label, weight, row);
            if (problem != null) {
                survey.failure = place(survey.rows) + problem;
            }
        }
        return survey;
    }

    /** Returns this survey as one array of bytes, which every serializer of Spark can send. */
    byte[] sent() {
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(sent)) {
            write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sent.toByteArray();
    }

    /** Reads a survey that was {@link #sent}. */
    static FrameSurvey received(byte[] sent) {
        FrameSurvey survey = new FrameSurvey();
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(sent))) {
            survey.read(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
        return survey;
    }

    /** Returns where the row just read is, as far as Spark knows it. */
    static String place(long row) {
        String file = InputFileBlockHolder.getInputFilePath().toString();
        String part = "partition " + TaskContext.getPartitionId() + ", row " + row;
        return (file.isEmpty() ? part : file + ": " + part) + ": ";
    }

    /** Adds a row; returns what is wrong with it, or null. */
    private @Nullable String add(List<FrameCell> cells, FrameLabel label, int weight, Row row) {
        rows++;
        for (int c = 0; c < widths.length; c++) {
            String problem = add(c, cells.get(c), row);
            if (problem != null) {
                return "column '" + cells.get(c).name() + "' " + problem;
            }
        }
        String problem = label.exists() ? addLabel(label, row.get(label.index())) : null;
        if (problem != null) {
            return "label column '" + label.name() + "' " + problem;
        }
        return weightProblem(weight, row);
    }

    /**
     * Returns what is wrong with the weight of a row; null if nothing is.
     *
     * @param weight the index of the column of weights; −1 if there is none
     */
    static @Nullable String weightProblem(int weight, Row row) {
        boolean valid = weight < 0
                || (row.get(weight) instanceof Number number
                        && number.doubleValue() >= 0
                        && number.doubleValue() < Double.POSITIVE_INFINITY);
        return valid ? null : "the weight must be at least 0 and finite, got " + row.get(weight);
    }

    private @Nullable String add(int c, FrameCell cell, Row row) {
        if (row.isNullAt(cell.index())) {
            missing = true;
            return FrameCell.IS_NULL;
        }
        if (cell.kind() == FrameCell.Kind.CATEGORY) {
            TreeSet<String> known = categories.get(c);
            known.add(cell.category(row));
            return known.size() > MOST_NAMES ? MANY_TEXTS : null;
        }
        int width = cell.size(row);
        if (width == 0) {
            return FrameCell.IS_EMPTY;
        }
        if (widths[c] == UNSEEN) {
            widths[c] = width;
            for (int j = 0; j < (width <= MOST_MEASURED ? width : 0); j++) {
                origins.get(c).add(new ColumnOrigin());
            }
        } else if (width != widths[c]) {
            return "has " + width + " values, and " + widths[c] + " in the rows before";
        }
        sparseVectors += cell.isSparse(row) ? 1 : 0;
        values += width;
        Values checked = new Values(origins.get(c));
        cell.values(row, checked);
        nonZeros += checked.nonZeros;
        return checked.problem;
    }

    /** Checks the values of a cell and measures them. */
    private static final class Values implements FrameCell.Receiver {
        private final List<ColumnOrigin> measured;
        private long nonZeros;
        private @Nullable String problem;

        Values(List<ColumnOrigin> measured) {
            this.measured = measured;
        }

        @Override
        public void accept(int place, double value) {
            if (!Float.isFinite((float) value) && problem == null) {
                problem = FrameCell.problem(place, value);
            }
            nonZeros += value != 0 ? 1 : 0;
            if (place < measured.size()) {
                measured.get(place).add(value);
            }
        }
    }

    private @Nullable String addLabel(FrameLabel label, @Nullable Object value) {
        String problem = label.problem(value);
        if (value == null || problem != null) {
            return problem;
        }
        if (value instanceof Number number) {
            fractions |= number.doubleValue() != Math.rint(number.doubleValue());
        } else {
            texts = true;
        }
        if (!manyLabels) {
            labels.merge(label.className(value), 1L, Long::sum);
            manyLabels = labels.size() > MOST_NAMES;
            if (manyLabels) {
                labels.clear();
            }
        }
        return null;
    }

    /** Adds the rows of later partitions. */
    FrameSurvey merge(List<FrameCell> cells, FrameSurvey later) {
        if (failure != null || later.rows == 0) {
            return this;
        }
        if (rows == 0 || later.failure != null) {
            return later;
        }
        for (int c = 0; c < widths.length; c++) {
            if (widths[c] != later.widths[c]) {
                failure = "column '" + cells.get(c).name() + "' has " + widths[c] + " values in some partitions and "
                        + later.widths[c] + " in others; all rows need vectors of one length";
                return this;
            }
            categories.get(c).addAll(later.categories.get(c));
            if (categories.get(c).size() > MOST_NAMES) {
                failure = "column '" + cells.get(c).name() + "' " + MANY_TEXTS;
                return this;
            }
            for (int j = 0; j < origins.get(c).size(); j++) {
                origins.get(c).get(j).merge(later.origins.get(c).get(j));
            }
        }
        rows += later.rows;
        values += later.values;
        nonZeros += later.nonZeros;
        sparseVectors += later.sparseVectors;
        fractions |= later.fractions;
        texts |= later.texts;
        manyLabels |= later.manyLabels;
        later.labels.forEach((name, count) -> labels.merge(name, count, Long::sum));
        if (manyLabels || labels.size() > MOST_NAMES) {
            manyLabels = true;
            labels.clear();
        }
        return this;
    }

    /** Returns why the rows cannot be used; null if they can. */
    @Nullable
    String failure() {
        return failure;
    }

    /** Returns true if the failure is a missing value. */
    boolean missing() {
        return missing;
    }

    long rows() {
        return rows;
    }

    int width(int cell) {
        return widths[cell];
    }

    String[] categories(int cell) {
        return categories.get(cell).toArray(new String[0]);
    }

    /** Returns true if blocks of sparse rows take less memory and the data have sparse vectors. */
    boolean sparse() {
        return sparseVectors > 0 && 3 * nonZeros < values;
    }

    /** Returns the number near the mean of a column that is far from 0; 0 for most columns. */
    double origin(int cell, int place) {
        List<ColumnOrigin> measured = origins.get(cell);
        return place < measured.size() ? measured.get(place).value() : 0;
    }

    /** Returns the number of rows per class or number; empty if there are too many. */
    Map<String, Long> labels() {
        return labels;
    }

    boolean manyLabels() {
        return manyLabels;
    }

    /** Returns true if a label is a number that is not whole. */
    boolean fractions() {
        return fractions;
    }

    boolean texts() {
        return texts;
    }

    private void write(ObjectOutput out) throws IOException {
        out.writeLong(rows);
        out.writeLong(values);
        out.writeLong(nonZeros);
        out.writeLong(sparseVectors);
        out.writeObject(widths);
        out.writeObject(new ArrayList<>(categories));
        for (List<ColumnOrigin> measured : origins) {
            out.writeInt(measured.size());
            for (ColumnOrigin column : measured) {
                column.write(out);
            }
        }
        out.writeObject(labels);
        out.writeBoolean(manyLabels);
        out.writeBoolean(fractions);
        out.writeBoolean(texts);
        out.writeObject(failure);
        out.writeBoolean(missing);
    }

    @SuppressWarnings("unchecked") // written by this class
    private void read(ObjectInput in) throws IOException, ClassNotFoundException {
        rows = in.readLong();
        values = in.readLong();
        nonZeros = in.readLong();
        sparseVectors = in.readLong();
        widths = (int[]) Objects.requireNonNull(in.readObject());
        categories = (List<TreeSet<String>>) Objects.requireNonNull(in.readObject());
        origins = new ArrayList<>();
        for (int c = 0; c < widths.length; c++) {
            List<ColumnOrigin> measured = new ArrayList<>();
            for (int count = in.readInt(); count > 0; count--) {
                measured.add(ColumnOrigin.read(in));
            }
            origins.add(measured);
        }
        labels = (TreeMap<String, Long>) Objects.requireNonNull(in.readObject());
        manyLabels = in.readBoolean();
        fractions = in.readBoolean();
        texts = in.readBoolean();
        failure = (String) in.readObject();
        missing = in.readBoolean();
    }
}
