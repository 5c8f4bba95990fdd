package org.bochner.data;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bochner.base.DataException;
import org.bochner.base.Note;
import org.bochner.data.bytes.Input;
import org.bochner.data.format.LabelDecoder;
import org.bochner.data.format.Npz;
import org.bochner.data.format.Part;
import org.bochner.data.format.TableLayout;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a file, or of several files joined row by row.
 *
 * <pre>{@code
 * FileSource train = FileSource.open(DataOptions.of("train.csv"));
 * FileSource test = FileSource.open(DataOptions.of("test.csv"), train.encoding());
 * }</pre>
 *
 * <p>Cost: each cursor parses the file again; memory does not depend on the number of rows. Threads: safe; each cursor
 * belongs to one thread. A source on the standard input that was not surveyed can be opened once.
 */
public final class FileSource implements SurveyedSource {
    private final String name;
    private final List<Part> parts;
    private final Encoding encoding;
    private final Surveyed surveyed;
    private final Labels labels;
    private final boolean sparse;
    /** The number that is subtracted from each column before values are rounded to float32; null if all are 0. */
    final double @Nullable [] origin;

    /** The indices of the files that hold the labels, the row weights, the groups and the set ids; -1 if none does. */
    final int labelPart;

    final int rowWeightPart;
    final int groupPart;
    final int setPart;
    final List<Carried> carried;
    /** Created for the first caller. Two threads that create it at the same time create equal ones. */
    private volatile @Nullable RowSource sets;

    FileSource(List<Part> parts, Encoding encoding, Surveyed surveyed, boolean labelled, List<Carried> carried) {
        this.name = String.join(" + ", parts.stream().map(Part::file).toList());
        this.parts = List.copyOf(parts);
        this.encoding = encoding;
        this.surveyed = surveyed;
        // A file of labels has no columns, and does not make sparse rows dense.
        this.sparse = encoding.hasText() || parts.stream().allMatch(part -> part.sparse() || part.columns() == 0);
        this.origin = sparse ? null : Encoding.join(parts.stream().map(Part::origin));
        int targets = encoding.labels().targets();
        this.labelPart = labelled ? labelPart(parts, targets) : -1;
        this.labels = labelPart < 0 ? Labels.none() : encoding.labels();
        int weighted = -1;
        int grouped = -1;
        int inSets = -1;
        for (int p = 0; p < parts.size(); p++) {
            weighted = parts.get(p).hasRowWeights() ? p : weighted;
            grouped = parts.get(p).groupColumn() != null ? p : grouped;
            inSets = parts.get(p).setColumn() != null ? p : inSets;
        }
        this.rowWeightPart = weighted;
        this.groupPart = grouped;
        this.setPart = inSets;
        this.carried = List.copyOf(carried);
    }

    /**
     * Opens training files. One pass over each file finds its rows, its columns and their kinds and its labels, and
     * checks every value. The source can be read as often as needed: an input that can be read only once, such as the
     * standard input, is first copied to a temporary file.
     *
     * @throws DataException if a file cannot be read or holds an invalid value; the message names the file and the line
     */
    public static FileSource open(DataOptions options) {
        return DataFiles.open(options, path -> Npz.input(path, Input::repeatable));
    }

    /**
     * Opens files that are read by the encoding of the training data. There is no survey: each cursor reads the files
     * once, and the standard input works for a single cursor. Labels may be absent, but only from all rows. A class
     * that the training data did not have gives the target NaN. Reading a row with more columns than the training data
     * fails.
     *
     * @throws DataException if the files do not fit the encoding
     */
    public static FileSource open(DataOptions options, Encoding encoding) {
        return DataFiles.open(options, encoding, path -> Npz.input(path, Input::once));
    }

    /** The results of a survey. */
    record Surveyed(
            long rows, List<DataIdentity.File> files, List<Long> classCounts, Note taskReason, List<Note> notes) {
        /** The results for a source that was not surveyed. */
        static final Surveyed NOT = new Surveyed(
                -1, List.of(), List.of(), new Note(Note.Kind.CHOICE, "as the model was trained"), List.of());
    }

    /**
     * A column whose texts accompany the rows.
     *
     * @param name the name in the header, or the index that was asked for
     * @param part the index of its file
     * @param index its index among the carried columns of that file
     */
    record Carried(String name, int part, int index) {}

    /** Returns the index of the last part with labels: a file of labels is the last part and takes precedence. */
    private static int labelPart(List<Part> parts, int targets) {
        int found = -1;
        for (int p = 0; p < parts.size() && targets > 0; p++) {
            Part part = parts.get(p);
            boolean first = found < 0 || part.columns() == 0;
            if (part.labels() > 0 && first) {
                if (part.labels() != targets) {
                    throw DataException.in(
                            part.file(), "has " + part.labels() + " label columns; the model knows " + targets);
                }
                found = p;
            }
        }
        return found;
    }

