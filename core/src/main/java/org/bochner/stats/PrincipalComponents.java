package org.bochner.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.Setting;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.ComponentMap;
import org.bochner.map.layout.Penalty;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.matrix.Strips;
import org.bochner.numeric.optimise.Vectors;
import org.jspecify.annotations.Nullable;

/**
 * The principal components of mapped rows: the eigenvectors of their scatter {@code H = U·diag(e)·Uᵀ} with the
 * largest eigenvalues e. The rows are the training rows, optionally together with rows without labels.
 *
 * <p>Each part of a concatenated map has components of its own scatter. The largest eigenvalues over all parts are
 * kept; a part with little variance may keep none. The relative scale of the parts therefore matters: it is the
 * weight of their kernels in the sum.
 *
 * <p>Negative eigenvalues are rounding errors and count as 0. The sign of an eigenvector is chosen to make its
 * largest entry positive, for reproducible components.
 *
 * <p>Cost: about 9·D³ per part, on one thread. Memory: 40·D² bytes for the largest part during its decomposition, and
 * 20·D·k bytes afterwards. Threads: safe; immutable.
 *
 * @param parts the components of each part
 * @param count the number of components kept over all parts
 * @param share the kept components' share of the variance
 * @param joint true if the components are those of the training rows and rows without labels
 */
