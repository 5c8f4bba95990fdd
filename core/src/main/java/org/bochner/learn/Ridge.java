package org.bochner.learn;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.data.Labels;
import org.bochner.numeric.Cholesky;
import org.bochner.numeric.NotPositiveDefiniteException;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.stats.GramStatistics;

/**
 * Ridge regression with an unpenalised intercept: the minimiser of {@code Σ w (f(z) − y)² + λ|β|²} with
 * {@code f(z) = βᵀz + b}. The penalty is on the sum, as scikit-learn's {@code alpha} is.
 *
 * <p>Classes are fitted one against all to ±1; of two classes, one function says it all. All outputs share one
 * factorisation.
 *
 * <p>Without a penalty, {@code ridge(lambda=auto)}, it is the one with the least generalised cross-validation score
 * (Golub, Heath and Wahba, 1979, doi:10.1080/00401706.1979.10489751), found by walking down the path.
 *
 * <p>Cost: D³/3 for a penalty that is given; D³ for each that is tried. No pass over the rows.
 */
public final class Ridge {
    private static final double AUTO = Double.NaN;

    private final double lambda;

    private Ridge(double lambda) {
        this.lambda = lambda;
    }

    /** The penalty is chosen from the statistics. */
    public static Ridge auto() {
        return new Ridge(AUTO);
    }

    /** The penalty is given. */
    public static Ridge of(double lambda) {
        return new Ridge(Require.notNegative("ridge", "lambda", lambda));
    }

    /** Reads {@code ridge}, {@code ridge(lambda=auto)} or {@code ridge(lambda=0.1)}. */
    public static Ridge parse(String text) {
        Spelling spelling = Spelling.parse("learner", text);
        if (!spelling.name().equals("ridge")) {
            throw Spelling.unknown("learner", spelling.name(), List.of("ridge"));
        }
        spelling.allow("lambda");
        String lambda = spelling.text("lambda");
        if (lambda == null || lambda.equals("auto")) {
            return auto();
        }
        if (lambda.isEmpty()) {
            throw new SpellingException("ridge: lambda needs a value, as in ridge(lambda=0.1) or ridge(lambda=auto)");
        }
        return of(spelling.number("lambda"));
    }

    /** The penalty; NaN where it is chosen from the statistics. */
    public double lambda() {
        return lambda;
    }

    /** Whether the penalty is chosen from the statistics. */
    public boolean isAuto() {
        return Double.isNaN(lambda);
    }

    /**
     * The smallest penalty for which Gram matrices of that precision are fine enough: 16 times the size that their
     * rounding errors reach. An entry's error is about u·√(HᵢᵢHⱼⱼ), and a D×D matrix of such errors has a norm of about
     * √D of that: u·tr(H)/√D.
     */
    public static double smallestLambda(GramStatistics statistics, Precision precision) {
        return 16 * precision.roundoff() * statistics.scatterTrace() / Math.sqrt(statistics.features());
    }

    /** Fits all outputs; the precision is that of the features from which the statistics were made. */
    public RidgeFit fit(GramStatistics statistics, Precision precision, Workers workers) {
        Require.that(statistics.targets() > 0, "ridge", "the rows have no labels");
        Problem problem = new Problem(statistics, workers);
        double floor = smallestLambda(statistics, precision);
        if (!isAuto()) {
            Solution solution = problem.solve(lambda, false);
            return new RidgeFit(problem.model(solution), solution.point, List.of(solution.point), "lambda was given");
        }
        return new Search(problem, floor, precision).run();
    }

    /** The points of the path at the given penalties, in their order. */
    public static List<RidgePoint> path(GramStatistics statistics, double[] lambdas, Workers workers) {
        Problem problem = new Problem(statistics, workers);
        List<RidgePoint> points = new ArrayList<>();
        for (double lambda : lambdas) {
            Require.positive("ridge path", "lambda", lambda);
            points.add(problem.solve(lambda, true).point);
        }
        return points;
    }

    @Override
    public String toString() {
        return "ridge(lambda=" + (isAuto() ? "auto" : Spelling.print(lambda)) + ")";
    }

    /** The weights at one penalty: D×outputs, row-major. */
    private static final class Solution {
        final RidgePoint point;
        final double[] weights;

        Solution(RidgePoint point, double[] weights) {
            this.point = point;
            this.weights = weights;
        }
    }

    /** The regression problem of the outputs: centred products and scatters of ±1 or numeric targets. */
    private static final class Problem {
        private final GramStatistics statistics;
        private final Workers workers;
        private final int features;
        private final int outputs;
        private final double[] cross;
        private final double[] targetMean;
        private final double[] targetScatter;
        private final double[] matrix;

