package org.bochner.tune.scales;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.random.Seed;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.WeightMatrix;
import org.bochner.tune.Criterion;
import org.bochner.tune.folds.FoldedRows;
import org.bochner.tune.folds.ScoredRows;

/**
 * Ridge regression from the statistics of folds, judged by one of the {@linkplain Criterion criteria}, with the adjoint
 * that its derivatives need.
 *
 * <p>With Q = H + λI the matrix of a fit, W = Q⁻¹C its weights and g = Σ z·ℓ′ the derivative of what it is judged by with
 * respect to W, the adjoint is P = Q⁻¹g: one solution more with the same factor. Then a row that is judged adds ℓ′W to the
 * derivative by its features, and a row that was learned from adds w(r·P − q·W), with r its residual and q = P·(z − z̄) + ḡ.
 * The training objective needs no adjoint: W minimises it, so what moves W does not count.
 *
 * <p>Degrees of freedom are traces of Q⁻¹; they and their derivatives come from solutions Q⁻¹ζ with random signs ζ, for few
 * features with unit vectors, which is exact. With D/8 sign vectors the trace of λQ⁻¹, whose eigenvalues are below 1, has a
 * standard deviation of √(2·D/(D/8)) = 4 at most.
 */
public final class RidgeCriterion {
    /** Up to so many features, traces are exact. */
    private static final int EXACT_TRACE = 256;

    private final CriterionKind kind;
    private final Labels labels;
    private final ClassWeights classWeights;
    private final Workers workers;

    public RidgeCriterion(CriterionKind kind, Labels labels, ClassWeights classWeights, Workers workers) {
        this.kind = kind;
        this.labels = labels;
        this.classWeights = classWeights;
        this.workers = workers;
    }

    /** What can be judged at several penalties. The accumulators are used up. */
    public Problem prepare(List<GramAccumulator> folds) {
        return new Problem(folds);
    }

    /** The statistics of all folds. */
    public final class Problem {
        private final List<GramStatistics> folds = new ArrayList<>();
        private final GramStatistics total;
        private final OutputCoding outputs;
        private final int features;
        private final double nothing;

        Problem(List<GramAccumulator> accumulators) {
            features = accumulators.get(0).features();
            if (accumulators.size() == 1) {
                total = accumulators.get(0).freeze();
                folds.add(total);
            } else {
                GramAccumulator all = new GramAccumulator(features, labels);
                accumulators.forEach(all::combine);
                total = all.freeze();
                accumulators.forEach(fold -> folds.add(fold.freeze()));
            }
            outputs = OutputCoding.of(labels);
            double squares = 0;
            for (int o = 0; o < outputs.count(); o++) {
                squares += outputs.scale() * outputs.scale() * total.targetScatter(outputs.target(o));
            }
            if (!(squares > 0)) {
                throw new BochnerException("all targets are the same: there is nothing to learn a kernel from");
            }
            nothing = squares;
        }

        public GramStatistics total() {
            return total;
        }

        int features() {
            return features;
        }

        OutputCoding outputs() {
            return outputs;
        }

        /** The mean of an output's targets. */
        double targetMean(int output) {
            return outputs.mean(total.targetMean(outputs.target(output)));
        }

        /** The sum of squares without features. */
        double nothing() {
            return nothing;
        }

        /** What a row counts. */
        double weight(RowBlock rows, int row) {
            double weight = rows.rowWeight(row);
            return outputs.classes() ? weight * classWeights.factor((int) rows.target(row, 0)) : weight;
        }

        /**
         * What the criterion says.
         *
         * @param rows for what statistics do not tell
         */
        public CriterionResult judge(double lambda, ScoredRows rows) {
            if (kind == CriterionKind.LEAVE_ONE_OUT) {
                return leaveOneOut(lambda, rows);
            }
            List<Fit> fits = new ArrayList<>();
            switch (kind) {
                case TRAIN, GCV -> fits.add(whole(lambda));
                case VALIDATION -> fits.add(without(1, lambda));
                case CROSS_VALIDATION -> {
                    for (int k = 0; k < folds.size(); k++) {
                        fits.add(without(k, lambda));
                    }
                }
                case LEAVE_ONE_OUT -> throw new IllegalStateException("statistics alone do not tell");
            }
            return new Judged(this, fits, lambda);
        }