public record PrincipalComponents(List<Part> parts, int count, double share, boolean joint) {
    /**
     * The kept components of one part.
     *
     * @param eigenvalues all eigenvalues, descending
     * @param vectors U, D×kept, row-major
     * @param offsets Uᵀ·mean, the means of the components
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Part(GramStatistics training, double[] eigenvalues, int kept, double[] vectors, double[] offsets) {
        /** Returns the basis for the unwhitened features φ: a component u of R⁻ᵀφ is the component R⁻¹u of φ. */
        ComponentMap.Basis basis() {
            double[] unwhitened = vectors.clone();
            for (int c = 0; c < kept; c++) {
                training.penalty().unwhiten(unwhitened, c, kept);
            }
            return new ComponentMap.Basis(eigenvalues.length, unwhitened, offsets.clone());
        }
    }

    /**
     * All components of one part.
     *
     * @param eigenvalues descending
     * @param rows a D×D matrix whose rows are the eigenvectors by ascending eigenvalue
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Spectrum(GramStatistics training, double[] mean, double[] eigenvalues, double[] rows) {
        Part keep(int kept) {
            int features = eigenvalues.length;
            double[] vectors = new double[features * kept];
            double[] offsets = new double[kept];
            for (int c = 0; c < kept; c++) {
                int row = (features - 1 - c) * features;
                double sign = sign(rows, row, features);
                for (int j = 0; j < features; j++) {
                    double value = sign * rows[row + j];
                    vectors[j * kept + c] = value;
                    offsets[c] += value * mean[j];
                }
            }
            return new Part(training, eigenvalues, kept, vectors, offsets);
        }

        private static double sign(double[] rows, int start, int features) {
            int largest = start;
            for (int j = start + 1; j < start + features; j++) {
                if (Math.abs(rows[j]) > Math.abs(rows[largest])) {
                    largest = j;
                }
            }
            return rows[largest] < 0 ? -1 : 1;
        }
    }

    /**
     * Returns the components of the training rows and rows without labels.
     *
     * @param others the statistics of each part over rows without labels; empty, or of no rows, if there are none
     */
    public static PrincipalComponents of(
            List<GramStatistics> training, List<GramStatistics> others, Components components) {
        Require.atLeast("pca", "parts", training.size(), 1);
        boolean joint = !others.isEmpty() && others.get(0).totalRowWeight() > 0;
        List<Spectrum> spectra = new ArrayList<>();
        for (int p = 0; p < training.size(); p++) {
            spectra.add(decompose(training.get(p), joint ? others.get(p) : null));
        }
        return select(spectra, components, joint);
    }

    /**
     * Decomposes the scatter of the training rows, or of all rows, merged by the formula of Chan, Golub and LeVeque
     * (1983).
     *
     * @param others the statistics of rows without labels; null for none
     */
    private static Spectrum decompose(GramStatistics training, @Nullable GramStatistics others) {
        int features = training.features();
        double[] scatter = new double[GramAccumulator.square(features)];
        double[] mean = training.mean();
        training.copyScatter(0, scatter);
        double trace = training.scatterTrace();
        if (others != null) {
            Require.sameSize("pca", "features of the rows without labels", others.features(), features);
            trace += others.scatterTrace();
            double share = others.totalRowWeight() / (training.totalRowWeight() + others.totalRowWeight());
            double factor = training.totalRowWeight() * share;
            double[] delta = Vectors.difference(others.mean(), mean);
            Vectors.add(share, delta, mean);
            for (int i = 0; i < features; i++) {
                for (int j = i; j < features; j++) {
                    scatter[i * features + j] += others.scatter(i, j) + factor * delta[i] * delta[j];
                }
            }
        }
        if (!(trace < Double.POSITIVE_INFINITY)) {
            throw new BochnerException(
                    "pca: the features are so large that their squares are not finite",
                    Remedy.set(Setting.PRECISION, Precision.FLOAT64, ""),
                    Remedy.advice("scale the rows"));
        }
        double[] ascending = Blas.get().eigen(features, scatter);
        double[] eigenvalues = new double[features];
        Arrays.setAll(eigenvalues, c -> Math.max(0, ascending[features - 1 - c]));
        return new Spectrum(training, mean, eigenvalues, scatter);
    }

    private static PrincipalComponents select(List<Spectrum> spectra, Components components, boolean joint) {
        double[] pooled = spectra.stream()
                .flatMapToDouble(part -> Arrays.stream(part.eigenvalues))
                .boxed()
                .sorted(Comparator.reverseOrder())
                .mapToDouble(Double::doubleValue)
                .toArray();
        double total = Arrays.stream(pooled).sum();
        if (!(total > 0)) {
            throw new BochnerException(
                    "pca: the features do not vary over the rows; are all rows equal, or is the kernel's scale far off?");
        }
        int count = components.choose(pooled);
        int[] kept = new int[spectra.size()];
        double sum = 0;
        // Ties between equal eigenvalues go to the first parts.
        for (int taken = 0; taken < count; taken++) {
            int best = -1;
            for (int p = 0; p < kept.length; p++) {
                double[] values = spectra.get(p).eigenvalues;
                if (kept[p] < values.length
                        && (best < 0 || values[kept[p]] > spectra.get(best).eigenvalues[kept[best]])) {
                    best = p;
                }
            }
            sum += spectra.get(best).eigenvalues[kept[best]++];
        }
        List<Part> parts = IntStream.range(0, kept.length)
                .mapToObj(p -> spectra.get(p).keep(kept[p]))
                .toList();
        return new PrincipalComponents(parts, count, sum / total, joint);
    }

    /**
     * Returns the map whose features are the components of the given map's features, with their variances; only for a
     * single part, which is the whole map.
     */
    public ComponentMap project(FeatureMap map) {
        Require.that(parts.size() == 1 && !joint, "pca", "only components of one part have variances");
        Part part = parts.get(0);
        double weight = part.training.totalRowWeight();
        double[] variances = Arrays.stream(part.eigenvalues)
                .limit(part.kept)
                .map(eigenvalue -> eigenvalue / weight)
                .toArray();
        return new ComponentMap(
                map, part.basis(), variances, Arrays.stream(part.eigenvalues).sum() / weight);
    }

    /** Returns the map whose features are the components of the given map's features. */
    public ComponentMap reduce(FeatureMap map) {
        return new ComponentMap(map, parts.stream().map(Part::basis).toList());
    }

    /**
     * Returns the statistics of the components over the training rows, without another pass; only for a single part.
     * The scatter is diagonal, with the eigenvalues, or UᵀHU if the components include rows without labels.
     */
    public GramStatistics project(Workers workers) {
        Require.that(parts.size() == 1, "pca", "products between the " + parts.size() + " parts take another pass");
        Part part = parts.get(0);
        Moments from = part.training.moments;
        Moments to = from.forFeatures(part.kept);
        multiply(part, from.mean, 1, to.mean);
        Vectors.add(-1, part.offsets, to.mean);
        multiply(part, from.cross, from.targets, to.cross);
        double[] scatter = joint ? projectedScatter(part, workers) : diagonal(part);
        return new GramStatistics(part.training.labels(), to, scatter, Penalty.PLAIN, !joint);
    }

    /** Computes to (rows×k) ← from (rows×D) · U. */
    private static void multiply(Part part, double[] from, int rows, double[] to) {
        int features = part.eigenvalues.length;
        Blas.get().multiply(Matrix.of(from, rows, features), Matrix.of(part.vectors, features, part.kept), to);
    }

    private static double[] diagonal(Part part) {
        double[] scatter = new double[GramAccumulator.square(part.kept)];
        for (int c = 0; c < part.kept; c++) {
            scatter[c * (part.kept + 1)] = part.eigenvalues[c];
        }
        return scatter;
    }

    /** Rows per strip of a product; a constant, because results must not depend on the number of threads. */
    private static final int STRIP = 128;

    /** Returns UᵀHU. */
    private static double[] projectedScatter(Part part, Workers workers) {
        int features = part.eigenvalues.length;
        int kept = part.kept;
        double[] whole = new double[GramAccumulator.square(features)];
        part.training.copyWholeScatter(whole);
        double[] half = new double[features * kept];
        Strips.each(workers, features, STRIP, (from, to) -> {
            Matrix<double[]> rows = Matrix.of(whole, from * features, to - from, features, features);
            Matrix<double[]> product = Matrix.of(half, from * kept, to - from, kept, kept);
            Blas.get().multiply(1.0, rows, Matrix.of(part.vectors, features, kept), 0.0, product);
        });
        double[] scatter = new double[GramAccumulator.square(kept)];
        Strips.each(workers, kept, STRIP, (from, to) -> {
            Matrix<double[]> vectors = Matrix.of(part.vectors, from, features, to - from, kept);
            Matrix<double[]> columns = Matrix.of(half, from, features, kept - from, kept);
            Matrix<double[]> product = Matrix.of(scatter, from * (kept + 1), to - from, kept - from, kept);
            Blas.get().multiply(1.0, vectors.transposed(), columns, 0.0, product);
            for (int i = from; i < to; i++) {
                Arrays.fill(scatter, i * kept + from, i * kept + i, 0);
            }
        });
        return scatter;
    }

    /**
     * Returns the bytes needed to find components: the scatter of each part, twice with rows without labels, and the
     * decomposition of the largest part.
     */
    public static long bytesNeeded(int[] features, boolean joint) {
        double[] squares =
                Arrays.stream(features).mapToDouble(size -> 8.0 * size * size).toArray();
        // The eigenvectors of all parts are held until the number to keep of each is known.
        double held = (joint ? 3 : 2) * Arrays.stream(squares).sum();
        return (long) (held + 2 * Arrays.stream(squares).max().orElse(0));
    }

    @Override
    public String toString() {
        return count + " principal components with " + share + " of the variance";
    }
}
