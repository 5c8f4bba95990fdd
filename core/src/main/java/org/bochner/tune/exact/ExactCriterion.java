package org.bochner.tune.exact;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.learn.ridge.Ridge;
import org.bochner.map.FeatureMap;
import org.bochner.map.landmark.UnmappedKernel;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.NotPositiveDefiniteException;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.tune.scales.CriterionKind;
import org.bochner.tune.scales.CriterionResult;
import org.bochner.tune.scales.PenaltyProblem;
import org.bochner.tune.scales.ScaleCriterion;

/**
 * A criterion of exact kernel ridge regression, from the kernel values K between all rows. The criteria and their
 * values are those of ridge regression with features, in the limit of infinitely many features.
 *
 * <p>With R = diag(√w), ŝ = √w/|√w|, P = I − ŝŝᵀ and A = PRKRP + λI, the coefficients are α = A⁻¹PRy, and the weighted
 * residuals λα. Derivatives by K are sums of few products uβᵀ; for the criteria of the leverages there is also
 * FFᵀ with F = RPA⁻¹·diag(√(λc)). They are contracted with the derivatives of the kernel block by block, so no other
 * matrix of n² numbers is made.
 *
 * <p>Cost: n³/3 operations for {@code train}, 1.7n³ for {@code evidence}, (k−1)³/(3k²)·n³ for k folds, and 2.3n³ for {@code gcv} and {@code loo}; and
 * 3n² operations per column for the kernel values and the derivatives. Memory: {@link #bytesNeeded}. Threads: not safe; each evaluation is
 * parallel by itself.
 */
public final class ExactCriterion implements ScaleCriterion {
    /** With more rows to learn from, the penalty of a search is not chosen again for each of its stages. */
    private static final int FEW_ROWS = 5000;

    /** The number of penalties that {@link Problem#usualPenalty} tries at most, in steps of √10. */
    private static final int PENALTIES = 16;

    private final CriterionKind kind;
    private final ExactFolds rows;
    private final Workers workers;
    private final int n;
    private final int outputs;
    /** The squares of a constant prediction. */
    private final double constantSquares;

    /** Matrices of n² numbers: kernel values, and a factor. Empty before the first use. */
    private double[] kernelValues = {};

    private double[] scratch = {};
    private double smallest;

    public ExactCriterion(CriterionKind kind, ExactFolds rows, Workers workers) {
        this.kind = kind;
        this.rows = rows;
        this.workers = workers;
        n = rows.count();
        outputs = rows.outputs();
        double[] targets = new ExactPart(rows, rows.folds()).targets;
        constantSquares = Vectors.dot(targets, targets);
        if (!(constantSquares > 0)) {
            throw new BochnerException("all targets are equal: there is nothing to learn a kernel from");
        }
    }

    /** Returns the bytes of the matrices, of the rows, and of the blocks and strips of all threads. */
    public static double bytesNeeded(CriterionKind kind, long rows, int columns, int outputs, int threads) {
        boolean leverages =
                kind == CriterionKind.LEAVE_ONE_OUT || kind == CriterionKind.GCV || kind == CriterionKind.EVIDENCE;
        double matrices = 8.0 * rows * rows * (leverages ? 3 : 2);
        // Blocks of kernel values and of their rows, and the strips of the inverse of the Cholesky factor.
        double blocks = threads * (1e6 + 1e4 * columns + (leverages ? 1600.0 * rows : 0));
        return matrices + blocks + 48.0 * rows * columns + 256.0 * rows * outputs;
    }

    @Override
    public double smallestPenalty() {
        return smallest;
    }

    @Override
    public boolean comparesPenalties() {
        int learned = kind == CriterionKind.VALIDATION ? rows.start(1) : n;
        return learned <= FEW_ROWS && kind != CriterionKind.LEAVE_ONE_OUT;
    }

    @Override
    public Problem prepare(FeatureMap map) {
        return new Problem((UnmappedKernel) map);
    }

    @Override
    public CriterionResult evaluate(FeatureMap map, double asked, boolean moves) {
        Problem problem = prepare(map);
        return problem.evaluate(moves ? smallest + asked : Math.max(smallest, asked));
    }

    /** The criterion of one kernel, whose values stay valid until another problem is prepared. */
    public final class Problem implements PenaltyProblem {
        private final UnmappedKernel kernel;
        private final double trace;

