package org.bochner.numeric.matrix;

import org.bochner.numeric.Workers;

/** Work on strips of consecutive rows or columns, whose number does not depend on the number of threads. */
public final class Strips {
    /**
     * The usual length of a strip of a matrix of n² numbers. Products of longer strips are hardly faster, and with this
     * length a few hundred rows keep several threads busy.
     */
    public static final int USUAL = 128;

    private Strips() {}

    /** Works on the rows or columns {@code from} to {@code to} (exclusive). */
    @FunctionalInterface
    public interface Task {
        void run(int from, int to);
    }

    /** Runs a task for each strip of a length, in parallel; the last strip may be shorter. */
    public static void each(Workers workers, int length, int strip, Task task) {
        workers.each(
                (length + strip - 1) / strip,
                s -> task.run(s * strip, s * strip + Math.min(strip, length - s * strip)));
    }
}
