package org.bochner.learn.exact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import libsvm.svm;
import libsvm.svm_model;
import libsvm.svm_node;
import libsvm.svm_parameter;
import libsvm.svm_problem;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.learn.Convergence;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.LinearModel;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.ExactRows;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exact support vector machines have the objective of LIBSVM and meet the conditions of optimality. */
class SupportMachineTest {
    private static final int ROWS = 160;
    private static final int COLUMNS = 3;
    private static final double TOLERANCE = 1e-6;
    private static final long CACHE = 1L << 20;

    @BeforeAll
    static void silenceReference() {
        svm.svm_set_print_string_function(text -> {});
    }

    private static MemorySource rows(long seed) {
        RandomStream stream = new Seed(seed).stream();
        float[] values = new float[ROWS * COLUMNS];
        for (int k = 0; k < values.length; k++) {
            values[k] = (float) stream.nextUniform();
        }
        return MemorySource.of(COLUMNS, values);
    }

    private static MemorySource classes(long seed) {
        RandomStream stream = new Seed(seed).derive("labels").stream();
        MemorySource rows = rows(seed);
        RowBlock block = load(rows.withTargets(new double[ROWS])).rows();
        double[] x = new double[COLUMNS];
        int[] classes = new int[ROWS];
        for (int i = 0; i < ROWS; i++) {
            block.copyRow(i, x);
            classes[i] = x[0] * x[1] + 0.3 * stream.nextUniform() > 0.4 ? 1 : 0;
        }
        return rows.withClasses(List.of("low", "high"), classes);
    }

