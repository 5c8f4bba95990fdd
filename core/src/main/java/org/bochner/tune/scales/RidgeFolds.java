package org.bochner.tune.scales;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.data.RowBlock;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.linear.OutputMoments;
import org.bochner.learn.ridge.Ridge;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.random.Seed;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.RowWeights;
import org.bochner.tune.folds.FoldedRows;
import org.bochner.tune.folds.ScoredRows;

/**
 * Ridge regression from the statistics of folds, with the criteria of {@link CriterionKind} and the adjoints that their
 * derivatives need.
 *
 * <p>With Q = H + λI the matrix of a fit, W = Q⁻¹C its weights and g = Σ z·ℓ′ the derivative of the criterion by W,
 * the adjoint is P = Q⁻¹g: one more solution with the same factor. A held-out row adds ℓ′W to the derivative by its
 * features, and a training row adds w(r·P − q·W), with its residual r and q = P·(z − z̄) + ḡ. The training objective
 * needs no adjoint, because W minimises it.
 *
 * <p>Degrees of freedom are traces of Q⁻¹. They and their derivatives come from solutions Q⁻¹ζ with random signs ζ,
 * and for few features from unit vectors, which is exact. With D/8 sign vectors the trace of λQ⁻¹, whose eigenvalues
 * are below 1, has a standard deviation of at most √(2·D/(D/8)) = 4.
 */
public final class RidgeFolds implements PenaltyProblem {
    /** Traces are exact for at most this many features. */
    private static final int EXACT_TRACE = 256;

    private final CriterionKind kind;
    private final ScoredRows rows;
    private final Workers workers;
    private final RowWeights rowWeights;
    private final List<GramStatistics> folds = new ArrayList<>();
    private final GramStatistics total;
    private final OutputCoding outputs;
    private final OutputMoments targets;
    private final int features;
    private final double constantSquares;

    /** Creates a problem. The accumulators must not be used afterwards. */
    RidgeFolds(CriterionKind kind, List<GramAccumulator> accumulators, ScoredRows rows, ClassWeights classWeights) {
        this.kind = kind;
        this.rows = rows;
        workers = rows.workers();
        rowWeights = new RowWeights(rows.labels(), classWeights);
        features = accumulators.get(0).features();
        if (accumulators.size() == 1) {
            total = accumulators.get(0).freeze();
            folds.add(total);
        } else {
            GramAccumulator all = new GramAccumulator(features, rows.labels());
            accumulators.forEach(all::combine);
            total = all.freeze();
            accumulators.forEach(fold -> folds.add(fold.freeze()));
        }
        outputs = OutputCoding.of(rows.labels());
        targets = OutputMoments.of(total);
        constantSquares = Arrays.stream(targets.squares()).sum();
        if (!(constantSquares > 0)) {
            throw new BochnerException("all targets are equal: there is nothing to learn a kernel from");
        }
    }

    /** Returns the statistics of all rows. */
    public GramStatistics total() {
        return total;
    }

    /** Returns the rows with their features. */
    ScoredRows rows() {
        return rows;
    }

    int features() {
        return features;
    }

    OutputCoding outputs() {
        return outputs;
    }

    /** Returns the mean target of each output. The array is shared and must not be changed. */
    double[] targetMeans() {
        return targets.means();
    }

    /** Returns the sum of squared residuals of a constant prediction. */
    double constantSquares() {
        return constantSquares;
    }

    double rowWeight(RowBlock block, int row) {
        return rowWeights.weight(block, row);
    }

    @Override
    public double largestPenalty() {
        return total.scatterTrace();
    }

    /** Returns the smallest penalty that a precision of the features allows. */
    public double smallestPenalty(Precision precision) {
        return Ridge.smallestLambda(total, precision);
    }

    @Override
    public double usualPenalty(Precision precision) {
        return Ridge.auto().fit(total, precision, workers).chosen().lambda();
    }

