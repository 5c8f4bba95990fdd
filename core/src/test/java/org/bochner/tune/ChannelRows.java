package org.bochner.tune;

import java.util.List;
import org.bochner.data.ColumnRange;
import org.bochner.data.MemorySource;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/** Rows of two channels that say what their labels are, each something of its own, and of two that say nothing. */
final class ChannelRows {
    static final List<ColumnRange> CHANNELS = MultipleKernels.channels("wave=0:2, noise=2:5, bowl=5:7, more.noise=7:9");
    static final int COLUMNS = 9;

    private ChannelRows() {}

    static MemorySource numbers(int rows) {
        float[] x = columns(rows);
        double[] y = new double[rows];
        for (int i = 0; i < rows; i++) {
            y[i] = height(x, i);
        }
        return MemorySource.of(COLUMNS, x).withTargets(y);
    }

    static MemorySource classes(int rows) {
        float[] x = columns(rows);
        int[] y = new int[rows];
        for (int i = 0; i < rows; i++) {
            double height = height(x, i);
            y[i] = height > 0.8 ? 2 : height > 0 ? 1 : 0;
        }
        return MemorySource.of(COLUMNS, x).withClasses(List.of("low", "middle", "high"), y);
    }

    private static float[] columns(int rows) {
        RandomStream stream = new Seed(7).stream();
        float[] x = new float[rows * COLUMNS];
        for (int i = 0; i < x.length; i++) {
            x[i] = (float) (2 * stream.nextUniform() - 1);
        }
        return x;
    }

    private static double height(float[] x, int row) {
        int at = row * COLUMNS;
        return Math.sin(3 * x[at]) * x[at + 1] + x[at + 5] * x[at + 5] + x[at + 6];
    }
}
