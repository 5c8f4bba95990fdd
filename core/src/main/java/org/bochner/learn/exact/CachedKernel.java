package org.bochner.learn.exact;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.gram.CrossKernel;
import org.bochner.map.landmark.LandmarkRows;
import org.bochner.numeric.Workers;
import org.bochner.numeric.optimise.Vectors;

/**
 * The kernel values between n rows, computed one row of the matrix at a time. The rows used last are kept, in float32.
 *
 * <p>Memory: 4·n bytes per row that is kept. Threads: not safe.
 */
final class CachedKernel {
    /** The fewest rows that are kept: a step of the solver uses two. */
    static final int FEWEST = 2;

    /**
     * Rows of the data per part, whose values are computed by one thread; a constant, because results must not depend on
     * the number of threads.
     */
    private static final int PART = 8192;

    private final RowBlock rows;
    private final CrossKernel[] parts;
    private final double[] diagonal;
    private final double[] values;
    private final long most;
    private final Workers workers;
    private final Map<Integer, float[]> kept = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * Prepares the rows.
     *
     * @param bytes the memory for kept rows
     */
    CachedKernel(Kernel kernel, RowBlock rows, long bytes, Workers workers) {
        this.rows = rows;
        this.workers = workers;
        int n = rows.rows();
        most = Math.max(FEWEST, bytes / (Float.BYTES * (long) n));
        values = new double[n];
        parts = new CrossKernel[(n + PART - 1) / PART];
        Arrays.setAll(
                parts,
                p -> CrossKernel.of(
                        kernel,
                        parts.length == 1 ? rows : LandmarkRows.range(rows, p * PART, Math.min(n, (p + 1) * PART))));
        diagonal = new double[n];
        double[] x = new double[rows.columns()];
        for (int i = 0; i < n; i++) {
            rows.copyRow(i, x);
            diagonal[i] = kernel.value(x, x);
            // |k(x, y)|² is at most k(x, x)·k(y, y).
            if (!(diagonal[i] <= Float.MAX_VALUE)) {
                throw new BochnerException(
                        "the values of " + kernel + " are too large for float32",
                        Remedy.set(Setting.SCALING, "as unit-l1, divide or min-max"),
                        Remedy.advice("take a kernel of a smaller degree or with a smaller gamma"));
            }
        }
    }

    int size() {
        return diagonal.length;
    }

    /** Returns k(xᵢ, xᵢ) of all rows; the array must not be changed. */
    double[] diagonal() {
        return diagonal;
    }

    /** Returns k(xᵢ, xⱼ) for all j. The array must not be changed, and is valid until two other rows were asked for. */
    float[] row(int i) {
        float[] known = kept.get(i);
        if (known != null) {
            return known;
        }
        float[] row = kept.size() < most ? new float[size()] : removeOldest();
        RowBlock one = LandmarkRows.range(rows, i, i + 1);
        if (parts.length == 1) {
            parts[0].values(one, values, 0, size());
        } else {
            workers.each(parts.length, p -> parts[p].values(one, values, p * PART, parts[p].size()));
        }
        Vectors.round(values, 0, row, 0, row.length);
        kept.put(i, row);
        return row;
    }

    private float[] removeOldest() {
        var entries = kept.entrySet().iterator();
        float[] row = entries.next().getValue();
        entries.remove();
        return row;
    }
}
