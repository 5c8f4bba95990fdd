package org.bochner.learn.solve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.bochner.data.MemorySource;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.Monitor;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Group lasso on features, problem (19), is multiple kernel learning on Gram matrices, problem (18): its minimum satisfies the
 * optimality conditions of the other problem.
 *
 * <p>Group lasso has an intercept, and problem (18) has none. Therefore every row comes twice, at half the weight: as it is,
 * and with features and target negated.
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
    void haveOneMinimum(Loss.PerScore loss) {
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
        Objective objective = Mapped.of(labelled.withRowWeights(halves)).objective(loss);
        int[] groupOf = new int[FEATURES];
        for (int j = 0; j < FEATURES; j++) {
            groupOf[j] = j / SIZE;
        }
        FeatureGroups groups = FeatureGroups.of(groupOf);
        double largest = ProximalGradient.largest(objective, new Regularizer(0, 0, 1, groups));
        for (double part : new double[] {0.5, 0.1}) {
            double group = part * largest;
            // A group's factor is √size there.
            double lambda = group * Math.sqrt(SIZE);
            Solution lasso = ProximalGradient.solve(
                    objective,
                    new Regularizer(0, 0, group, groups),
                    new StoppingRule(1e-12, 20_000),
                    objective.start(),
                    Monitor.NONE);
            assertMinimum(loss, Math.sqrt(2) / lambda, lasso, features, targets);
        }
    }

    /**
     * Asserts the optimality conditions of problem (18) at dⱼ = |wⱼ|/√2 and aᵢ = −C·ℓ′(f(xᵢ), yᵢ): wⱼ = dⱼ·Φⱼa, and
     * ½aᵀKⱼa is 1 for kernels with weight, and at most 1 for the others. The problem is convex, so these are sufficient.
     */
    private static void assertMinimum(
            Loss.PerScore loss, double c, Solution lasso, float[] features, double[] targets) {
        double[] w = lasso.point();
        double[] a = new double[ROWS];
        double objective = 0;
        for (int i = 0; i < ROWS; i++) {
            double score = 0;
            for (int j = 0; j < FEATURES; j++) {
                score += features[2 * i * FEATURES + j] * w[j];
            }
            a[i] = -c * loss.slope(score, targets[i]);
            objective += c * loss.value(score, targets[i]);
        }
        int kept = 0;
        for (int g = 0; g < GROUPS; g++) {
            double[] products = new double[SIZE];
            double norm = 0;
            double pull = 0;
            for (int l = 0; l < SIZE; l++) {
                for (int i = 0; i < ROWS; i++) {
                    products[l] += features[2 * i * FEATURES + g * SIZE + l] * a[i];
                }
                norm = Math.hypot(norm, w[g * SIZE + l]);
                pull += products[l] * products[l] / 2;
            }
            double d = norm / Math.sqrt(2);
            // Objectives that agree to 10⁻¹² of some 10, with curvatures of a tenth and more.
            for (int l = 0; l < SIZE; l++) {
                assertEquals(w[g * SIZE + l], d * products[l], 1e-6);
            }
            if (d > 0) {
                kept++;
                objective += norm * norm / (2 * d) + d;
                assertEquals(1, pull, 1e-5);
            } else {
                assertTrue(pull <= 1 + 1e-9, () -> "a kernel without weight would gain by it");
            }
        }
        assertTrue(kept > 0);
        double expected = c * lasso.convergence().objective();
        assertEquals(expected, objective, 1e-9 * expected);
    }
}
