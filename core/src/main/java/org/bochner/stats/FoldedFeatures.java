package org.bochner.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.data.Labels;
import org.bochner.data.PartedRows;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.matrix.Strips;
import org.bochner.numeric.optimise.Vectors;

/**
 * The dense features of all rows in memory, sorted by fold, for methods that work with inner products of rows.
 *
 * <p>Memory: n·D numbers of the precision of the features. Threads: safe; immutable.
 */
public final class FoldedFeatures {
    /** Features that are multiplied at a time, and rows per strip of the products. */
    private static final int PANEL = 512;

    private static final int STRIP = 192;

    private record Chunk(FeatureBlock features, RowTargets targets) {}

    private final int features;
    private final Labels labels;
    private final long rowsRead;
    private final List<Chunk> chunks;
    /** The first row of each fold, and the number of rows. */
    private final int[] starts;

    private final double[] weights;
    private final double totalWeight;
    private final double[] mean;

    private FoldedFeatures(int features, Labels labels, List<List<Chunk>> folds) {
        this.features = features;
        this.labels = labels;
        chunks = folds.stream().flatMap(List::stream).toList();
        starts = new int[folds.size() + 1];
        for (int fold = 0; fold < folds.size(); fold++) {
            starts[fold + 1] = starts[fold]
                    + folds.get(fold).stream()
                            .mapToInt(chunk -> chunk.targets.weights().length)
                            .sum();
        }
        rowsRead = starts[folds.size()];
        weights = chunks.stream()
                .flatMapToDouble(chunk -> Arrays.stream(chunk.targets.weights()))
                .toArray();
        totalWeight = Arrays.stream(weights).sum();
        mean = new double[features];
        if (totalWeight > 0) {
            addTo(mean, Arrays.stream(weights).map(w -> w / totalWeight).toArray());
        }
    }

    /** Maps all rows and keeps their features. */
    public static FoldedFeatures map(
            MappedSource mapped, int folds, RowSorter.PartOf foldOf, FeatureStore.Listener listener) {
        List<List<Chunk>> chunks = new ArrayList<>();
        for (int fold = 0; fold < folds; fold++) {
            chunks.add(new ArrayList<>());
        }
        PartedRows.requireReadable(mapped.source(), "multiple kernel learning with fewer rows than features");
        RowWeights rowWeights = mapped.rowWeights();
        int features = mapped.features();
        mapped.pass(false, MappedFeatures.chunkRows(features))
                .setParts(folds, foldOf, rowWeights)
                .run(Object::new, (rows, none) -> rows.features(), (done, none) -> {
                    MappedRows last = done.last();
                    chunks.get(done.part()).add(new Chunk(last.features(), RowTargets.of(last.rows(), rowWeights)));
                    last.release();
                    listener.mapped(done.rows(), done.fraction());
                });
        FoldedFeatures folded = new FoldedFeatures(features, mapped.source().labels(), chunks);
        if (!(folded.totalWeight > 0)) {
            throw new BochnerException(mapped.source().name() + ": holds no rows, or none with a row weight above 0");
        }
        return folded;
    }

    /** Returns the number of rows. */
    public int rows() {
        return (int) rowsRead;
    }

    public int folds() {
        return starts.length - 1;
    }

    /** Returns the first row of a fold; for the number of folds, the number of rows. */
    public int start(int fold) {
        return starts[fold];
    }

    public Labels labels() {
        return labels;
    }

    /** Returns the sum of the row weights of a fold. */
    public double rowWeight(int fold) {
        return Arrays.stream(weights, starts[fold], starts[fold + 1]).sum();
    }

    /** Returns the row weights, times the factors of classes, in a new array. */
    public double[] rowWeights() {
        return weights.clone();
    }

    /** Returns a target of all rows: numbers, or indices of classes. */
    public double[] targets(int target) {
        double[] all = new double[rows()];
        int row = 0;
        for (Chunk chunk : chunks) {
            for (int i = 0; i < chunk.targets.weights().length; i++) {
                all[row++] = chunk.targets.target(i, target);
            }
        }
        return all;
    }

    /** Returns the weighted mean of the features in a new array. */
    public double[] mean() {
        return mean.clone();
    }

    /** Adds Σ aᵢ zᵢ to D numbers, in float64. */
    private void addTo(double[] sum, double[] coefficients) {
        int row = 0;
        for (Chunk chunk : chunks) {
            for (int i = 0; i < chunk.features.rows(); i++, row++) {
                if (coefficients[row] != 0) {
                    chunk.features.addRow(i, coefficients[row], sum, 0);
                }
            }
        }
    }

    /** Returns Σᵢ aᵢ zᵢ for each column of an n×outputs matrix, D×outputs; both row-major. */
    public double[] combine(double[] coefficients, int outputs, Workers workers) {
        double[] result = new double[Math.multiplyExact(features, outputs)];
        workers.each(outputs, o -> {
            double[] own = new double[rows()];
            Arrays.setAll(own, i -> coefficients[i * outputs + o]);
            double[] sum = new double[features];
            addTo(sum, own);
            for (int j = 0; j < features; j++) {
                result[j * outputs + o] = sum[j];
            }
        });
        return result;
    }

    /**
     * Returns √wᵢ√wⱼ (zᵢ − z̄)·(zⱼ − z̄) of all pairs of rows, over the features {@code from} to {@code to}
     * (exclusive): n×n, in float64. Cost: n² per feature.
     */
    public double[] products(int from, int to, Workers workers) {
        int n = rows();
        double[] products = new double[Math.multiplyExact(n, n)];
        double[] panel = new double[Math.multiplyExact(n, PANEL)];
        int[] chunkStarts = new int[chunks.size() + 1];
        for (int c = 0; c < chunks.size(); c++) {
            chunkStarts[c + 1] = chunkStarts[c] + chunks.get(c).features.rows();
        }
        for (int first = from; first < to; first += PANEL) {
            int start = first;
            int count = Math.min(PANEL, to - first);
            workers.each(chunks.size(), c -> fill(chunks.get(c).features, chunkStarts[c], start, count, panel));
            Strips.each(workers, n, STRIP, (top, bottom) -> {
                Matrix<double[]> left = Matrix.of(panel, top * PANEL, bottom - top, count, PANEL);
                Matrix<double[]> right = Matrix.of(panel, top * PANEL, n - top, count, PANEL);
                Matrix<double[]> out = Matrix.of(products, top * n + top, bottom - top, n - top, n);
                Blas.get().multiply(1.0, left, right.transposed(), 1.0, out);
            });
        }
        Strips.each(workers, n, STRIP, (top, bottom) -> {
            for (int i = top; i < bottom; i++) {
                for (int j = i + 1; j < n; j++) {
                    products[j * n + i] = products[i * n + j];
                }
            }
        });
        return products;
    }

    private void fill(FeatureBlock block, int firstRow, int from, int count, double[] panel) {
        for (int i = 0; i < block.rows(); i++) {
            double root = Math.sqrt(weights[firstRow + i]);
            int at = (firstRow + i) * PANEL;
            Arrays.fill(panel, at, at + count, 0);
            Vectors.add(-root, mean, from, panel, at, count);
            block.addPart(i, from, count, root, panel, at);
        }
    }

    /** Returns the bytes of the features of n rows and of the products of one range of them. */
    public static double bytes(long rows, int features, Precision precision) {
        return (double) rows * features * precision.bytes() + 8.0 * rows * rows + 8.0 * rows * PANEL;
    }
}
