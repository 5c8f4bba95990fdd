package org.bochner.model;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.stats.FeaturePass;
import org.bochner.stats.MappedRows;

/**
 * Measures the speed of prediction on one thread, for some thousand rows in memory. Because machines are noisy, only
 * ratios of times taken in turns are returned, and thread CPU time is used instead of wall time where the system
 * supports it.
 */
final class PredictionSpeed {
    static final int BLOCKS = 4;

    /** The number of measurements, of which the smallest is taken. */
    private static final int TURNS = 3;

    /**
     * The shortest measurement, long enough for the resolution of the clock; rows are predicted repeatedly until then.
     */
    private static final long LEAST_NANOS = 10_000_000;

    /** The time of a pass after which no further passes are needed. */
    private static final double LONG_NANOS = 5e8;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final KernelModel whole;
    private final List<RowBlock> blocks = new ArrayList<>();

    PredictionSpeed(KernelModel whole, RowSource source) {
        this.whole = whole;
        try (RowCursor cursor = source.open()) {
            RowBlockBuilder builder = new RowBlockBuilder();
            while (blocks.size() < BLOCKS && cursor.next(builder, FeaturePass.TILE_ROWS)) {
                blocks.add(builder.build());
                builder = new RowBlockBuilder();
            }
        }
    }

    PredictionSpeed(KernelModel whole, List<RowBlock> rows) {
        this.whole = whole;
        blocks.addAll(rows);
    }

    /** Returns the speed of a model as a multiple of the whole model's. */
    double ratio(KernelModel model) {
        double wholeNanos = Double.POSITIVE_INFINITY;
        double nanos = Double.POSITIVE_INFINITY;
        // Warm-up: the first pass may still run in the interpreter.
        nanosPerPass(whole, 0);
        nanosPerPass(model, 0);
        for (int turn = 0; turn < TURNS; turn++) {
            wholeNanos = Math.min(wholeNanos, nanosPerPass(whole, LEAST_NANOS));
            nanos = Math.min(nanos, nanosPerPass(model, LEAST_NANOS));
        }
        return wholeNanos / nanos;
    }

    /** Returns the time in which a model predicts a row, in microseconds; NaN without rows. */
    double microseconds(KernelModel model) {
        long rows = blocks.stream().mapToLong(RowBlock::rows).sum();
        if (rows == 0) {
            return Double.NaN;
        }
        // A pass that took long has warmed up on its way.
        double nanos = nanosPerPass(model, 0);
        for (int turn = 0; turn < TURNS && nanos < LONG_NANOS; turn++) {
            nanos = Math.min(nanos, nanosPerPass(model, LEAST_NANOS));
        }
        return nanos / rows * 1e-3;
    }

    private double nanosPerPass(KernelModel model, long least) {
        MappedRows mapped = model.mapped();
        BlockScorer scorer = model.scorer();
        long start = nanos();
        long elapsed;
        int passes = 0;
        do {
            for (RowBlock rows : blocks) {
                scorer.score(mapped.take(rows));
            }
            passes++;
            elapsed = nanos() - start;
        } while (elapsed < least);
        return (double) elapsed / passes;
    }

    /** Returns the CPU time of this thread, which other processes do not change; wall time where it is not known. */
    static long nanos() {
        return THREADS.isCurrentThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled()
                ? THREADS.getCurrentThreadCpuTime()
                : System.nanoTime();
    }
}
