package org.bochner.map.fourier;

import java.util.Arrays;
import java.util.List;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Warp;
import org.bochner.map.MapGradient;
import org.bochner.map.ParameterKind;
import org.bochner.map.layout.MapMemory;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.jspecify.annotations.Nullable;

/**
 * The gradient with respect to the scales or the frequencies of a Fourier map. Both follow from one sum: with θ = ω·x
 * the angles of a row and θ̄ⱼ = Σ cotangent·∂φ/∂θⱼ, it is G = Σ xᵀθ̄, columns×frequencies. Then ∂/∂ωⱼₗ = Gₗⱼ, and with
 * ω = s·h ∂/∂sₗ = Σⱼ hⱼₗGₗⱼ.
 *
 * <p>With pairs, θ̄ follows from the features themselves, because the derivatives of cosines are sines. With phases,
 * the derivative is the map with all phases a quarter turn ahead.
 *
 * <p>Cost: as much as the projection of the rows on a full matrix of frequencies.
 */
public final class FourierGradient implements MapGradient {
    /** The share of non-zeros above which sparse rows are multiplied by gemm, as in {@link DenseProjection}. */
    private static final double DENSE_ENOUGH = 0.4;

    private final FourierMap map;
    private final @Nullable Warp warp;
    private final ParameterKind kind;
    private final int columns;
    private final int frequencies;
    private final FourierMap ahead;

    /** G, one column after the other. */
    private final double[] sums;

    private float[] angles = new float[0];
    private float[] values = new float[0];
    private float[] block = new float[0];
    private float[][] byColumn = new float[0][];
    private double[] doubleAngles = new double[0];
    private double[] doubleValues = new double[0];

    public FourierGradient(FourierMap map, @Nullable Warp warp, ParameterKind kind) {
        this.map = map;
        this.warp = warp;
        this.kind = kind;
        columns = map.inputDimension();
        frequencies = map.frequencyCount();
        ahead = map.form() == FourierForm.PHASE ? map.quarterTurnAhead() : map;
        sums = new double[MapMemory.size(FourierMap.TYPE, columns, frequencies)];
    }

    @Override
    public int features() {
        return map.outputDimension();
    }

    @Override
    public void add(double[] x, double[] cotangent) {
        double[] warped = warp == null ? x : warp.applyToRow(x);
        double[] features = new double[map.outputDimension()];
        ahead.apply(warped, features);
        for (int j = 0; j < frequencies; j++) {
            double angle = map.form() == FourierForm.PAIRS
                    ? features[j] * cotangent[frequencies + j] - features[frequencies + j] * cotangent[j]
                    : features[j] * cotangent[j];
            for (int l = 0; l < columns; l++) {
                sums[l * frequencies + j] += warped[l] * angle;
            }
        }
    }

    @Override
    public void add(RowBlock rows, float[] features, float[] cotangents, int offset, int stride) {
        add(RowReader.of(rows, warp), features, cotangents, offset, stride);
    }

    @Override
    public void add(RowBlock rows, double[] features, double[] cotangents, int offset, int stride) {
        add(RowReader.of(rows, warp), features, cotangents, offset, stride);
    }

    /** Adds the rows of a reader in float32. */
    public void add(RowReader rows, float[] features, float[] cotangents, int offset, int stride) {
        int count = rows.rows();
        if (angles.length < count * frequencies) {
            angles = new float[count * frequencies];
        }
        if (map.form() == FourierForm.PAIRS) {
            for (int i = 0; i < count; i++) {
                pairAngles(features, cotangents, offset + i * stride, angles, i * frequencies, frequencies);
            }
        } else {
            ahead.apply(rows, angles, 0, frequencies);
            for (int i = 0; i < count; i++) {
                multiply(angles, i * frequencies, cotangents, offset + i * stride, frequencies);
            }
        }
        SparseRows sparse = rows.sparse();
        if (sparse != null && sparse.entries() < DENSE_ENOUGH * count * columns) {
            addSparse(sparse);
        } else {
            addDense(rows, count);
        }
    }