        private CriterionResult leaveOneOut(double lambda, ScoredRows rows) {
            double[] matrix = new double[features * features];
            total.copyScatter(lambda, matrix);
            Cholesky factor = Cholesky.factor(matrix, features, workers);
            double[] weights = cross(total);
            factor.solve(weights, outputs.count(), workers);
            return new LeaveOneOutResult(this, lambda, factor.inverseFactor(workers), weights, rows);
        }

        /** The fit on all folds, judged on the same rows. */
        private Fit whole(double lambda) {
            double[] matrix = new double[features * features];
            total.copyScatter(lambda, matrix);
            double[] cross = cross(total);
            double[] mean = total.mean();
            double[] targets = targetMeans(total);
            Cholesky factor = Cholesky.factor(matrix, features, workers);
            double[] weights = cross.clone();
            int count = outputs.count();
            factor.solve(weights, count, workers);
            double squares = nothing - dot(weights, cross) - lambda * dot(weights, weights);
            Fit fit = new Fit(FoldedRows.NONE, weights, mean, targets);
            if (kind == CriterionKind.TRAIN) {
                // The minimum of Σ w r² + λ|W|².
                fit.value = (squares + lambda * dot(weights, weights)) / nothing;
                fit.direct = 2 / nothing;
                fit.penaltySlope = lambda * dot(weights, weights) / nothing;
                return fit;
            }
            // From Q·W = C, g = 2Σ w z(f − y) = −2λW.
            double[] adjoint = scaled(weights, -2 * lambda);
            factor.solve(adjoint, count, workers);
            judgeGenerally(fit, factor, lambda, squares, adjoint);
            return fit;
        }

        /** Generalised cross-validation, (Σ w r²/N)/(1 − df/n)². */
        private void judgeGenerally(Fit fit, Cholesky factor, double lambda, double squares, double[] adjoint) {
            // Where the degrees of freedom come near the number of rows, what is left of it must be exact.
            boolean exact = features <= EXACT_TRACE || total.weighedRows() < 2L * features;
            int probes = exact ? features : Math.max(EXACT_TRACE, features / 8);
            double[] signs = probes(features, probes);
            double[] solutions = signs.clone();
            factor.solve(solutions, probes, workers);
            double trace = dot(signs, solutions);
            double freedom = 1 + features - lambda * trace;
            double rows = total.weighedRows();
            double slack = 1 - freedom / rows;
            if (!(slack > 0)) {
                fit.value = Double.POSITIVE_INFINITY;
                return;
            }
            double share = squares / nothing / (slack * slack);
            double perSquare = 1 / (nothing * slack * slack);
            double perFreedom = 2 * share / (slack * rows);
            fit.value = share;
            fit.direct = 2 * perSquare;
            fit.adjoint = scaled(adjoint, perSquare);
            double freedomSlope = lambda * (lambda * dot(solutions, solutions) - trace);
            fit.penaltySlope = -lambda * dot(fit.adjoint, fit.weights) + perFreedom * freedomSlope;
            fit.probes = solutions;
            fit.probeCount = probes;
            fit.perProbe = 2 * lambda * perFreedom;
        }

