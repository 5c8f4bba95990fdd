package org.bochner.tune;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.learn.Learner;
import org.bochner.learn.solve.Formulation;
import org.bochner.model.KernelMachine;
import org.bochner.model.Transformer;
import org.bochner.numeric.Precision;
import org.bochner.stats.ClassWeights;
import org.bochner.tune.folds.FoldedRows;
import org.bochner.tune.scales.HoldoutLossCriterion;
import org.bochner.tune.scales.Parametrization;
import org.bochner.tune.scales.ScaleObjective;
import org.bochner.tune.scales.ScalePenalty;
import org.bochner.tune.scales.TargetTotals;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HoldoutLossCriterionTest {
    private static RowSource source(String learner, int rows) {
        Learner parsed = Learner.parse(learner);
        if (Formulation.of(parsed).loss().forNumbers()) {
            return Problems.numbers(rows, 3);
        }
        return Problems.classes(rows, parsed.name().equals("softmax") ? 3 : 2, 3);
    }

    private static ScaleObjective objective(
            String kernel, Sharing sharing, String spelling, boolean findsStrength, Parametrization[] moves) {
        KernelMachine machine = Problems.machine(kernel, 12, spelling);
        RowSource source = source(spelling, 60);
        Transformer transformer = Problems.prepare(machine, source);
        moves[0] = Problems.moves(transformer.map(), sharing);
        FoldedRows rows = Problems.rows(source, transformer, 2);
        TargetTotals parts = TargetTotals.sum(rows, ClassWeights.none());
        HoldoutLossCriterion judge = new HoldoutLossCriterion(
                rows,
                parts,
                machine.learner(),
                parts.totalRowWeight(0) + parts.totalRowWeight(1),
                ClassWeights.none(),
                Precision.FLOAT64,
                1e-12,
                Long.MAX_VALUE);
        return new ScaleObjective(
                moves[0],
                ScalePenalty.NONE,
                judge,
                findsStrength ? Double.NaN : machine.learner().lambda());
    }

    @Nested
    class Gradients {
        // The weights are solved to 1e-11 of the first gradient, and the adjoint to as much, in features that are
        // summed in
        // float64; differences with steps of 1e-4 divide that by the step: 1e-7. Squared hinges and Huber's loss have
        // second
        // derivatives that jump where a row crosses their kink; in so small a step hardly any does.
        @ParameterizedTest
        @CsvSource(
                delimiter = ';',
                value = {
                    "gaussian; logistic(l2=0.3)",
                    "laplacian; softmax(l2=0.3)",
                    "skewed-chi2(c=0.1); svr(C=2, epsilon=0.1, gamma=8)",
                    "exp-chi2; softmax(l2=0.3)",
                    "gaussian; huber(l2=0.3)",
                    "laplacian; logistic(l2=0.3)",
                    "skewed-chi2(c=0.1); svm(C=2, loss=squared-hinge)",
                    "exp-chi2; logistic(l2=0.3)"
                })
        void areThoseOfFiniteDifferences(String kernel, String learner) {
            for (Sharing sharing : new Sharing[] {Sharing.ONE, Sharing.RANGE, Sharing.COLUMN}) {
                Parametrization[] moves = new Parametrization[1];
                ScaleObjective objective = objective(kernel, sharing, learner, true, moves);
                double[] point = new double[objective.size()];
                point[point.length - 1] = Math.log(0.3);
                double error = Problems.gradientError(objective, point, point.length);
                assertTrue(error < 1e-6, () -> sharing + ": " + error);
            }
        }
    }

    @Nested
    class Learning {
        @Tag("long")
        @ParameterizedTest
        @CsvSource(
                delimiter = ';',
                value = {
                    "logistic(l2=0.5)",
                    "softmax(l2=0.5)",
                    "svm(C=2, loss=squared-hinge)",
                    "svr(C=1, epsilon=0.1, gamma=10)",
                    "huber(l2=0.5)"
                })
        void losesLessOnRowsSetAside(String learner) {
            LearnedKernel learned = KernelLearning.of(Problems.machine("gaussian(sigma=3)", 60, learner))
                    .withSharing(Sharing.COLUMN)
                    .withCriterion(Criterion.parse("validation"))
                    .withIterations(8)
                    .learn(source(learner, 300));
            assertTrue(learned.after() < 0.9 * learned.before());
            assertEquals(
                    Learner.parse(learner).lambda(),
                    learned.trained().report().learner().lambda());
        }

        /** Strengths that are left to the data move together with the scales. */
        @Test
        void findsTheStrengthToo() {
            LearnedKernel learned = KernelLearning.of(Problems.machine("gaussian(sigma=0.3)", 60, "logistic"))
                    .withSharing(Sharing.ONE)
                    .withCriterion(Criterion.parse("validation"))
                    .learn(source("logistic", 300));
            assertTrue(learned.after() < learned.before());
            Learner used = learned.trained().report().learner();
            assertEquals(learned.lambda(), used.lambda());
        }

        @Test
        void saysWhereRidgeRegressionJudgesInstead() {
            LearnedKernel learned = KernelLearning.of(Problems.machine("gaussian(sigma=1)", 20, "svm(C=1)"))
                    .withCriterion(Criterion.parse("validation"))
                    .withIterations(2)
                    .learn(source("svm", 100));
            assertTrue(learned.notes().stream().anyMatch(note -> note.text().contains("ridge regression")));
        }
    }

    @Nested
    class BadInput {
        /** Of 40 rows one is of the second class: it is in one of the parts, and the other has one class. */
        @Test
        void rejectsPartsOfOneClass() {
            float[] values = new float[80];
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) Math.sin(i);
            }
            int[] classes = new int[40];
            classes[7] = 1;
            RowSource source = MemorySource.of(2, values).withClasses(List.of("many", "few"), classes);
            for (String learner : List.of("logistic(l2=1)", "ridge")) {
                BochnerException thrown = assertThrows(
                        BochnerException.class,
                        () -> KernelLearning.of(Problems.machine("gaussian(sigma=1)", 20, learner))
                                .withCriterion(Criterion.parse("validation"))
                                .learn(source));
                String message = String.valueOf(thrown.getMessage());
                assertTrue(message.contains("are of one class, many"), message);
            }
        }
    }
}