        private Problem(UnmappedKernel kernel) {
            this.kernel = kernel;
            if (kernelValues.length == 0) {
                kernelValues = new double[Math.multiplyExact(n, n)];
                scratch = new double[kernelValues.length];
            }
            rows.fill(kernel.kernel(), kernelValues, workers);
            double sum = 0;
            for (int i = 0; i < n; i++) {
                sum += kernelValues[i * (n + 1)];
            }
            trace = sum;
            if (smallest == 0) {
                // Centring leaves no value in the direction of equal numbers. There, rounding errors of the rows add
                // up,
                // so they are √n times as large as independent ones.
                smallest = Ridge.smallestLambda(trace, 1, Precision.FLOAT64);
            }
        }

        @Override
        public double largestPenalty() {
            return trace;
        }

        /** Descends from the mean of the diagonal, by leave-one-out, or by the criterion if it is cheaper. */
        @Override
        public double usualPenalty(Precision precision) {
            boolean cheap = kind == CriterionKind.CROSS_VALIDATION
                    || kind == CriterionKind.VALIDATION
                    || kind == CriterionKind.EVIDENCE;
            CriterionKind by = cheap ? kind : CriterionKind.LEAVE_ONE_OUT;
            double least = Double.POSITIVE_INFINITY;
            double best = trace / n;
            double penalty = best;
            int worse = 0;
            for (int k = 0; k < PENALTIES && worse < 3 && penalty >= smallest; k++, penalty /= Math.sqrt(10)) {
                double value = value(by, penalty);
                worse = value < least ? 0 : worse + 1;
                best = value < least ? penalty : best;
                least = Math.min(value, least);
            }
            return best;
        }

        private double value(CriterionKind by, double penalty) {
            try {
                return evaluate(by, penalty).value();
            } catch (NotPositiveDefiniteException e) {
                return Double.POSITIVE_INFINITY;
            }
        }

        @Override
        public CriterionResult evaluate(double lambda) {
            return evaluate(kind, lambda);
        }

        private ExactResult evaluate(CriterionKind by, double lambda) {
            ExactSlopes slopes = new ExactSlopes(rows, kernel, workers);
            return switch (by) {
                case TRAIN -> train(lambda, slopes);
                case EVIDENCE -> evidence(lambda, slopes);
                case GCV, LEAVE_ONE_OUT -> leverages(by, lambda, slopes);
                case VALIDATION -> heldOut(List.of(1), lambda, slopes);
                case CROSS_VALIDATION -> {
                    List<Integer> folds = new ArrayList<>();
                    for (int k = 0; k < rows.folds(); k++) {
                        folds.add(k);
                    }
                    yield heldOut(folds, lambda, slopes);
                }
            };
        }

        /** The minimum of Σ w r² + λ|f|², which is λ·yᵀRPα. Its derivative by RKR is −λ·ααᵀ. */
        private ExactResult train(double lambda, ExactSlopes slopes) {
            ExactPart all = new ExactPart(rows, rows.folds());
            double[] alpha = all.factor(kernelValues, lambda, scratch, workers).solution();
            double product = Vectors.dot(alpha, all.targets);
            slopes.add(all.scattered(alpha, -lambda / constantSquares), all.scattered(alpha, 1));
            double norm = product - lambda * Vectors.dot(alpha, alpha);
            return new ExactResult(lambda * product / constantSquares, lambda, lambda * norm / constantSquares, slopes);
        }

        /**
         * The evidence, (R/S)·exp((log det A − n log λ)/(m − 1)), with the minimum R of the training objective, the squares S
         * of a constant prediction, and m rows of weight above 0. The derivative of log det A by RKR is PA⁻¹P, and A⁻¹ is the
         * product of the inverse Cholesky factor with its transpose.
         */
        private ExactResult evidence(double lambda, ExactSlopes slopes) {
            ExactPart all = new ExactPart(rows, rows.folds());
            ExactPart.Fit fit = all.factor(kernelValues, lambda, scratch, workers);
            double[] alpha = fit.solution();
            double product = Vectors.dot(alpha, all.targets);
            double count = -1.0;
            for (double root : rows.roots()) {
                count += root > 0 ? 1 : 0;
            }
            double complexity = Math.exp((fit.cholesky().logDeterminant() - n * Math.log(lambda)) / count);
            double value = lambda * product / constantSquares * complexity;
            slopes.add(all.scattered(alpha, -lambda * complexity / constantSquares), all.scattered(alpha, 1));
            double norm = product - lambda * Vectors.dot(alpha, alpha);
            double degrees = count;
            return new ExactResult(
                    value,
                    lambda,
                    () -> {
                        double[] inverse = fit.cholesky().inverseFactor(workers);
                        double trace = Vectors.dot(inverse, inverse);
                        slopes.addSquare(all.projected(inverse, Math.sqrt(value / degrees)));
                        return complexity * lambda * norm / constantSquares + value * (lambda * trace - n) / degrees;
                    },
                    slopes);
        }

