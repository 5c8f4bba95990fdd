package org.bochner.learn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.bochner.data.MemorySource;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.tune.GeneralizedMkl;
import org.bochner.tune.MklSolution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Multiple kernel learning on Gram matrices, problem (18), is group lasso on features, problem (19): two solvers that have
 * nothing in common meet in the same minimum.
 *
 * <p>Group lasso has an intercept, and the other has none. So every row comes twice for it, at half the weight: as it is, and
 * with features and target negated, which no loss tells apart.
 */
class KernelsAndGroupsTest {
    private static final int ROWS = 50;
    private static final int GROUPS = 4;
    private static final int SIZE = 3;
    private static final int FEATURES = GROUPS * SIZE;

    static List<Loss> losses() {
        return List.of(
                new Loss.HalfSquare(),
                new Loss.Logistic(),
                new Loss.SquaredHinge(),
                new Loss.SmoothInsensitive(0.1, 4),
                new Loss.Huber(0.5));
    }

    @ParameterizedTest
    @MethodSource("losses")
    void meetInOneMinimum(Loss loss) {
        RandomStream stream = new Seed(12).stream();
        float[] features = new float[2 * ROWS * FEATURES];
        double[] targets = new double[ROWS];
        double[] halves = new double[2 * ROWS];
        int[] classes = new int[2 * ROWS];
        double[] numbers = new double[2 * ROWS];
        for (int i = 0; i < ROWS; i++) {
            for (int j = 0; j < FEATURES; j++) {
                float value = (float) (2 * stream.nextUniform() - 1);
                features[2 * i * FEATURES + j] = value;
                features[(2 * i + 1) * FEATURES + j] = -value;
            }
            double sum =
                    features[2 * i * FEATURES] - 0.5 * features[2 * i * FEATURES + SIZE] + stream.nextUniform() - 0.5;
            targets[i] = loss.forNumbers() && !loss.equals(new Loss.HalfSquare()) ? sum : Math.signum(sum);
            for (int sign = 0; sign < 2; sign++) {
                halves[2 * i + sign] = 0.5;
                numbers[2 * i + sign] = (1 - 2 * sign) * targets[i];
                classes[2 * i + sign] = numbers[2 * i + sign] > 0 ? 1 : 0;
            }
        }
        MemorySource plain = MemorySource.of(FEATURES, features);
        MemorySource labelled =
                loss.forNumbers() ? plain.withTargets(numbers) : plain.withClasses(List.of("no", "yes"), classes);
        Objective objective = Mapped.of(labelled.withWeights(halves)).objective(loss);
        int[] groupOf = new int[FEATURES];
        for (int j = 0; j < FEATURES; j++) {
            groupOf[j] = j / SIZE;
        }
        FeatureGroups groups = FeatureGroups.of(groupOf);
        double largest = Proximal.largest(objective, new Regularizer(0, 0, 1, groups));
        for (double part : new double[] {0.5, 0.1}) {
            double group = part * largest;
            // A group's factor is √size there.
            double lambda = group * Math.sqrt(SIZE);
            Solution lasso = Proximal.solve(
                    objective,
                    new Regularizer(0, 0, group, groups),
                    new Stopping(1e-12, 20_000),
                    objective.start(),
                    Monitor.NONE);
            double c = Math.sqrt(2) / lambda;
            MklSolution kernels =
                    GeneralizedMkl.of(c, loss).withWorkers(new Workers(1)).fit(GROUPS, grams(features)::get, targets);
            double expected = lasso.convergence().objective();
            assertEquals(
                    expected,
                    kernels.objective() / c,
                    1e-9 * expected,
                    kernels.minimum().toString());
            assertSameWeights(lasso, kernels, features);
        }
    }

    private static List<double[]> grams(float[] features) {
        List<double[]> grams = new ArrayList<>();
        for (int g = 0; g < GROUPS; g++) {
            double[] gram = new double[ROWS * ROWS];
            for (int i = 0; i < ROWS; i++) {
                for (int k = 0; k < ROWS; k++) {
                    for (int j = g * SIZE; j < (g + 1) * SIZE; j++) {
                        gram[i * ROWS + k] += (double) features[2 * i * FEATURES + j] * features[2 * k * FEATURES + j];
                    }
                }
            }
            grams.add(gram);
        }
        return grams;
    }

    private static void assertSameWeights(Solution lasso, MklSolution kernels, float[] features) {
        double[] d = kernels.weights();
        double[] a = kernels.coefficients();
        int kept = 0;
        for (int g = 0; g < GROUPS; g++) {
            double squares = 0;
            for (int j = g * SIZE; j < (g + 1) * SIZE; j++) {
                double w = 0;
                for (int i = 0; i < ROWS; i++) {
                    w += d[g] * features[2 * i * FEATURES + j] * a[i];
                }
                // Objectives that agree to 10⁻¹² of some 10, with curvatures of a tenth and more.
                assertEquals(lasso.point()[j], w, 1e-6);
                squares += w * w;
            }
            assertEquals(Math.sqrt(squares / 2), d[g], 1e-6);
            kept += d[g] > 0 ? 1 : 0;
        }
        assertTrue(kept > 0);
    }
}