    private static MemorySource numbers(long seed) {
        RandomStream stream = new Seed(seed).derive("labels").stream();
        MemorySource rows = rows(seed);
        RowBlock block = load(rows.withTargets(new double[ROWS])).rows();
        double[] x = new double[COLUMNS];
        double[] targets = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            block.copyRow(i, x);
            targets[i] = Math.sin(4 * x[0]) + x[1] + 0.3 * stream.nextGaussian();
        }
        return rows.withTargets(targets);
    }

    private static ExactRows load(MemorySource source) {
        return ExactRows.load(
                source, Scalings.none().fit(source, Workers.all()), Kernels.gaussian(1), ClassWeights.none());
    }

    private static SupportMachine machine(ExactRows rows, Kernel kernel, String learner, long cache) {
        Learner tight = Learner.parse(learner).withTolerance(TOLERANCE);
        return new SupportMachine(rows, kernel, tight, cache, Workers.all(), (trying, iteration) -> true);
    }

    private static double[][] matrix(ExactRows rows, Kernel kernel) {
        double[][] x = new double[ROWS][COLUMNS];
        for (int i = 0; i < ROWS; i++) {
            rows.rows().copyRow(i, x[i]);
        }
        double[][] matrix = new double[ROWS][ROWS];
        for (int i = 0; i < ROWS; i++) {
            for (int j = 0; j < ROWS; j++) {
                matrix[i][j] = kernel.value(x[i], x[j]);
            }
        }
        return matrix;
    }

    /** Returns the scores of LIBSVM, with precomputed kernel values, and its dual objective in the last place. */
    private static double[] reference(double[][] matrix, double[] y, double c, double epsilon) {
        svm_problem problem = new svm_problem();
        problem.l = ROWS;
        problem.y = y;
        problem.x = new svm_node[ROWS][ROWS + 1];
        for (int i = 0; i < ROWS; i++) {
            for (int j = 0; j <= ROWS; j++) {
                svm_node node = new svm_node();
                node.index = j;
                node.value = j == 0 ? i + 1 : matrix[i][j - 1];
                problem.x[i][j] = node;
            }
        }
        svm_parameter parameters = new svm_parameter();
        parameters.svm_type = epsilon < 0 ? svm_parameter.C_SVC : svm_parameter.EPSILON_SVR;
        parameters.kernel_type = svm_parameter.PRECOMPUTED;
        parameters.C = c;
        parameters.p = epsilon;
        parameters.eps = TOLERANCE;
        parameters.cache_size = 10;
        parameters.shrinking = 1;
        parameters.weight_label = new int[0];
        parameters.weight = new double[0];
        svm_model model = svm.svm_train(problem, parameters);
        double sign = epsilon < 0 && model.label[0] < 0 ? -1 : 1;
        double[] scores = new double[ROWS + 1];
        double[] fitted = new double[1];
        double linear = 0;
        double quadratic = 0;
        for (int i = 0; i < ROWS; i++) {
            svm.svm_predict_values(model, problem.x[i], fitted);
            scores[i] = sign * fitted[0];
        }
        for (int s = 0; s < model.l; s++) {
            int i = model.sv_indices[s] - 1;
            double beta = sign * model.sv_coef[0][s];
            linear += Math.max(0, epsilon) * Math.abs(beta) - y[i] * beta;
            for (int t = 0; t < model.l; t++) {
                quadratic += model.sv_coef[0][s] * model.sv_coef[0][t] * matrix[i][model.sv_indices[t] - 1];
            }
        }
        scores[ROWS] = quadratic / 2 + linear;
        return scores;
    }

    private static double[] scores(SupportMachine.Fit fit, double[][] matrix) {
        LinearModel model = fit.fit().model();
        double[] scores = new double[ROWS];
        Arrays.setAll(scores, i -> model.intercept(0));
        for (int s = 0; s < fit.support().length; s++) {
            for (int i = 0; i < ROWS; i++) {
                scores[i] += model.weight(s, 0) * matrix[i][fit.support()[s]];
            }
        }
        return scores;
    }

    private static void requireEqual(
            double[] expected, SupportMachine.Fit fit, double[][] matrix, double[] y, double c, double epsilon) {
        Convergence end = fit.fit().convergence();
        assertEquals(Convergence.End.CONVERGED, end.end());
        LinearModel model = fit.fit().model();
        double objective = 0;
        double sum = 0;
        double[] fitted = scores(fit, matrix);
        for (int s = 0; s < fit.support().length; s++) {
            int i = fit.support()[s];
            double beta = model.weight(s, 0);
            sum += Math.abs(beta);
            objective += beta * ((fitted[i] - model.intercept(0)) / 2 - y[i]) + Math.max(0, epsilon) * Math.abs(beta);
        }
        assertEquals(expected[ROWS], objective, 1e-6 * Math.abs(expected[ROWS]));
        // The reported objective has the rounding of kernel values in float32.
        assertEquals(expected[ROWS], -end.objective() * c, 1e-6 * Math.abs(expected[ROWS]) + 0x1p-24 * sum * sum / 2);
        double[] scores = scores(fit, matrix);
        for (int i = 0; i < ROWS; i++) {
            // The function is unique; both solvers stop within the tolerance of the slopes.
            assertEquals(expected[i], scores[i], 1e-4, "row " + i);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "gaussian(sigma=0.5); 1; 1",
                "gaussian(sigma=0.5); 100; 2",
                "laplacian(sigma=1); 0.1; 3",
                "laplacian(sigma=1); 10; 4",
                "chi2; 1; 5",
                "chi2; 30; 6",
                "polynomial(gamma=1, degree=2, c=1); 1; 7",
                "linear; 1; 8"
            })
    void classesHaveTheObjectiveOfLibsvm(String spelling, double c, long seed) {
        Kernel kernel = Kernels.parse(spelling);
        ExactRows rows = load(classes(seed));
        double[][] matrix = matrix(rows, kernel);
        double[] y = new double[ROWS];
        Arrays.setAll(y, i -> 2 * rows.rows().target(i, 0) - 1);
        SupportMachine.Fit fit =
                machine(rows, kernel, "svm(C=" + c + ")", CACHE).fit();
        requireEqual(reference(matrix, y, c, -1), fit, matrix, y, c, -1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "gaussian(sigma=0.5); 1; 0.1; 1",
                "gaussian(sigma=0.5); 20; 0.3; 2",
                "laplacian(sigma=1); 5; 0.05; 3",
                "chi2; 10; 0.1; 4",
                "gaussian(sigma=1); 1; 0; 5"
            })
    void numbersHaveTheObjectiveOfLibsvm(String spelling, double c, double epsilon, long seed) {
        Kernel kernel = Kernels.parse(spelling);
        ExactRows rows = load(numbers(seed));
        double[][] matrix = matrix(rows, kernel);
        double[] y = new double[ROWS];
        Arrays.setAll(y, i -> rows.rows().target(i, 0));
        SupportMachine.Fit fit = machine(rows, kernel, "svr(C=" + c + ", epsilon=" + epsilon + ")", CACHE)
                .fit();
        requireEqual(reference(matrix, y, c, epsilon), fit, matrix, y, c, epsilon);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, 1, 50})
    void conditionsOfOptimalityHoldForClasses(double c) {
        Kernel kernel = Kernels.gaussian(0.5);
        RandomStream stream = new Seed(3).stream();
        double[] weights = new double[ROWS];
        Arrays.setAll(weights, i -> i % 7 == 0 ? 0 : 0.5 + stream.nextUniform());
        ExactRows rows = load(classes(9).withRowWeights(weights));
        int kept = rows.count();
        assertEquals(ROWS - (ROWS + 6) / 7, kept);
        SupportMachine.Fit fit =
                machine(rows, kernel, "svm(C=" + c + ")", CACHE).fit();
        double[] beta = new double[kept];
        for (int s = 0; s < fit.support().length; s++) {
            beta[fit.support()[s]] = fit.fit().model().weight(s, 0);
        }
        assertEquals(0, Arrays.stream(beta).sum(), 1e-9 * c * kept);
        double[] x = new double[COLUMNS];
        double[] z = new double[COLUMNS];
        for (int i = 0; i < kept; i++) {
            rows.rows().copyRow(i, x);
            double score = fit.fit().model().intercept(0);
            for (int j = 0; j < kept; j++) {
                rows.rows().copyRow(j, z);
                score += beta[j] * kernel.value(x, z);
            }
            double y = 2 * rows.rows().target(i, 0) - 1;
            double alpha = y * beta[i];
            double most = c * rows.rows().rowWeight(i);
            assertTrue(alpha >= 0 && alpha <= most, () -> "a coefficient is outside its bounds: " + alpha);
            // The kept values are float32.
            double slack = 1e-4;
            assertTrue(alpha < most ? y * score >= 1 - slack : y * score <= 1 + slack);
            assertTrue(alpha > 0 ? y * score <= 1 + slack : y * score >= 1 - slack);
        }
    }

    @Test
    void memoryForKeptValuesDoesNotChangeTheSolution() {
        ExactRows rows = load(classes(11));
        Kernel kernel = Kernels.gaussian(0.5);
        SupportMachine.Fit all = machine(rows, kernel, "svm(C=10)", CACHE).fit();
        SupportMachine.Fit few = machine(rows, kernel, "svm(C=10)", 0).fit();
        assertEquals(
                Arrays.toString(all.fit().model().weights()),
                Arrays.toString(few.fit().model().weights()));
    }

    @Test
    void rowsOfOneClassGiveAConstant() {
        ExactRows rows = load(rows(1).withClasses(List.of("a", "b"), new int[ROWS]));
        SupportMachine.Fit fit =
                machine(rows, Kernels.gaussian(0.5), "svm(C=1)", CACHE).fit();
        assertEquals(0, fit.fit().model().nonZeros());
        assertEquals(-1, fit.fit().model().intercept(0));
    }

    @Test
    void equalNumbersGiveAConstant() {
        double[] targets = new double[ROWS];
        Arrays.fill(targets, 3);
        SupportMachine.Fit fit = machine(
                        load(rows(1).withTargets(targets)), Kernels.gaussian(0.5), "svr(C=1, epsilon=0.1)", CACHE)
                .fit();
        assertEquals(3, fit.fit().model().intercept(0), 0.1);
    }
}
