package org.bochner.data;

import java.util.List;
import java.util.Optional;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Note;
import org.jspecify.annotations.Nullable;

/**
 * Rows that can be read from the start as often as needed.
 *
 * <p>To add a kind of source, implement the abstract methods and test the class with {@code RowSourceContract} of
 * {@code bochner-testkit}.
 *
 * <p>Threads: several threads may open a source at once; each cursor belongs to one thread.
 */
public interface RowSource {
    /** Returns the name for messages and training records, such as the file name. */
    String name();

    /** Returns the number of columns of every row. */
    int columns();

    /** Returns the number of rows; -1 if it is not known before the rows are read. */
    default long rows() {
        return -1;
    }

    /** Returns the meaning of the targets. */
    Labels labels();

    /** Returns true if the blocks are sparse. */
    boolean sparse();

    /** Returns true if the rows have groups, which hold-outs and folds keep together. */
    default boolean grouped() {
        return false;
    }

    /**
     * Returns true if the rows have set ids: consecutive rows with the same {@linkplain RowBlock#set id} are one set, and
     * the source can be read {@linkplain #bySet by set}.
     */
    default boolean inSets() {
        return false;
    }

    /** Returns true if each row of this source is a set of local rows, which {@link RowBlock#localRows} returns. */
    default boolean ofSets() {
        return false;
    }

    /**
     * Returns the sets of a source whose rows have set ids, one row per set, with the label, weight and group that all its
     * rows share. A source without set ids is returned unchanged.
     *
     * <p>Cost: one pass, which counts the sets and checks them, if the number of rows is known.
     *
     * @throws DataException if the rows of a set do not stand together, or differ in label, weight or group
     */
    default RowSource bySet() {
        return inSets() ? SetSource.of(this) : this;
    }

    /**
     * Returns the rows of a training, {@linkplain #bySet by set}. If categories are encoded by means of the targets, the means
     * are computed from these rows: each row gets means over the rows of other folds, and the {@linkplain #encoding encoding}
     * has those over all rows, for later rows. Every training calls this method, after test rows were held out.
     *
     * <p>Cost: one pass if there are means to compute.
     *
     * @throws BochnerException if there are means to compute and the rows have no labels, or if the rows were read with the
     *     category means of a model
     */
    default RowSource forTraining() {
        requireTrainable();
        return CategoryMeans.fit(bySet());
    }

    /** Fails if the rows were read with the category means of a model: their own labels may be in these means. */
    default void requireTrainable() {}

    /**
     * Returns the rows as a model reads them: categories that need means of the targets get those of the model's encoding.
     * Other sources are returned unchanged.
     *
     * @param model the encoding of the model; null if the model has none
     * @throws BochnerException if the rows were read without the encoding of the model
     */
    default RowSource encodedBy(@Nullable Encoding model) {
        return CategoryMeans.apply(this, model);
    }

    /** Returns the local rows of all sets, one after the other, if each row is a set; else this source. */
    default RowSource localRows() {
        return this;
    }

    /** Returns how files become rows, which models save for later files; null for rows that do not come from files. */
    default @Nullable Encoding encoding() {
        return null;
    }

    /** Returns notes for training rows on how {@link #forTraining} encoded them. */
    default List<Note> trainingNotes() {
        return List.of();
    }

    /** Returns the identity of the rows, for training records. */
    default DataIdentity identity() {
        return DataIdentity.UNKNOWN;
    }

    /**
     * Returns where a value is, for messages: the name of the source, the row, counted from 1, and the column, counted from 0. A
     * source that shows rows of another one names the place in the other, and a file names the line, because messages must count
     * as the file does. Finding the place may read the file again.
     *
     * @param row the index of the row in this source, from 0; -1 if it is not known
     * @param column the index of the column, from 0; -1 for the whole row
     */
    default String place(long row, int column) {
        String ofRow = row < 0 ? "" : ": row " + (row + 1);
        String ofColumn = column < 0 ? "" : (row < 0 ? ": " : ", ") + "column " + column + " (from 0)";
        return name() + ofRow + ofColumn;
    }

    /** Returns the parts of rows that do not lie in this process; empty for other rows. */
    default Optional<PartedRows> parted() {
        return Optional.empty();
    }

    /** Returns the same rows without labels. */
    default RowSource withoutLabels() {
        return new Unlabelled(this);
    }

    /** Starts reading from the first row. */
    RowCursor open();
}
