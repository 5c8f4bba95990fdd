package org.bochner.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.bochner.base.Note;
import org.bochner.data.DataIdentity;
import org.bochner.data.Encoding;
import org.bochner.data.Labels;
import org.bochner.data.PartedRows;
import org.bochner.data.RowCursor;
import org.bochner.data.SurveyedSource;

/** Rows of a DataFrame for the command. Rows that are read for a model are converted when they are first needed. */
final class FrameSource implements SurveyedSource {
    private final Facts facts;
    private final Supplier<SparkRows> labelled;
    private final Supplier<SparkRows> unlabelled;
    /** The converted rows of this source and of those made from it. */
    private final List<SparkRows> made;

    /**
     * What is known before rows are converted.
     *
     * @param rows the number of rows; −1 if it is not known
     */
    record Facts(
            String name,
            long rows,
            Encoding encoding,
            Labels labels,
            boolean sparse,
            Note taskReason,
            List<Note> notes,
            List<Long> classCounts,
            List<String> labelColumns,
            List<String> carriedNames) {
        Facts withoutLabels() {
            return new Facts(
                    name,
                    rows,
                    encoding,
                    Labels.none(),
                    sparse,
                    taskReason,
                    notes,
                    classCounts,
                    List.of(),
                    carriedNames);
        }
    }

    /**
     * Creates a source.
     *
     * @param labelled the rows
     * @param unlabelled the rows without labels
     */
    FrameSource(Facts facts, Supplier<SparkRows> labelled, Supplier<SparkRows> unlabelled) {
        this(facts, labelled, unlabelled, new ArrayList<>());
    }

    private FrameSource(
            Facts facts, Supplier<SparkRows> labelled, Supplier<SparkRows> unlabelled, List<SparkRows> made) {
        this.facts = facts;
        this.labelled = once(labelled, made);
        this.unlabelled = unlabelled;
        this.made = made;
    }

    private static Supplier<SparkRows> once(Supplier<SparkRows> convert, List<SparkRows> made) {
        return new Supplier<>() {
            private Optional<SparkRows> known = Optional.empty();

            @Override
            public synchronized SparkRows get() {
                if (known.isEmpty()) {
                    SparkRows rows = convert.get();
                    made.add(rows);
                    known = Optional.of(rows);
                }
                return known.get();
            }
        };
    }

    /** Returns the converted rows. */
    SparkRows converted() {
        return labelled.get();
    }

    @Override
    public FrameSource withoutLabels() {
        return new FrameSource(facts.withoutLabels(), unlabelled, unlabelled, made);
    }

    /** Stops keeping the converted rows, with and without labels. */
    void release() {
        made.forEach(SparkRows::release);
        made.clear();
    }

    @Override
    public String name() {
        return facts.name;
    }

    @Override
    public int columns() {
        return facts.encoding.columns();
    }

    @Override
    public long rows() {
        return facts.rows;
    }

    @Override
    public Labels labels() {
        return facts.labels;
    }

    @Override
    public boolean sparse() {
        return facts.sparse;
    }

    @Override
    public Encoding encoding() {
        return facts.encoding;
    }

    @Override
    public Note taskReason() {
        return facts.taskReason;
    }

    @Override
    public List<Note> notes() {
        return facts.notes;
    }

    @Override
    public List<Long> classCounts() {
        return facts.classCounts;
    }

    @Override
    public List<String> labelColumns() {
        return facts.labelColumns;
    }

    @Override
    public List<String> carriedNames() {
        return facts.carriedNames;
    }

    @Override
    public DataIdentity identity() {
        return DataIdentity.UNKNOWN;
    }

    @Override
    public String place(long row, int column) {
        return converted().place(row, column);
    }

    @Override
    public Optional<PartedRows> parted() {
        return converted().parted();
    }

    @Override
    public RowCursor open() {
        return converted().open();
    }
}
