package org.bochner.model.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.bochner.base.Notes;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.Labels;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.solve.Training;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.model.file.ModelAccess;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.DualAccumulator;
import org.bochner.stats.SparseTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ridge regression of sparse features with less memory than the matrix of a direct solution takes. */
class WeightFitTest {
    private static final Labels CLASSES = new Labels.Classes(List.of("red", "green", "blue"));
    private static final Workers WORKERS = new Workers(2);

    private record Fitted(LinearFit fit, String notes) {
        boolean iterated() {
            return notes.contains("conjugate gradients");
        }
    }

    private static Fitted fit(SparseTable rows, String learner, long budget) {
        KernelMachine machine = KernelMachine.of("linear")
                .withScaling(Scalings.parse("unit-l1"))
                .withLearner(Learner.parse(learner));
        Transformer transformer = machine.prepare(rows, WORKERS, Progress.NONE, new Notes());
        Notes notes = new Notes();
        TrainingContext context =
                TrainingContext.of(ModelAccess.settings(machine), rows, WORKERS, Progress.NONE, notes);
        WeightFit route = new WeightFit(context, transformer, ClassWeights.none());
        route.whole = new MemoryBudget(budget);
        return new Fitted(route.run().fit(), notes.list().toString());
    }

    private static SparseTable rows(int rows, int columns) {
        return new SparseTable(rows, columns, CLASSES, new Seed(1));
    }

    /** The first rows are fewer than their features, the second ones are more. */
    @ParameterizedTest
    @CsvSource({"600, 700, inner products of 600 rows", "900, 600, Gram matrix of 600 features"})
    void conjugateGradientsFindTheDirectSolutionWhereItsMatrixDoesNotFit(int count, int columns, String matrix) {
        SparseTable rows = rows(count, columns);
        String learner = "ridge(lambda=0.1, tolerance=1e-10)";
        Fitted direct = fit(rows, learner, Long.MAX_VALUE);
        assertFalse(direct.iterated(), direct.notes);
        long budget = 1 + (long) Training.conjugateBytes(columns, 3, WORKERS.threads());
        Fitted iterated = fit(rows, learner, budget);
        assertTrue(iterated.iterated(), iterated.notes);
        assertTrue(iterated.notes.contains(matrix), iterated.notes);
        assertFalse(iterated.notes.contains("in the dual"), iterated.notes);
        assertTrue(iterated.fit.convergence().converged());
        LinearModel expected = direct.fit.model();
        LinearModel found = iterated.fit.model();
        // |β − β*| ≤ tolerance·|b|/λ with |b| ≤ Σ|y − ȳ||z − z̄|, where |y − ȳ| ≤ 2 and |z| ≤ 1; the Gram matrix has
        // products in float32, whose rounding is that of 900 rows of length 1.
        double bound = (1e-10 * 2 * 2 * count + (count > columns ? 900 * 0x1p-24 : 0)) / 0.1;
        for (int o = 0; o < 3; o++) {
            for (int j = 0; j < columns; j++) {
                assertEquals(expected.weight(j, o), found.weight(j, o), bound);
            }
        }
    }

    @Test
    void thePenaltyIsThenChosenOnRowsSetAside() {
        SparseTable rows = rows(600, 700);
        long budget = 1 + (long) Training.conjugateBytes(700, 3, WORKERS.threads());
        Fitted iterated = fit(rows, "ridge", budget);
        assertTrue(iterated.iterated(), iterated.notes);
        assertTrue(iterated.notes.contains("lambda was chosen on rows set aside"), iterated.notes);
        assertTrue(iterated.notes.contains("ridge(lambda=auto, tolerance=1e-4)"), iterated.notes);
        assertTrue(iterated.fit.chosen().lambda() > 0);
        assertTrue(iterated.fit.reason().contains("rows set aside"), iterated.fit.reason());
        assertTrue(iterated.fit.path().size() > 2);
    }

    @Test
    void theMatrixIsTakenWhereItFits() {
        double needed = DualAccumulator.bytesNeeded(600, 0, 700, 3, WORKERS.threads());
        assertFalse(fit(rows(600, 700), "ridge(lambda=0.1)", (long) needed).iterated());
        assertTrue(fit(rows(600, 700), "ridge(lambda=0.1)", (long) needed - 1).iterated());
    }

    @Test
    void aGivenSolverIsKept() {
        long budget = 1 + (long) Training.conjugateBytes(700, 3, WORKERS.threads());
        assertFalse(
                fit(rows(600, 700), "ridge(lambda=0.1, solver=direct)", budget).iterated());
    }

    /** The direct solution then says what it needs, by its own check of the memory. */
    @Test
    void neitherIsTakenWhereBothTakeTooMuch() {
        long budget = (long) Training.conjugateBytes(700, 3, WORKERS.threads()) - 1;
        assertFalse(fit(rows(600, 700), "ridge(lambda=0.1)", budget).iterated());
    }
}