        Problem(GramStatistics statistics, Workers workers) {
            this.statistics = statistics;
            this.workers = workers;
            features = statistics.features();
            boolean classes = statistics.labels() instanceof Labels.Classes;
            boolean binary = classes && statistics.targets() == 2;
            outputs = binary ? 1 : statistics.targets();
            cross = new double[Math.multiplyExact(features, outputs)];
            targetMean = new double[outputs];
            targetScatter = new double[outputs];
            for (int o = 0; o < outputs; o++) {
                // Of two classes the second is +1. An indicator t becomes the target 2t − 1.
                int target = binary ? 1 : o;
                double[] row = statistics.cross(target);
                double factor = classes ? 2 : 1;
                for (int j = 0; j < features; j++) {
                    cross[j * outputs + o] = factor * row[j];
                }
                targetMean[o] = factor * statistics.targetMean(target) - (classes ? 1 : 0);
                targetScatter[o] = factor * factor * statistics.targetScatter(target);
            }
            matrix = new double[Math.multiplyExact(features, features)];
        }

        /** Solves (H + λI)·w = c for all outputs; the score is NaN unless it is asked for. */
        Solution solve(double lambda, boolean withScore) {
            statistics.copyScatter(lambda, matrix);
            Cholesky factor = factor(lambda);
            double[] weights = cross.clone();
            factor.solve(weights, outputs);
            double residual = 0;
            for (int o = 0; o < outputs; o++) {
                double explained = 0;
                double norm = 0;
                for (int j = 0; j < features; j++) {
                    double w = weights[j * outputs + o];
                    explained += w * cross[j * outputs + o];
                    norm += w * w;
                }
                // |y − Zw|² = |y|² − 2wᵀc + wᵀHw with Hw = c − λw.
                residual += Math.max(0, targetScatter[o] - explained - lambda * norm);
            }
            double error = residual / (statistics.weight() * outputs);
            double freedom = Double.NaN;
            double score = Double.NaN;
            if (withScore) {
                freedom = 1 + features - lambda * factor.inverseTrace(workers);
                double slack = 1 - freedom / statistics.weighedRows();
                score = slack > 0 ? error / (slack * slack) : Double.POSITIVE_INFINITY;
            }
            return new Solution(new RidgePoint(lambda, freedom, error, score), weights);
        }

        private Cholesky factor(double lambda) {
            try {
                return Cholesky.factor(matrix, features, workers);
            } catch (NotPositiveDefiniteException e) {
                throw new BochnerException(
                        "ridge: at lambda=" + Spelling.print(lambda) + " the problem is singular: features depend on"
                                + " each other (pivot " + e.pivot() + " of " + features + "); use a larger lambda,"
                                + " or lambda=auto",
                        e);
            }
        }

        LinearModel model(Solution solution) {
            double[] weights = solution.weights;
            double[] mean = statistics.mean();
            double[] intercepts = targetMean.clone();
            for (int j = 0; j < features; j++) {
                for (int o = 0; o < outputs; o++) {
                    intercepts[o] -= mean[j] * weights[j * outputs + o];
                }
            }
            return new LinearModel(features, outputs, weights, intercepts);
        }
    }

    /**
     * Walks the path by factors of ten from the middle until the score has risen on both sides of the best, then tries
     * the factors of √10 beside it. The score of nearly every problem falls and then rises, so this finds what a whole
     * grid would at a third of the cost.
     */
    private static final class Search {
        private final Problem problem;
        private final double unit;
        private final double floor;
        private final Precision precision;
        private final Map<Integer, Solution> tried = new TreeMap<>();

        /** Penalties are unit·10^(k/2): the unit is the mean of the scatter's diagonal. */
        Search(Problem problem, double floor, Precision precision) {
            this.problem = problem;
            this.unit = problem.statistics.scatterTrace() / problem.features;
            this.floor = floor;
            this.precision = precision;
        }

        RidgeFit run() {
            if (!(unit > 0)) {
                throw new BochnerException(
                        "ridge: the features do not vary over the rows; are all rows equal, or is sigma far too large?");
            }
            int lowest = (int) Math.ceil(2 * StrictMath.log10(floor / unit));
            int highest = 8;
            int best = Math.max(-2, lowest);
            while (true) {
                int next = best;
                for (int k : new int[] {best - 2, best + 2}) {
                    if (k >= lowest && k <= highest && score(k) < score(next)) {
                        next = k;
                    }
                }
                if (next == best) {
                    break;
                }
                best = next;
            }
            for (int k : new int[] {best - 1, best + 1}) {
                if (k >= lowest && k <= highest && score(k) < score(best)) {
                    best = k;
                }
            }
            Solution solution = solution(best);
            List<RidgePoint> path = new ArrayList<>();
            tried.values().forEach(s -> path.add(s.point));
            path.sort(Comparator.comparingDouble(RidgePoint::lambda));
            String edge = "";
            if (best <= lowest) {
                edge = "; it is the smallest the features' precision allows"
                        + (precision == Precision.FLOAT32 ? ", --precision double goes lower" : "");
            }
            return new RidgeFit(
                    problem.model(solution),
                    solution.point,
                    path,
                    "lambda has the least generalised cross-validation score of " + path.size() + " tried" + edge);
        }

        private Solution solution(int k) {
            return tried.computeIfAbsent(k, key -> problem.solve(unit * StrictMath.pow(10, key / 2.0), true));
        }

        private double score(int k) {
            return solution(k).point.score();
        }
    }
}
