package org.bochner.data;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.bochner.base.State;
import org.bochner.numeric.Workers;

/**
 * A computation over rows that lie in parts ({@link PartedRows}). It runs on each part, possibly in other processes, and its
 * results are merged in the order of the parts.
 *
 * <p>A result may have several pieces, which are sent and merged apart: a large matrix then never lies twice in the memory
 * of a process. Tasks and pieces travel in their own binary form; Java serialisation is not used.
 *
 * <p>Threads: safe; tasks are immutable.
 *
 * @param <P> a piece of the result of some parts
 * @param <R> the result of all parts
 */
public interface RowTask<P, R> {
    /** Returns the result over all rows of a source: of its parts if it has any, else of the rows as one part. */
    default R over(RowSource source, Workers workers) {
        PartedRows parts = source.parted().orElse(null);
        if (parts != null) {
            return parts.run(this);
        }
        IntFunction<P> pieces = run(source, workers);
        return result(IntStream.range(0, pieces()).mapToObj(pieces).toList());
    }

    /** Returns the saved form of this task, from which another process makes an equal one. */
    State state();

    /** Returns the number of pieces of a result, at least 1. */
    int pieces();

    /**
     * Runs the task on the rows of a part, of which there may be none. The pieces are taken once each, in ascending order,
     * and each is used before the next one is taken.
     */
    IntFunction<P> run(RowSource part, Workers workers);

    /** Runs the task as {@link #run(RowSource, Workers)} does, with what the process keeps between tasks of a session. */
    default IntFunction<P> run(RowSource part, Workers workers, PartMemory memory) {
        return run(part, workers);
    }

    /** Returns the piece of the rows of two pieces; the rows of {@code next} follow those of {@code first}. Both may be changed. */
    P merge(P first, P next);

    /** Returns the result, given its merged pieces in ascending order. */
    R result(List<P> pieces);

    /** Writes a piece, which {@link #read} of an equal task reads. */
    void write(P piece, DataOutput to) throws IOException;

    /** Reads what {@link #write} wrote. */
    P read(DataInput from) throws IOException;
}
