package org.bochner.tune.channels;

import java.util.Arrays;
import org.bochner.data.Labels;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.ridge.Ridge;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.FoldedFeatures;

/**
 * Rows as inner products of their features, one n×n matrix Kⱼ per channel: for fewer rows than features. The weights
 * of features are Σᵢ αᵢ zᵢ, and the matrix to factor is n×n instead of D×D.
 *
 * <p>Rows are multiplied by the root s of their weight and centred at the mean of all rows. Centring at the mean of the
 * rows without a fold is the projection P = I − ŝŝᵀ of both sides of their part of Kⱼ, with ŝ = s/|s| over these rows.
 * It is applied to products and factors; no part is copied.
 *
 * <p>Memory: the features of all rows, one matrix of n² numbers per channel, and one per solution.
 */
public final class DualRows implements RidgeRows {
    private final ChannelFeatures channels;
    private final DualSource features;
    private final Workers workers;
    private final int n;
    private final int outputs;
    private final double[][] products;
    private final double[] roots;
    /** √w·y, n×outputs, row-major. */
    private final double[] weightedTargets;

    private final Part[] parts;

    /** Computes the inner products of all rows. */
    public DualRows(ChannelFeatures channels, FoldedFeatures features, Workers workers) {
        this(channels, new FeatureRows(channels, features), workers);
    }

    /** Computes the inner products of all rows of a source. */
    public DualRows(ChannelFeatures channels, DualSource features, Workers workers) {
        this.channels = channels;
        this.features = features;
        this.workers = workers;
        n = features.rows();
        roots = Arrays.stream(features.rowWeights()).map(Math::sqrt).toArray();
        OutputCoding coding = OutputCoding.of(features.labels());
        outputs = coding.count();
        weightedTargets = new double[Math.multiplyExact(n, outputs)];
        boolean classes = features.labels() instanceof Labels.Classes;
        for (int o = 0; o < outputs; o++) {
            double[] targets = features.targets(classes ? 0 : o);
            for (int i = 0; i < n; i++) {
                weightedTargets[i * outputs + o] = roots[i] * (classes ? coding.sign(targets[i], o) : targets[i]);
            }
        }
        products = new double[channels.count()][];
        for (int c = 0; c < products.length; c++) {
            products[c] = features.products(c, workers);
        }
        parts = new Part[folds() + 1];
        workers.each(parts.length, fold -> parts[fold] = new Part(fold));
    }

    /** Returns the bytes of the features, of the inner products and of a number of solutions at a time. */
    public static long bytesNeeded(
            long rows, ChannelFeatures channels, int targets, Precision precision, int solutions) {
        double matrices = 8.0 * rows * rows * (channels.count() - 1 + solutions);
        double vectors = 8.0 * rows * targets * (4 + solutions * (3.0 * channels.count() + 4));
        return (long) (FoldedFeatures.bytes(rows, channels.features(), precision)
                + matrices
                + vectors
                + 64.0 * targets * channels.features());
    }

    /** The rows without a fold, which are those before {@code start} and those from {@code end} on. */
    final class Part {
        final int start;
        final int end;
        final int size;
        final double weight;
        /** ŝ, one number per row of the part. */
        final double[] unit;
        /** Pŷ with ŷ = √w·y, size×outputs, row-major. */
        final double[] targets;

        final double[] targetMeans;
        /** Kⱼŝ for each channel, one number per row of the part, and ŝᵀKⱼŝ. */
        final double[][] withUnit;

        final double[] ofUnit;

        private Part(int fold) {
            boolean all = fold == folds();
            start = all ? n : features.start(fold);
            end = all ? n : features.start(fold + 1);
            size = n - (end - start);
            double[] own = gather(roots, 1);
            weight = Vectors.dot(own, own);
            double length = Math.sqrt(weight);
            unit = Arrays.stream(own).map(root -> root / length).toArray();
            targets = gather(weightedTargets, outputs);
            targetMeans = project(targets);
            for (int o = 0; o < outputs; o++) {
                targetMeans[o] /= length;
            }
            withUnit = new double[products.length][];
            ofUnit = new double[products.length];
            for (int c = 0; c < products.length; c++) {
                withUnit[c] = gather(multiply(c, unit, 1), 1);
                ofUnit[c] = Vectors.dot(withUnit[c], unit);
            }
        }

        /** Returns the rows of the part of an n×columns matrix. */
        double[] gather(double[] of, int columns) {
            double[] rows = new double[size * columns];
            System.arraycopy(of, 0, rows, 0, start * columns);
            System.arraycopy(of, end * columns, rows, start * columns, (n - end) * columns);
            return rows;
        }

        /** Replaces X, size×outputs, by PX; returns ŝᵀX. */
        double[] project(double[] x) {
            double[] along = new double[outputs];
            for (int i = 0; i < size; i++) {
                Vectors.add(unit[i], x, i * outputs, along, 0, outputs);
            }
            for (int i = 0; i < size; i++) {
                Vectors.add(-unit[i], along, 0, x, i * outputs, outputs);
            }
            return along;
        }

