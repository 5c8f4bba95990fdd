package org.bochner.map;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Map;
import org.bochner.GoldenTable;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.columns.ByColumn;
import org.bochner.kernel.composed.SkewedKernel;
import org.bochner.kernel.composed.WarpedKernel;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.map.fourier.DenseProjection;
import org.bochner.map.fourier.FourierForm;
import org.bochner.map.fourier.FourierMap;
import org.bochner.map.fourier.WarpedMap;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Cholesky;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Maps and their gradients on the problems of a reference: 6 rows, 4 features with phases, two scales. What lies between
 * the two, ridge regression without an intercept and its adjoint, is written out here in small matrices.
 */
class ScaleLearningGoldenTest {
    private static final double TOLERANCE = 1e-10;
    private static final int COLUMNS = 3;
    private static final int FEATURES = 4;

    private final double lambda = number("lambda");
    private final double rho = number("rho");
    private final double[] sigma = numbers("all", "sigma");
    private final double[][] learned = rows("x");
    private final double[][] judged = rows("x_judged");
    private final double[] targets = numbers("all", "y");
    private final double[] judgedTargets = numbers("all", "y_judged");

    private static double[] numbers(String kernel, String quantity) {
        for (Map<String, String> row : GoldenTable.read("skl_reduced.csv")) {
            if (GoldenTable.text(row, "kernel").equals(kernel)
                    && GoldenTable.text(row, "quantity").equals(quantity)) {
                return GoldenTable.numbers(row, "numbers");
            }
        }
        throw new IllegalArgumentException(quantity + " of " + kernel);
    }

    private static double number(String quantity) {
        return numbers("all", quantity)[0];
    }

    private static double[][] rows(String quantity) {
        double[] all = numbers("all", quantity);
        double[][] rows = new double[all.length / COLUMNS][];
        Arrays.setAll(rows, i -> Arrays.copyOfRange(all, i * COLUMNS, (i + 1) * COLUMNS));
        return rows;
    }

    /** One a column: columns 0 and 1 share the first scale. */
    private Bandwidth lengths() {
        return Bandwidth.ofColumns(1 / sigma[0], 1 / sigma[0], 1 / sigma[1]);
    }

