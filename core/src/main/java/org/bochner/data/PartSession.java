package org.bochner.data;

/**
 * Several tasks over the same parts. Processes may keep what earlier tasks computed, such as features, until the session is
 * closed.
 */
public interface PartSession extends AutoCloseable {
    /** Runs a task as {@link PartedRows#run} does. */
    <P, R> R run(RowTask<P, R> task);

    @Override
    void close();
}