        /**
         * The sum over some folds of the error on the fold, learned from the others. With the derivative e by the
         * weighted scores of the fold H, κ = eᵀs/|s_T| and p = A⁻¹P(K_TH·e − κ·Kŝ), the derivative by RKR is
         * (e on H, −κŝ − p elsewhere)·αᵀ.
         */
        private ExactResult heldOut(List<Integer> folds, double lambda, ExactSlopes slopes) {
            double value = 0;
            double penaltySlope = 0;
            for (int fold : folds) {
                ExactPart part = new ExactPart(rows, fold);
                double scale = kind == CriterionKind.VALIDATION
                        ? part.totalWeight() / (constantSquares * (part.totalWeight() - part.weight))
                        : 1 / constantSquares;
                ExactPart.Fit fit = part.factor(kernelValues, lambda, scratch, workers);
                double[] alpha = fit.solution();
                double[] residuals = fit.heldOut();
                value += scale * Vectors.dot(residuals, residuals);
                Arrays.setAll(residuals, k -> 2 * scale * residuals[k]);
                double[] all = new double[n * outputs];
                penaltySlope -= lambda * Vectors.dot(fit.adjoint(residuals, all), alpha);
                for (int k = 0; k < all.length; k++) {
                    all[k] *= rows.roots()[k / outputs];
                }
                slopes.add(all, part.scattered(alpha, 1));
            }
            return new ExactResult(value, lambda, penaltySlope, slopes);
        }

        /**
         * Leave-one-out, Σ (λα/t)² with t = λ(A⁻¹)ᵢᵢ − ŝᵢ², or generalised cross-validation, with the mean of t in the place
         * of each.
         */
        private ExactResult leverages(CriterionKind by, double lambda, ExactSlopes slopes) {
            ExactPart all = new ExactPart(rows, rows.folds());
            ExactPart.Fit fit = all.factor(kernelValues, lambda, scratch, workers);
            double[] alpha = fit.solution();
            double[] slack = fit.cholesky().inverseDiagonal(workers);
            for (int i = 0; i < n; i++) {
                slack[i] = lambda * slack[i] - all.unit[i] * all.unit[i];
            }
            if (by == CriterionKind.GCV) {
                Arrays.fill(slack, Arrays.stream(slack).average().orElseThrow());
            }
            double value = 0;
            double[] direct = new double[n * outputs];
            double[] pulls = new double[n];
            for (int i = 0; i < n; i++) {
                double perSquare = lambda * lambda / (constantSquares * slack[i] * slack[i]);
                double squares = 0;
                for (int o = 0; o < outputs; o++) {
                    double a = alpha[i * outputs + o];
                    squares += a * a;
                    direct[i * outputs + o] = 2 * perSquare * a;
                }
                value += slack[i] > 0 ? perSquare * squares : Double.POSITIVE_INFINITY;
                pulls[i] = 2 * perSquare * squares / slack[i];
            }
            if (by == CriterionKind.GCV) {
                Arrays.fill(pulls, Arrays.stream(pulls).average().orElseThrow());
            }
            double known = value;
            return new ExactResult(
                    value,
                    lambda,
                    () -> {
                        Leverages leverages = new Leverages(all, fit, lambda, kernelValues, workers)
                                .differentiate(direct, alpha, pulls);
                        slopes.add(leverages.adjoint(), all.scattered(alpha, 1));
                        slopes.addSquare(kernelValues);
                        return 2 * known + leverages.penaltySlope();
                    },
                    slopes);
        }
    }
}
