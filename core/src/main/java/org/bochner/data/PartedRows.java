package org.bochner.data;

import org.bochner.base.State;

/**
 * Rows that lie in parts, such as the partitions of a table in a cluster. A task runs where the rows are, and only its result
 * is sent. {@link RowSource#parted} returns the parts of a source that has them.
 *
 * <p>Parts and their order are fixed, so that equal tasks have equal results, bit for bit.
 */
public interface PartedRows {
    /**
     * Runs a task on all parts and merges the results in the order of the parts, in a tree whose shape depends on the number
     * of parts alone.
     */
    <P, R> R run(RowTask<P, R> task);

    /**
     * Fails if the rows are too many to be read by this process.
     *
     * @param step what needs all rows, as the subject of a sentence
     */
    void requireReadable(String step);

    /** Fails if the rows of a source lie in parts and are too many to be read by this process. */
    static void requireReadable(RowSource source, String step) {
        source.parted().ifPresent(parts -> parts.requireReadable(step));
    }

    /**
     * Begins a session.
     *
     * @param shared what all its tasks need, sent once to each process; {@link PartMemory#shared} receives it
     */
    PartSession session(State shared);

    /**
     * Returns some of the rows in their order, numbered from 0.
     *
     * @param identity the identity of the chosen rows
     */
    RowSource where(RowChoice chosen, DataIdentity identity);
}