        /** Returns KⱼX for all n rows, X being size×columns. Cost: 2·n·size·columns. */
        double[] multiply(int channel, double[] x, int columns) {
            double[] result = new double[n * columns];
            addProduct(channel, 1, x, columns, 0, n, result);
            return result;
        }

        /** Adds factor · the rows {@code from} to {@code to} (exclusive) of KⱼX. */
        void addProduct(int channel, double factor, double[] x, int columns, int from, int to, double[] sum) {
            Matrix<double[]> out = Matrix.of(sum, to - from, columns);
            Matrix<double[]> left = Matrix.of(products[channel], from * n, to - from, start, n);
            Matrix<double[]> right = Matrix.of(products[channel], from * n + end, to - from, n - end, n);
            Blas blas = Blas.get();
            blas.multiply(factor, left, Matrix.of(x, start, columns), 1.0, out);
            blas.multiply(factor, right, Matrix.of(x, start * columns, n - end, columns, columns), 1.0, out);
        }

        /** Returns the index in Kⱼ of a row of the part. */
        int row(int i) {
            return i < start ? i : i - start + end;
        }
    }

    @Override
    public ChannelFeatures channels() {
        return channels;
    }

    @Override
    public int folds() {
        return features.folds();
    }

    @Override
    public long rowsRead() {
        return n;
    }

    @Override
    public double totalRowWeight(int fold) {
        int from = fold == folds() ? 0 : features.start(fold);
        int to = fold == folds() ? n : features.start(fold + 1);
        return Vectors.dot(roots, from, roots, from, to - from);
    }

    @Override
    public double shareWithout(int fold, int ofClass) {
        double[] targets = features.targets(0);
        double sum = 0;
        for (int i = 0; i < parts[fold].size; i++) {
            int row = parts[fold].row(i);
            sum += targets[row] == ofClass ? roots[row] * roots[row] : 0;
        }
        return sum / parts[fold].weight;
    }

    @Override
    public double scatterTrace() {
        double trace = 0;
        for (double[] matrix : products) {
            for (int i = 0; i < n; i++) {
                trace += matrix[i * (n + 1)];
            }
        }
        return trace;
    }

    /** Products of float32 features are computed in float64. */
    @Override
    public double smallestLambda() {
        return Ridge.smallestLambda(scatterTrace(), n, Precision.FLOAT64);
    }

    /** |Zⱼᵀy|² is yᵀKⱼy. */
    @Override
    public double largestCross() {
        Part all = parts[folds()];
        double most = 0;
        for (int c = 0; c < products.length; c++) {
            most = Math.max(most, Vectors.dot(all.targets, all.multiply(c, all.targets, outputs)));
        }
        return Math.sqrt(most);
    }

    @Override
    public int scratchSize() {
        return Math.multiplyExact(n, n);
    }

    @Override
    public ChannelRidge solve(int fold, double l2, double[] kernelWeights, double[] scratch, Workers threads) {
        return new DualRidge(this, fold, l2, kernelWeights, scratch, threads);
    }

    int outputs() {
        return outputs;
    }

    Part part(int fold) {
        return parts[fold];
    }

    double[] products(int channel) {
        return products[channel];
    }

    int rows() {
        return n;
    }

    /**
     * Returns the mean of half the squared residuals on the rows of a fold, averaged over the outputs.
     *
     * @param alpha the coefficients of the other rows
     * @param along ŝᵀKα for each output, K = Σⱼ dⱼKⱼ
     */
    double loss(int fold, double[] kernelWeights, double[] alpha, double[] along) {
        Part part = parts[fold];
        int count = part.end - part.start;
        double[] scores = new double[count * outputs];
        for (int c = 0; c < kernelWeights.length; c++) {
            if (kernelWeights[c] > 0) {
                part.addProduct(c, kernelWeights[c], alpha, outputs, part.start, part.end, scores);
            }
        }
        double sum = 0;
        for (int i = 0; i < count; i++) {
            int row = part.start + i;
            for (int o = 0; o < outputs; o++) {
                double constant = part.targetMeans[o] - along[o] / Math.sqrt(part.weight);
                double score = roots[row] * constant + scores[i * outputs + o];
                double residual = score - weightedTargets[row * outputs + o];
                sum += residual * residual;
            }
        }
        return sum / (2 * totalRowWeight(fold) * outputs);
    }

    /** Returns the model with given coefficients of the rows. */
    LinearModel model(int fold, double[] kernelWeights, double[] alpha) {
        Part part = parts[fold];
        double[] coefficients = new double[n * outputs];
        double[] shares = new double[n];
        for (int i = 0; i < part.size; i++) {
            int row = part.row(i);
            Vectors.add(roots[row], alpha, i * outputs, coefficients, row * outputs, outputs);
            shares[row] = roots[row] * roots[row] / part.weight;
        }
        return features.model(kernelWeights, coefficients, shares, part.targetMeans, workers);
    }
}