    @Override
    public CriterionResult evaluate(double lambda) {
        List<RidgeFit> fits = new ArrayList<>();
        switch (kind) {
            case LEAVE_ONE_OUT -> {
                return leaveOneOut(lambda);
            }
            case TRAIN, GCV, EVIDENCE -> fits.add(whole(lambda));
            case VALIDATION -> fits.add(without(1, lambda));
            case CROSS_VALIDATION -> {
                for (int k = 0; k < folds.size(); k++) {
                    fits.add(without(k, lambda));
                }
            }
        }
        return RidgeFit.result(fits, lambda, this);
    }

    /** Returns the weights of the fit to all rows, D×outputs. */
    public double[] weights(double lambda) {
        double[] weights = targets.cross().clone();
        factor(total, lambda).solve(weights, outputs.count(), workers);
        return weights;
    }

    private Cholesky factor(GramStatistics of, double lambda) {
        double[] matrix = new double[features * features];
        of.copyScatter(lambda, matrix);
        return Cholesky.factor(matrix, features, workers);
    }

    private CriterionResult leaveOneOut(double lambda) {
        Cholesky factor = factor(total, lambda);
        double[] weights = targets.cross().clone();
        factor.solve(weights, outputs.count(), workers);
        return new LeaveOneOut(this, lambda, factor.inverseFactor(workers), weights).result(rows);
    }

    /** The fit to all folds, evaluated on the same rows. */
    private RidgeFit whole(double lambda) {
        Cholesky factor = factor(total, lambda);
        double[] weights = targets.cross().clone();
        factor.solve(weights, outputs.count(), workers);
        double norm = Vectors.dot(weights, weights);
        double squares = constantSquares - Vectors.dot(weights, targets.cross()) - lambda * norm;
        RidgeFit fit = new RidgeFit(FoldedRows.NONE, weights, total.mean(), targets.means());
        if (kind == CriterionKind.TRAIN) {
            // The minimum of Σ w r² + λ|W|².
            fit.value = (squares + lambda * norm) / constantSquares;
            fit.direct = 2 / constantSquares;
            fit.penaltySlope = lambda * norm / constantSquares;
            return fit;
        }
        if (kind == CriterionKind.EVIDENCE) {
            setEvidence(fit, factor, lambda, squares + lambda * norm, norm);
            return fit;
        }
        // From Q·W = C, g = 2Σ w z(f − y) = −2λW.
        double[] adjoint = scaled(weights, -2 * lambda);
        factor.solve(adjoint, outputs.count(), workers);
        setGeneralized(fit, factor, lambda, squares, adjoint);
        return fit;
    }

    /** Sets generalised cross-validation, (Σ w r²/N)/(1 − df/n)². */
    private void setGeneralized(RidgeFit fit, Cholesky factor, double lambda, double squares, double[] adjoint) {
        // 1 − df/n must be exact if the degrees of freedom come near the number of rows.
        boolean exact = features <= EXACT_TRACE || total.weighedRows() < 2L * features;
        int probes = exact ? features : Math.max(EXACT_TRACE, features / 8);
        double[] signs = probes(features, probes);
        double[] solutions = signs.clone();
        factor.solve(solutions, probes, workers);
        double trace = Vectors.dot(signs, solutions);
        double freedom = 1 + features - lambda * trace;
        double count = total.weighedRows();
        double slack = 1 - freedom / count;
        if (!(slack > 0)) {
            fit.value = Double.POSITIVE_INFINITY;
            return;
        }
        double perSquare = 1 / (constantSquares * slack * slack);
        fit.value = squares / constantSquares / (slack * slack);
        double perFreedom = 2 * fit.value / (slack * count);
        fit.direct = 2 * perSquare;
        fit.adjoint = scaled(adjoint, perSquare);
        double freedomSlope = lambda * (lambda * Vectors.dot(solutions, solutions) - trace);
        fit.penaltySlope = -lambda * Vectors.dot(fit.adjoint, fit.weights) + perFreedom * freedomSlope;
        fit.probes = solutions;
        fit.probeCount = probes;
        fit.perProbe = 2 * lambda * perFreedom;
    }