        /** The fit on all folds but one, judged on that one. */
        private Fit without(int k, double lambda) {
            GramStatistics fold = folds.get(k);
            int count = outputs.count();
            double weight = total.weight() - fold.weight();
            if (!(weight > 0) || !(fold.weight() > 0)) {
                throw new BochnerException("the rows to judge by, or those to learn from, have no weight; use fewer"
                        + " folds, another share, or another seed");
            }
            GramStatistics others = total.without(fold);
            double[] mean = others.mean();
            double[] apart = fold.mean();
            for (int j = 0; j < features; j++) {
                apart[j] -= mean[j];
            }
            double[] targets = targetMeans(others);
            double[] targetsApart = targetMeans(fold);
            for (int o = 0; o < count; o++) {
                targetsApart[o] -= targets[o];
            }
            double[] matrix = new double[features * features];
            others.copyScatter(lambda, matrix);
            double[] scatter = new double[features * features];
            fold.copyScatter(0, scatter);
            for (int i = 0; i < features; i++) {
                for (int j = 0; j < i; j++) {
                    scatter[i * features + j] = scatter[j * features + i];
                }
            }
            double[] foldCross = cross(fold);
            double[] weights = cross(others);
            Cholesky factor = Cholesky.factor(matrix, features, workers);
            factor.solve(weights, count, workers);
            Fit fit = new Fit(k, weights, mean, targets);
            // Σ w (z − z̄)(f − y) over the fold, and Σ w (f − y)².
            double[] product = new double[features * count];
            Blas.get()
                    .gemm(
                            false, false, features, count, features, 1.0, scatter, 0, features, weights, 0, count, 0.0,
                            product, 0, count);
            double squares = 0;
            double[] excess = new double[count];
            for (int o = 0; o < count; o++) {
                excess[o] = -targetsApart[o];
                squares += outputs.scale() * outputs.scale() * fold.targetScatter(outputs.target(o));
            }
            for (int j = 0; j < features; j++) {
                for (int o = 0; o < count; o++) {
                    excess[o] += weights[j * count + o] * apart[j];
                }
            }
            for (int o = 0; o < count; o++) {
                squares += fold.weight() * excess[o] * excess[o];
            }
            squares += dot(weights, product) - 2 * dot(weights, foldCross);
            double scale = judgedScale();
            double[] adjoint = new double[features * count];
            for (int j = 0; j < features; j++) {
                for (int o = 0; o < count; o++) {
                    int at = j * count + o;
                    adjoint[at] = 2 * scale * (product[at] - foldCross[at] + fold.weight() * apart[j] * excess[o]);
                }
            }
            factor.solve(adjoint, count, workers);
            fit.value = scale * squares;
            fit.direct = 2 * scale;
            fit.adjoint = adjoint;
            for (int o = 0; o < count; o++) {
                fit.adjointShift[o] = 2 * scale * fold.weight() * excess[o] / weight;
            }
            fit.penaltySlope = -lambda * dot(adjoint, weights);
            return fit;
        }

        /** One over what the judged rows' squares come to without features. */
        private double judgedScale() {
            if (kind == CriterionKind.CROSS_VALIDATION) {
                return 1 / nothing;
            }
            return total.weight() / (nothing * folds.get(1).weight());
        }

        /** Products with the targets, D×outputs. */
        private double[] cross(GramStatistics of) {
            int count = outputs.count();
            double[] cross = new double[features * count];
            for (int o = 0; o < count; o++) {
                double[] row = of.cross(outputs.target(o));
                for (int j = 0; j < features; j++) {
                    cross[j * count + o] = outputs.scale() * row[j];
                }
            }
            return cross;
        }

        private double[] targetMeans(GramStatistics of) {
            double[] means = new double[outputs.count()];
            Arrays.setAll(means, o -> outputs.mean(of.targetMean(outputs.target(o))));
            return means;
        }
    }

    /** One fit, and the derivatives of what it is judged by. */
    private static final class Fit {
        /** The fold it was judged on and not learned from; {@link FoldedRows#NONE} for a fit on all, judged on all. */
        private final int judged;

        private final double[] weights;
        private final double[] mean;
        private final double[] targets;
        private final double[] adjointShift;
        private double value;
        private double penaltySlope;

        /** What w(f − y) of a judged row is multiplied by. */
        private double direct;

        /** P, D×outputs; empty where none is needed. */
        private double[] adjoint = new double[0];

        /** Q⁻¹ζ, D×count; empty where there are none. */
        private double[] probes = new double[0];

        private int probeCount;
        private double perProbe;

        Fit(int judged, double[] weights, double[] mean, double[] targets) {
            this.judged = judged;
            this.weights = weights;
            this.mean = mean;
            this.targets = targets;
            adjointShift = new double[targets.length];
        }

        int columns() {
            int outputs = targets.length;
            return outputs + (adjoint.length == 0 ? 0 : outputs) + probeCount;
        }
    }

