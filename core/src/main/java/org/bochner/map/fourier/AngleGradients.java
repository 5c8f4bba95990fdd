package org.bochner.map.fourier;

import java.util.Objects;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Warp;
import org.bochner.map.layout.RowGradients;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.jspecify.annotations.Nullable;

/**
 * The gradients of linear functions of cosines and sines with respect to the rows. With a and b the weights of cosines
 * and sines, ∇f(x) = Σⱼ (bⱼ·cos θⱼ − aⱼ·sin θⱼ)·ωⱼ with the angles θⱼ = ωⱼ·x. For a block of rows, the sum is one matrix
 * product. With phases, the derivatives of the features are the features with all phases a quarter turn ahead.
 *
 * <p>Cost per row: the features once, and frequencies·columns operations per output. Memory: the features of a block in
 * float64.
 */
final class AngleGradients implements RowGradients {
    private final ProjectedMap map;
    private final boolean pairs;
    private final @Nullable Warp warp;

    /** ω, frequencies×columns. */
    private final double[] omega;

    private final double[] weights;
    private final int outputs;
    private final int frequencies;
    private final int columns;
    private @Nullable RowReader taken;
    private double[] features = new double[0];
    private double[] angles = new double[0];
    private double[] warped = new double[0];

    /**
     * Creates the gradients.
     *
     * @param map the map of pairs, or the map with phases a quarter turn ahead
     * @param pairs true if the features are all cosines, then all sines, then features that do not depend on the row
     */
    AngleGradients(
            ProjectedMap map, boolean pairs, @Nullable Warp warp, double[] omega, double[] weights, int outputs) {
        this.map = map;
        this.pairs = pairs;
        this.warp = warp;
        this.omega = omega;
        this.weights = weights;
        this.outputs = outputs;
        frequencies = map.frequencyCount();
        columns = map.inputDimension();
    }

    @Override
    public void take(RowBlock block) {
        RowReader rows = RowReader.of(block, warp);
        taken = rows;
        int count = rows.rows();
        if (features.length < count * map.outputDimension()) {
            features = new double[count * map.outputDimension()];
            angles = new double[count * frequencies];
        }
        map.apply(rows, features, 0, map.outputDimension());
    }

    @Override
    public void add(int output, double[] out, int offset, int stride) {
        RowReader rows = Objects.requireNonNull(taken);
        int count = rows.rows();
        if (frequencies == 0) {
            return;
        }
        double[] cosines = column(output, 0);
        double[] sines = pairs ? column(output, frequencies) : cosines;
        for (int i = 0; i < count; i++) {
            int at = i * map.outputDimension();
            int to = i * frequencies;
            for (int j = 0; j < frequencies; j++) {
                angles[to + j] = pairs
                        ? sines[j] * features[at + j] - cosines[j] * features[at + frequencies + j]
                        : cosines[j] * features[at + j];
            }
        }
        Matrix<double[]> slopes = Matrix.of(angles, count, frequencies);
        Matrix<double[]> byColumn = Matrix.of(omega, frequencies, columns);
        if (warp == null) {
            Blas.get().multiply(1, slopes, byColumn, 1, Matrix.of(out, offset, count, columns, stride));
            return;
        }
        if (warped.length < count * columns) {
            warped = new double[count * columns];
        }
        Blas.get().multiply(slopes, byColumn, warped);
        addWarped(rows.block(), warp, out, offset, stride);
    }

    /** Multiplies the derivatives with respect to the warped values by those of the warp. */
    private void addWarped(RowBlock rows, Warp by, double[] out, int offset, int stride) {
        double[] x = new double[columns];
        for (int i = 0; i < rows.rows(); i++) {
            rows.copyRow(i, x);
            for (int l = 0; l < columns; l++) {
                out[offset + i * stride + l] += warped[i * columns + l] * by.slope(x[l], l);
            }
        }
    }

    /** Returns the weights of one output, for as many features as there are frequencies. */
    private double[] column(int output, int from) {
        double[] column = new double[frequencies];
        for (int j = 0; j < frequencies; j++) {
            column[j] = weights[(from + j) * outputs + output];
        }
        return column;
    }
}