    private static void pairAngles(float[] features, float[] cotangents, int at, float[] angles, int to, int m) {
        for (int j = 0; j < m; j++) {
            angles[to + j] = features[at + j] * cotangents[at + m + j] - features[at + m + j] * cotangents[at + j];
        }
    }

    private static void multiply(float[] angles, int at, float[] cotangents, int from, int count) {
        for (int j = 0; j < count; j++) {
            angles[at + j] *= cotangents[from + j];
        }
    }

    private void addDense(RowReader rows, int count) {
        if (block.length == 0) {
            block = new float[sums.length];
        }
        values = rows.room(count, values);
        Blas.get().multiply(rows.matrix(0, count, values).transposed(), Matrix.of(angles, count, frequencies), block);
        for (int i = 0; i < sums.length; i++) {
            sums[i] += block[i];
        }
    }

    private void addSparse(SparseRows rows) {
        if (byColumn.length == 0) {
            byColumn = new float[columns][];
        }
        float[] row = new float[frequencies];
        for (int i = 0; i < rows.rows(); i++) {
            System.arraycopy(angles, i * frequencies, row, 0, frequencies);
            for (int e = rows.starts()[i]; e < rows.starts()[i + 1]; e++) {
                int column = rows.indices()[e];
                if (byColumn[column] == null) {
                    byColumn[column] = new float[frequencies];
                }
                addTimes(byColumn[column], rows.values()[e], row);
            }
        }
        for (int l = 0; l < columns; l++) {
            float[] of = byColumn[l];
            if (of != null) {
                for (int j = 0; j < frequencies; j++) {
                    sums[l * frequencies + j] += of[j];
                }
                Arrays.fill(of, 0);
            }
        }
    }

    /** Both arrays start at index 0; otherwise the loop is not vectorised. */
    private static void addTimes(float[] sum, float factor, float[] row) {
        for (int j = 0; j < sum.length; j++) {
            sum[j] += factor * row[j];
        }
    }

    /** Adds the rows of a reader in float64. */
    public void add(RowReader rows, double[] features, double[] cotangents, int offset, int stride) {
        int count = rows.rows();
        if (doubleAngles.length < count * frequencies) {
            doubleAngles = new double[count * frequencies];
            doubleValues = new double[count * columns];
        }
        if (map.form() == FourierForm.PHASE) {
            ahead.apply(rows, doubleAngles, 0, frequencies);
        }
        double[] x = new double[columns];
        for (int i = 0; i < count; i++) {
            int at = offset + i * stride;
            for (int j = 0; j < frequencies; j++) {
                int to = i * frequencies + j;
                doubleAngles[to] = map.form() == FourierForm.PAIRS
                        ? features[at + j] * cotangents[at + frequencies + j]
                                - features[at + frequencies + j] * cotangents[at + j]
                        : doubleAngles[to] * cotangents[at + j];
            }
            rows.readRow(i, x);
            System.arraycopy(x, 0, doubleValues, i * columns, columns);
        }
        Matrix<double[]> values = Matrix.of(doubleValues, count, columns);
        Matrix<double[]> angles = Matrix.of(doubleAngles, count, frequencies);
        Blas.get().multiply(1.0, values.transposed(), angles, 1.0, Matrix.of(sums, columns, frequencies));
    }

    @Override
    public List<double[]> sums() {
        return List.of(sums);
    }

    @Override
    public double[] values() {
        boolean ofScales = kind == ParameterKind.SCALES;
        double[] factors = ofScales ? map.unitFrequencies() : map.scales();
        double[] derivatives = new double[ofScales ? columns : columns * frequencies];
        for (int j = 0; j < frequencies; j++) {
            for (int l = 0; l < columns; l++) {
                int frequency = j * columns + l;
                derivatives[ofScales ? l : frequency] += factors[ofScales ? frequency : l] * sums[l * frequencies + j];
            }
        }
        return derivatives;
    }
}