    private FeatureMap map(String name) {
        Bandwidth powers = Bandwidth.ofColumns(sigma[0], sigma[0], sigma[1]);
        ByColumn c = ByColumn.of(number("c"));
        return switch (name) {
            case "gaussian" -> fourier(new Gaussian(lengths()));
            case "skewed-chi2" -> warped(new SkewedKernel(SkewedKernel.Kind.CHI2, c, powers));
            case "skewed-intersection" -> warped(new SkewedKernel(SkewedKernel.Kind.INTERSECTION, c, powers));
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static WarpedMap warped(WarpedKernel kernel) {
        return new WarpedMap(fourier(kernel.kernel()), kernel);
    }

    /** The map of the frequencies at the reference's uniform numbers. */
    private static FourierMap fourier(ShiftInvariantKernel kernel) {
        return new FourierMap(
                kernel,
                DenseProjection.of(unitFrequencies(kernel), kernel, COLUMNS),
                FourierForm.PHASE,
                numbers("all", "b"));
    }

    private static double[] unitFrequencies(ShiftInvariantKernel kernel) {
        double[] uniform = numbers("all", "u");
        double[] unit = new double[uniform.length];
        Arrays.setAll(unit, i -> kernel.spectrum().quantile(i % COLUMNS, uniform[i]));
        return unit;
    }

    private static double[][] features(FeatureMap map, double[][] rows) {
        double[][] features = new double[rows.length][FEATURES];
        for (int i = 0; i < rows.length; i++) {
            map.apply(rows[i], features[i]);
        }
        return features;
    }

    /** Σ over the rows of ⟨cotangent, ∂φ⟩, by the two scales. */
    private static double[] contract(FeatureMap map, double[][] rows, double[][] cotangents) {
        MapGradient gradient = map.parameters(ParameterKind.SCALES).gradient();
        for (int i = 0; i < rows.length; i++) {
            gradient.add(rows[i], cotangents[i]);
        }
        double[] byColumn = gradient.values();
        return new double[] {byColumn[0] + byColumn[1], byColumn[2]};
    }

    /** Q = ZᵀZ + 2λI, factored. */
    private Cholesky factor(double[][] z) {
        double[] q = new double[FEATURES * FEATURES];
        for (int j = 0; j < FEATURES; j++) {
            q[j * (FEATURES + 1)] = 2 * lambda;
            for (int k = 0; k < FEATURES; k++) {
                for (double[] row : z) {
                    q[j * FEATURES + k] += row[j] * row[k];
                }
            }
        }
        return Cholesky.factor(q, FEATURES, new Workers(1));
    }

    /** Q⁻¹·Zᵀ·a. */
    private static double[] solve(Cholesky factor, double[][] z, double[] a) {
        double[] solution = new double[FEATURES];
        for (int i = 0; i < z.length; i++) {
            for (int j = 0; j < FEATURES; j++) {
                solution[j] += a[i] * z[i][j];
            }
        }
        factor.solve(solution, 1);
        return solution;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int j = 0; j < a.length; j++) {
            sum += a[j] * b[j];
        }
        return sum;
    }

    private static double[] residuals(double[][] z, double[] w, double[] y) {
        double[] residuals = new double[y.length];
        Arrays.setAll(residuals, i -> dot(z[i], w) - y[i]);
        return residuals;
    }

    @ParameterizedTest
    @ValueSource(strings = {"gaussian", "skewed-chi2", "skewed-intersection"})
    void frequenciesAndFeaturesAreTheReferences(String name) {
        FeatureMap map = map(name);
        FourierMap fourier = map instanceof WarpedMap warped ? warped.map() : (FourierMap) map;
        assertNear(numbers(name, "h"), fourier.unitFrequencies());
        assertNear(
                numbers(name, "Psi"),
                Arrays.stream(features(map, learned))
                        .flatMapToDouble(Arrays::stream)
                        .toArray());
    }

    @ParameterizedTest
    @ValueSource(strings = {"gaussian", "skewed-chi2", "skewed-intersection"})
    void theTrainingObjectiveAndItsGradientAreTheReferences(String name) {
        FeatureMap map = map(name);
        double[][] z = features(map, learned);
        double[] w = solve(factor(z), z, targets);
        double[] residuals = residuals(z, w, targets);
        assertNear(numbers(name, "w"), w);
        assertNear(numbers(name, "residual"), residuals);
        double objective = dot(residuals, residuals) / 2 + lambda * dot(w, w) + rho * dot(sigma, sigma);
        assertEquals(numbers(name, "objective")[0], objective, TOLERANCE);
        double[][] cotangents = new double[z.length][FEATURES];
        for (int i = 0; i < z.length; i++) {
            for (int j = 0; j < FEATURES; j++) {
                cotangents[i][j] = residuals[i] * w[j];
            }
        }
        double[] gradient = contract(map, learned, cotangents);
        double[] byLogarithm = new double[2];
        for (int b = 0; b < 2; b++) {
            gradient[b] += 2 * rho * sigma[b];
            byLogarithm[b] = sigma[b] * gradient[b];
        }
        assertNear(numbers(name, "grad_sigma_training"), gradient);
        assertNear(numbers(name, "grad_log_sigma_training"), byLogarithm);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gaussian", "skewed-chi2", "skewed-intersection"})
    void theValidationErrorAndItsGradientAreTheReferences(String name) {
        FeatureMap map = map(name);
        double[][] z = features(map, learned);
        double[][] zJudged = features(map, judged);
        Cholesky factor = factor(z);
        double[] w = solve(factor, z, targets);
        double[] slopes = residuals(zJudged, w, judgedTargets);
        double[] adjoint = solve(factor, zJudged, slopes);
        double[] residuals = residuals(z, w, targets);
        assertEquals(numbers(name, "validation_half_sq_error")[0], dot(slopes, slopes) / 2, TOLERANCE);
        double[][] ofLearned = new double[z.length][FEATURES];
        double[][] ofJudged = new double[zJudged.length][FEATURES];
        for (int j = 0; j < FEATURES; j++) {
            for (int i = 0; i < z.length; i++) {
                ofLearned[i][j] = -residuals[i] * adjoint[j] - dot(z[i], adjoint) * w[j];
            }
            for (int i = 0; i < zJudged.length; i++) {
                ofJudged[i][j] = slopes[i] * w[j];
            }
        }
        double[] gradient = contract(map, learned, ofLearned);
        double[] direct = contract(map, judged, ofJudged);
        for (int b = 0; b < 2; b++) {
            gradient[b] += direct[b];
        }
        assertNear(numbers(name, "grad_sigma_validation"), gradient);
    }

    /** Relative to the largest of them, where that is above 1. */
    private static void assertNear(double[] expected, double[] actual) {
        double size = Math.max(1, Arrays.stream(expected).map(Math::abs).max().orElseThrow());
        assertArrayEquals(expected, actual, TOLERANCE * size);
    }
}