    /**
     * Sets the evidence, (R/S)·exp((log det Q − D log λ)/(n − 1)), with the minimum R of the training objective and the squares
     * S of a constant prediction. The derivative of log det Q by a row z is 2wQ⁻¹(z − z̄), and Q⁻¹ is the product of the
     * inverse Cholesky factor with its transpose.
     */
    private void setEvidence(RidgeFit fit, Cholesky factor, double lambda, double minimum, double norm) {
        double count = total.weighedRows() - 1.0;
        double complexity = Math.exp((factor.logDeterminant() - features * Math.log(lambda)) / count);
        fit.value = Math.max(0, minimum) / constantSquares * complexity;
        fit.direct = 2 * complexity / constantSquares;
        fit.probes = factor.inverseFactor(workers);
        fit.probeCount = features;
        fit.perProbe = 2 * fit.value / count;
        double trace = Vectors.dot(fit.probes, fit.probes);
        fit.penaltySlope =
                complexity * lambda * norm / constantSquares + fit.value * (lambda * trace - features) / count;
    }

    /** The fit to all folds but one, evaluated on that one. */
    private RidgeFit without(int k, double lambda) {
        GramStatistics fold = folds.get(k);
        int count = outputs.count();
        double weight = total.totalRowWeight() - fold.totalRowWeight();
        if (!(weight > 0) || !(fold.totalRowWeight() > 0)) {
            throw FoldedRows.emptyFold(fold.weighedRows(), total.weighedRows() - fold.weighedRows());
        }
        GramStatistics others = total.without(fold);
        double[] mean = others.mean();
        double[] apart = Vectors.difference(fold.mean(), mean);
        OutputMoments learned = OutputMoments.of(others);
        OutputMoments held = OutputMoments.of(fold);
        double[] weights = learned.cross().clone();
        Cholesky factor = factor(others, lambda);
        factor.solve(weights, count, workers);
        RidgeFit fit = new RidgeFit(k, weights, mean, learned.means());
        // Σ w (z − z̄)(f − y) over the fold, and Σ w (f − y)².
        double[] product = foldProduct(fold, weights);
        double[] excess = Vectors.difference(learned.means(), held.means());
        for (int at = 0; at < weights.length; at++) {
            excess[at % count] += weights[at] * apart[at / count];
        }
        double squares = Arrays.stream(held.squares()).sum()
                + fold.totalRowWeight() * Vectors.dot(excess, excess)
                + Vectors.dot(weights, product)
                - 2 * Vectors.dot(weights, held.cross());
        double scale = heldOutScale();
        double[] adjoint = new double[features * count];
        Arrays.setAll(
                adjoint,
                at -> 2
                        * scale
                        * (product[at]
                                - held.cross()[at]
                                + fold.totalRowWeight() * apart[at / count] * excess[at % count]));
        factor.solve(adjoint, count, workers);
        fit.value = scale * squares;
        fit.direct = 2 * scale;
        fit.adjoint = adjoint;
        Arrays.setAll(fit.adjointShift, o -> 2 * scale * fold.totalRowWeight() * excess[o] / weight);
        fit.penaltySlope = -lambda * Vectors.dot(adjoint, weights);
        return fit;
    }

    /** The scatter of a fold times weights. */
    private double[] foldProduct(GramStatistics fold, double[] weights) {
        int count = outputs.count();
        double[] scatter = new double[features * features];
        fold.copyWholeScatter(scatter);
        double[] product = new double[features * count];
        Blas.get().multiply(Matrix.of(scatter, features, features), Matrix.of(weights, features, count), product);
        return product;
    }

    /** One over the squares of the held-out rows for a constant prediction. */
    private double heldOutScale() {
        return kind == CriterionKind.CROSS_VALIDATION
                ? 1 / constantSquares
                : total.totalRowWeight() / (constantSquares * folds.get(1).totalRowWeight());
    }

    /** Random signs over √count, features×count; unit vectors if count is the number of features. */
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
        Arrays.setAll(signs, i -> seed.derive(i).value() < 0 ? -size : size);
        return signs;
    }

    private static double[] scaled(double[] a, double factor) {
        return Arrays.stream(a).map(value -> factor * value).toArray();
    }
}
