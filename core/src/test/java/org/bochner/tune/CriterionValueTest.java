package org.bochner.tune;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bochner.data.RowBlock;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.ridge.Ridge;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.stats.GramStatistics;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Criteria against what their names say, by ridge regression on the rows that they learn from. 60 rows of 12 features with
 * λ = 0.2, trace of the scatter about 60: condition number below 300, so that two ways to compute agree to some
 * 60·300·ε = 4e-12.
 */
class CriterionValueTest {
    private static final double TOLERANCE = 1e-11;

    static Stream<SmallProblem> problems() {
        String gaussian = "gaussian(sigma=0.6)";
        return Stream.of(
                SmallProblem.of(SmallProblem.numbers(), "fourier", gaussian),
                SmallProblem.of(SmallProblem.classes(), "fourier(phase)", gaussian),
                SmallProblem.of(SmallProblem.classes(), "fourier", gaussian).withClassWeights(0.5, 1, 3));
    }

    @ParameterizedTest
    @MethodSource("problems")
    void trainIsTheObjectiveOfRidgeRegression(SmallProblem problem) {
        LinearModel model = problem.fit(row -> true);
        RowBlock rows = SmallProblem.block(problem.source());
        double objective = problem.lambda() * model.squaredNorm();
        for (int i = 0; i < rows.rows(); i++) {
            objective += problem.squaredError(model, rows, i);
        }
        assertNear(objective / problem.squaredErrorOfNothing(), problem, "train");
    }

    @ParameterizedTest
    @MethodSource("problems")
    void validationIsTheErrorOnRowsSetAside(SmallProblem problem) {
        LinearModel model = problem.fit(row -> row % 3 != 1);
        RowBlock rows = SmallProblem.block(problem.source());
        double squares = 0;
        double judged = 0;
        double all = 0;
        for (int i = 0; i < rows.rows(); i++) {
            all += problem.weight(rows, i);
            if (i % 3 == 1) {
                judged += problem.weight(rows, i);
                squares += problem.squaredError(model, rows, i);
            }
        }
        // Mean squares, so that what without features comes to 1 does so for any share.
        assertNear(squares / judged / (problem.squaredErrorOfNothing() / all), problem, "validation");
    }

    @ParameterizedTest
    @MethodSource("problems")
    void crossValidationIsTheErrorOnEachFold(SmallProblem problem) {
        for (int folds : List.of(2, 4)) {
            RowBlock rows = SmallProblem.block(problem.source());
            double squares = 0;
            for (int k = 0; k < folds; k++) {
                int fold = k;
                LinearModel model = problem.fit(row -> row % folds != fold);
                for (int i = k; i < rows.rows(); i += folds) {
                    squares += problem.squaredError(model, rows, i);
                }
            }
            assertNear(squares / problem.squaredErrorOfNothing(), problem, "cv(folds=" + folds + ")");
        }
    }

    @ParameterizedTest
    @MethodSource("problems")
    void leaveOneOutIsTheErrorOnEachRow(SmallProblem problem) {
        RowBlock rows = SmallProblem.block(problem.source());
        double squares = 0;
        for (int i = 0; i < rows.rows(); i++) {
            int left = i;
            squares += problem.squaredError(problem.fit(row -> row != left), rows, i);
        }
        assertNear(squares / problem.squaredErrorOfNothing(), problem, "loo");
    }

    @ParameterizedTest
    @MethodSource("problems")
    void generalisedCrossValidationIsTheScoreOfRidgeRegression(SmallProblem problem) {
        GramStatistics statistics = problem.statistics(row -> true);
        double score = Ridge.validate(statistics, problem.lambda(), SmallProblem.ONE_THREAD)
                .validationError();
        int outputs = OutputCoding.of(problem.source().labels()).count();
        assertNear(score * statistics.totalRowWeight() * outputs / problem.squaredErrorOfNothing(), problem, "gcv");
    }

    /**
     * The likelihood with n×n matrices: the targets have the covariance v(ZZᵀ/λ + diag(1/w)), and the intercept is
     * integrated out. Its matrix has a condition number of about 60/(0.2·0.5)·3, and n² sums: 60²·2000·ε = 2e-9 would be the
     * worst case; typical errors grow with the root of the number of sums, 1e-10.
     */
    @ParameterizedTest
    @MethodSource("problems")
    void evidenceIsTheLikelihoodOfAGaussianProcess(SmallProblem problem) {
        RowBlock rows = SmallProblem.block(problem.source());
        int[] weighed = IntStream.range(0, rows.rows())
                .filter(i -> problem.weight(rows, i) > 0)
                .toArray();
        int n = weighed.length;
        OutputCoding coding = OutputCoding.of(problem.source().labels());
        double[][] z = new double[n][problem.map().outputDimension()];
        double[] row = new double[rows.columns()];
        double[] covariance = new double[n * n];
        double logWeights = 0;
        double totalWeight = 0;
        for (int i = 0; i < n; i++) {
            rows.copyRow(weighed[i], row);
            problem.map().apply(row, z[i]);
            double weight = problem.weight(rows, weighed[i]);
            logWeights += Math.log(weight);
            totalWeight += weight;
            for (int j = 0; j <= i; j++) {
                double product = 0;
                for (int k = 0; k < z[i].length; k++) {
                    product += z[i][k] * z[j][k];
                }
                covariance[j * n + i] = product / problem.lambda() + (i == j ? 1 / weight : 0);
            }
        }
        Cholesky factor = Cholesky.factor(covariance, n, SmallProblem.ONE_THREAD);
        double[] ones = new double[n];
        Arrays.fill(ones, 1);
        factor.solve(ones, 1);
        double precision = Arrays.stream(ones).sum();
        double squares = 0;
        for (int o = 0; o < coding.count(); o++) {
            double[] targets = new double[n];
            double mean = 0;
            for (int i = 0; i < n; i++) {
                targets[i] = coding.target(rows, weighed[i], o);
                mean += ones[i] * targets[i] / precision;
            }
            for (int i = 0; i < n; i++) {
                targets[i] -= mean;
            }
            double[] solved = targets.clone();
            factor.solve(solved, 1);
            for (int i = 0; i < n; i++) {
                squares += targets[i] * solved[i];
            }
        }
        double logRatio = factor.logDeterminant() + Math.log(precision) + logWeights - Math.log(totalWeight);
        double expected = squares / problem.squaredErrorOfNothing() * Math.exp(logRatio / (n - 1));
        assertEquals(expected, problem.value(Criterion.parse("evidence")), 1e-10 * expected);
    }

    private static void assertNear(double expected, SmallProblem problem, String criterion) {
        assertEquals(expected, problem.value(Criterion.parse(criterion)), TOLERANCE * expected, criterion);
    }
}