    private static final class Judged implements CriterionResult {
        private final Problem problem;
        private final List<Fit> fits;
        private final double lambda;
        private final WeightMatrix columns;

        /** Column by column, what is to be subtracted from its score: its product with the mean, less an intercept. */
        private final double[] shifts;

        Judged(Problem problem, List<Fit> fits, double lambda) {
            this.problem = problem;
            this.fits = fits;
            this.lambda = lambda;
            int count = fits.stream().mapToInt(Fit::columns).sum();
            int features = fits.get(0).mean.length;
            double[] all = new double[features * count];
            shifts = new double[count];
            int at = 0;
            for (Fit fit : fits) {
                int width = fit.targets.length;
                at = place(fit.weights, width, fit.mean, all, count, at);
                for (int o = 0; o < width; o++) {
                    shifts[at - width + o] -= fit.targets[o];
                }
                if (fit.adjoint.length > 0) {
                    at = place(fit.adjoint, width, fit.mean, all, count, at);
                    for (int o = 0; o < width; o++) {
                        shifts[at - width + o] -= fit.adjointShift[o];
                    }
                }
                at = place(fit.probes, fit.probeCount, fit.mean, all, count, at);
            }
            columns = WeightMatrix.of(features, count, all);
        }

        private int place(double[] from, int width, double[] mean, double[] to, int count, int at) {
            for (int j = 0; j < mean.length; j++) {
                for (int o = 0; o < width; o++) {
                    double value = from[j * width + o];
                    to[j * count + at + o] = value;
                    shifts[at + o] += value * mean[j];
                }
            }
            return at + width;
        }

        @Override
        public double value() {
            return fits.stream().mapToDouble(fit -> fit.value).sum();
        }

        @Override
        public double penaltySlope() {
            return fits.stream().mapToDouble(fit -> fit.penaltySlope).sum();
        }

        @Override
        public double lambda() {
            return lambda;
        }

        @Override
        public WeightMatrix columns() {
            return columns;
        }

        @Override
        public void coefficients(FoldedRows.Tile tile, double[] scores) {
            RowBlock rows = tile.rows();
            int count = columns.outputs();
            for (int i = 0; i < rows.rows(); i++) {
                double weight = problem.weight(rows, i);
                int at = i * count;
                for (int c = 0; c < count; c++) {
                    scores[at + c] -= shifts[c];
                }
                for (Fit fit : fits) {
                    at = coefficients(fit, tile.fold(), rows, i, weight, scores, at);
                }
            }
        }

        private int coefficients(Fit fit, int fold, RowBlock rows, int row, double weight, double[] scores, int start) {
            int width = fit.targets.length;
            boolean judged = fit.judged == FoldedRows.NONE || fit.judged == fold;
            boolean learned = fit.judged != fold && fit.adjoint.length > 0;
            int at = start;
            for (int o = 0; o < width; o++) {
                double residual = problem.outputs.target(rows, row, o) - scores[at + o];
                double direct = judged ? -fit.direct * weight * residual : 0;
                if (fit.adjoint.length > 0) {
                    double adjoint = scores[at + width + o];
                    scores[at + width + o] = learned ? weight * residual : 0;
                    scores[at + o] = direct - (learned ? weight * adjoint : 0);
                } else {
                    scores[at + o] = direct;
                }
            }
            at += fit.adjoint.length > 0 ? 2 * width : width;
            for (int p = 0; p < fit.probeCount; p++) {
                scores[at + p] *= fit.perProbe * weight;
            }
            return at + fit.probeCount;
        }
    }

    /** Random signs over √count, features×count; unit vectors where there are as many of them. */
    private static double[] probes(int features, int count) {
        double[] signs = new double[features * count];
        if (count == features) {
            for (int j = 0; j < features; j++) {
                signs[j * (features + 1)] = 1;
            }
            return signs;
        }
        Seed seed = new Seed(0).derive("trace probes");
        double size = 1 / Math.sqrt(count);
        for (int i = 0; i < signs.length; i++) {
            signs[i] = seed.derive(i).value() < 0 ? -size : size;
        }
        return signs;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    private static double[] scaled(double[] a, double factor) {
        return Arrays.stream(a).map(value -> factor * value).toArray();
    }
}