    /** Returns the same rows without labels. Label cells are not read and may hold anything. */
    @Override
    public FileSource withoutLabels() {
        return new FileSource(parts, encoding, surveyed, false, carried);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int columns() {
        return encoding.columns();
    }

    /** Returns the number of rows; -1 for a source that was opened with an encoding, whose rows were not counted. */
    @Override
    public long rows() {
        return surveyed.rows;
    }

    /** Returns the meaning of the targets; none if the file has no labels, even if the encoding has them. */
    @Override
    public Labels labels() {
        return labels;
    }

    @Override
    public boolean sparse() {
        return sparse;
    }

    /** Returns true if the rows have row weights. */
    public boolean hasRowWeights() {
        return rowWeightPart >= 0;
    }

    @Override
    public boolean grouped() {
        return groupPart >= 0 || setPart >= 0;
    }

    @Override
    public boolean inSets() {
        return setPart >= 0;
    }

    /** Returns the sets. The pass that counts and checks them is made once. */
    @Override
    public RowSource bySet() {
        RowSource known = sets;
        if (known == null) {
            known = SurveyedSource.super.bySet();
            sets = known;
        }
        return known;
    }

    @Override
    public void requireTrainable() {
        if (!encoding.needsMeans() && encoding.hasMeans()) {
            throw CategoryMeans.ofModel(name);
        }
    }

    /** Returns the names of the carried columns, in the order of {@link RowBlock#carried}. */
    @Override
    public List<String> carriedNames() {
        return carried.stream().map(Carried::name).toList();
    }

    /** Returns the number of rows per class, in the order of the classes; empty if the source was not surveyed. */
    @Override
    public List<Long> classCounts() {
        return surveyed.classCounts;
    }

    /** Returns a note on why labels were taken for classes or numbers. */
    @Override
    public Note taskReason() {
        return surveyed.taskReason;
    }

    /**
     * Returns notes on choices of the survey: columns that are left out, dates, signs of numbers, a header that may be data.
     * A source that was not surveyed has none. After a whole pass over the rows, there are also notes that count cells which
     * training did not foresee.
     */
    @Override
    public List<Note> notes() {
        return Stream.concat(surveyed.notes.stream(), parts.stream().flatMap(part -> part.notes().stream()))
                .toList();
    }

    /** Returns how cells become columns and targets; models save it. */
    @Override
    public Encoding encoding() {
        return encoding;
    }

    /** Returns the files and the column of the groups; no files if the source was not surveyed. */
    @Override
    public DataIdentity identity() {
        return new DataIdentity(
                surveyed.files, groupPart < 0 ? null : parts.get(groupPart).groupColumn(), Map.of());
    }

    @Override
    public List<String> columnNames() {
        return encoding.columnNames();
    }

    /**
     * Returns the names of the label columns: the names in the header, or the indices from 0 if the file has no header.
     * Empty if there are no labels or if they do not stand in a column, as in a LIBSVM file.
     */
    @Override
    public List<String> labelColumns() {
        TableLayout layout = labelPart < 0 ? null : parts.get(labelPart).layout();
        return layout == null ? List.of() : layout.labelNames();
    }

    /** Returns the column range of each channel; empty if a single file is read. */
    @Override
    public List<ColumnRange> channels() {
        return encoding.channels();
    }

    /** Returns the file, the line and the column if the file can be read again, else the row and the column. */
    @Override
    public String place(long row, int column) {
        long line = row < 0 ? 0 : line(row, column);
        if (line == 0) {
            return SurveyedSource.super.place(row, column);
        }
        String place = parts.get(partOf(column)).file() + ":" + line;
        if (column < 0) {
            return place;
        }
        boolean named =
                encoding.columnRanges().stream().anyMatch(range -> range.from() <= column && column < range.to());
        return place + ": column "
                + (named ? "'" + columnNames().get(column) + "' (" + column + ", from 0)" : column + " (from 0)");
    }

    /** Reads the file of a column up to a row and returns the line of the row; 0 if the file cannot be read again. */
    private long line(long row, int column) {
        try (FileCursor cursor = cursor()) {
            return cursor.line(row, partOf(column));
        } catch (DataException e) {
            // The standard input cannot be read again. The caller's failure matters more than the missing line.
            return 0;
        }
    }

    private int partOf(int column) {
        int part = 0;
        for (int before = parts.get(0).columns();
                column >= before;
                before += parts.get(part).columns()) {
            part++;
        }
        return part;
    }

    @Override
    public RowCursor open() {
        return cursor();
    }

    private FileCursor cursor() {
        return new FileCursor(this, parts, new LabelDecoder(encoding.labelEncoding(), surveyed.rows >= 0));
    }
}
