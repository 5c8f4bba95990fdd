package org.bochner.tune.channels;

import java.util.Arrays;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.matrix.Strips;
import org.bochner.numeric.optimise.Vectors;

/**
 * Ridge regression with a weight per channel, from inner products of rows: {@code α = A⁻¹y} with
 * {@code A = P(Σⱼ dⱼKⱼ)P + l2·I}. The residuals are l2·α, so u = Zᵀα and |uⱼ|² = αᵀKⱼα.
 *
 * <p>Cost: n³/3, and 2·n²·outputs per channel.
 */
final class DualRidge implements ChannelRidge {
    private static final int STRIP = 64;

    private final DualRows rows;
    private final int fold;
    private final DualRows.Part part;
    private final double[] kernelWeights;
    private final Workers workers;
    private final int outputs;
    /** Kŝ with K = Σⱼ dⱼKⱼ, one number per row. */
    private final double[] withUnit;

    private final Cholesky factor;
    private final double[] alpha;
    /** PKⱼα for each channel; empty before the first use. */
    private double[][] products = {};

    DualRidge(DualRows rows, int fold, double l2, double[] kernelWeights, double[] scratch, Workers workers) {
        this.rows = rows;
        this.fold = fold;
        this.kernelWeights = kernelWeights;
        this.workers = workers;
        part = rows.part(fold);
        outputs = rows.outputs();
        withUnit = new double[part.size];
        double ofUnit = 0;
        for (int c = 0; c < kernelWeights.length; c++) {
            Vectors.add(kernelWeights[c], part.withUnit[c], withUnit);
            ofUnit += kernelWeights[c] * part.ofUnit[c];
        }
        fill(scratch, l2, ofUnit);
        factor = Cholesky.factor(scratch, part.size, workers);
        alpha = part.targets.clone();
        factor.solve(alpha, outputs, workers);
        part.project(alpha);
    }

    /** The upper triangle of A; PKP = K − vŝᵀ − ŝvᵀ + (ŝᵀv)ŝŝᵀ with v = Kŝ. */
    private void fill(double[] matrix, double l2, double ofUnit) {
        int size = part.size;
        int n = rows.rows();
        double[] unit = part.unit;
        Strips.each(workers, size, STRIP, (from, to) -> {
            for (int i = from; i < to; i++) {
                int write = i * size;
                int read = part.row(i) * n;
                Arrays.fill(matrix, write + i, write + size, 0);
                for (int c = 0; c < kernelWeights.length; c++) {
                    if (kernelWeights[c] > 0) {
                        double[] values = rows.products(c);
                        int before = Math.max(0, part.start - i);
                        Vectors.add(kernelWeights[c], values, read + i, matrix, write + i, before);
                        int first = i + before;
                        Vectors.add(
                                kernelWeights[c],
                                values,
                                read + first - part.start + part.end,
                                matrix,
                                write + first,
                                size - first);
                    }
                }
                Vectors.add(ofUnit * unit[i] - withUnit[i], unit, i, matrix, write + i, size - i);
                Vectors.add(-unit[i], withUnit, i, matrix, write + i, size - i);
                matrix[write + i] += l2;
            }
        });
    }

    private void multiply() {
        if (products.length == 0) {
            double[][] all = new double[kernelWeights.length][];
            workers.each(all.length, c -> {
                double[] product = part.gather(part.multiply(c, alpha, outputs), outputs);
                part.project(product);
                all[c] = product;
            });
            products = all;
        }
    }

    @Override
    public double value() {
        return Vectors.dot(alpha, part.targets) / 2;
    }

    @Override
    public double squaredSlope(int channel) {
        multiply();
        return Math.max(0, Vectors.dot(alpha, products[channel]));
    }

    @Override
    public double[] norms() {
        double[] norms = new double[kernelWeights.length];
        Arrays.setAll(norms, c -> kernelWeights[c] * Math.sqrt(squaredSlope(c)));
        return norms;
    }

    /** {@code (PKⱼα)ᵀA⁻¹(PKₖα)}, summed over the outputs. */
    @Override
    public double[] curvature(int... of) {
        multiply();
        int columns = of.length * outputs;
        double[] left = new double[part.size * columns];
        for (int k = 0; k < of.length; k++) {
            for (int i = 0; i < part.size; i++) {
                System.arraycopy(products[of[k]], i * outputs, left, i * columns + k * outputs, outputs);
            }
        }
        double[] right = left.clone();
        factor.solve(right, columns, workers);
        double[] curvature = new double[of.length * of.length];
        for (int j = 0; j < of.length; j++) {
            for (int k = j; k < of.length; k++) {
                double sum = 0;
                for (int at = 0; at < left.length; at += columns) {
                    sum += Vectors.dot(left, at + j * outputs, right, at + k * outputs, outputs);
                }
                curvature[j * of.length + k] = sum;
                curvature[k * of.length + j] = sum;
            }
        }
        return curvature;
    }

    @Override
    public ChannelFit fit() {
        double loss = Double.NaN;
        if (fold < rows.folds()) {
            double[] along = new double[outputs];
            for (int i = 0; i < part.size; i++) {
                Vectors.add(withUnit[i], alpha, i * outputs, along, 0, outputs);
            }
            loss = rows.loss(fold, kernelWeights, alpha, along);
        }
        return new ChannelFit(loss, () -> rows.model(fold, kernelWeights, alpha));
    }
}
