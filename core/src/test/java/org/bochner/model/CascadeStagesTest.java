package org.bochner.model;

import static org.bochner.model.CascadeFixtures.THREE;
import static org.bochner.model.CascadeFixtures.TWO;
import static org.bochner.model.CascadeFixtures.assertSays;
import static org.bochner.model.CascadeFixtures.points;
import static org.bochner.model.CascadeFixtures.recipe;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.State;
import org.bochner.data.MemorySource;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stages of a cascade: trained models, and those that are usual for rows. */
class CascadeStagesTest {
    private static KernelModel model(String kernel, MemorySource rows) {
        return KernelMachine.of(kernel).withFeatures(60).fit(rows).model();
    }

    private static KernelModel linear(MemorySource rows) {
        return KernelMachine.of("linear").withScaling("standard").fit(rows).model();
    }

    private static BochnerException refused(List<KernelModel> models, MemorySource rows) {
        return assertThrows(
                BochnerException.class,
                () -> KernelModel.cascade(models, rows, 0, Workers.all(), Progress.NONE, new Notes()));
    }

    @Test
    void modelsBecomeACascade() {
        MemorySource rows = points(THREE, 1);
        KernelModel first = linear(rows);
        KernelModel last = model("gaussian(sigma=0.15)", rows);
        KernelModel cascade = KernelModel.cascade(
                List.of(first, last), points(THREE, 2), 0, Workers.all(), Progress.NONE, new Notes());
        assertEquals(2, cascade.stages().size());
        MemorySource others = points(THREE, 3);
        List<CascadeStage> stages = Evaluation.of(cascade, others).stages();
        assertEquals(Evaluation.of(first, others).error(), stages.get(0).errorAlone(), 1e-12);
        assertEquals(Evaluation.of(last, others).error(), stages.get(1).errorAlone(), 1e-12);
        assertTrue(stages.get(0).decided() > 0);
    }

    @Test
    void modelsThatDecideNothingAreLeftOut() {
        // Trained on exchanged labels, the first model is wrong where it is sure.
        MemorySource rows = points(TWO, 1);
        KernelModel wrong = ModelFixtures.load("exchanged", exchanged(linear(rows)));
        KernelModel last = model("gaussian(sigma=0.15)", rows);
        Notes notes = new Notes();
        KernelModel cascade =
                KernelModel.cascade(List.of(wrong, last), points(TWO, 2), 0, Workers.all(), Progress.NONE, notes);
        assertEquals(1, cascade.stages().size());
        assertEquals(1, notes.list().size());
        MemorySource others = points(TWO, 3);
        assertEquals(
                Evaluation.of(last, others).error(),
                Evaluation.of(cascade, others).error());
    }

    @Test
    void modelsThatAreWorseThanAStageBeforeThemAreLeftOut() {
        MemorySource rows = points(TWO, 1);
        KernelModel best = model("gaussian(sigma=0.15)", rows);
        KernelModel wrong = ModelFixtures.load("exchanged", exchanged(linear(rows)));
        Notes notes = new Notes();
        KernelModel cascade = KernelModel.cascade(
                List.of(linear(rows), best, wrong), points(TWO, 2), 0, Workers.all(), Progress.NONE, notes);
        assertEquals(best.map().kernel(), cascade.map().kernel());
        assertTrue(
                notes.list().get(0).text().contains("stage 3"),
                () -> notes.list().toString());
        MemorySource others = points(TWO, 3);
        assertEquals(
                Evaluation.of(best, others).error(),
                Evaluation.of(cascade, others)
                        .stages()
                        .get(cascade.stages().size() - 1)
                        .errorAlone(),
                1e-12);
    }

    /** Returns few points, whose labels agree with a line in two of three cases, by chance. */
    private static MemorySource noisy(int rows, long seed) {
        RandomStream stream = new Seed(seed).stream();
        float[] values = new float[2 * rows];
        int[] classes = new int[rows];
        for (int i = 0; i < rows; i++) {
            values[2 * i] = (float) stream.nextUniform();
            values[2 * i + 1] = (float) stream.nextUniform();
            boolean upper = values[2 * i] + values[2 * i + 1] > 1;
            classes[i] = upper == stream.nextUniform() < 0.67 ? 1 : 0;
        }
        return MemorySource.of(2, values).withClasses(TWO, classes);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.02})
    void countedErrorsNeverExceedTheTolerance(double tolerance) {
        // Models of different noise: which of them is right is chance, so that thresholds of some rows fail on others.
        List<KernelModel> models = List.of(
                linear(noisy(40, 1)), model("gaussian(sigma=0.5)", noisy(40, 2)), model("gaussian", noisy(300, 3)));
        int leftOut = 0;
        for (long seed = 10; seed < 50; seed++) {
            int rows = 60;
            Notes notes = new Notes();
            KernelModel cascade =
                    KernelModel.cascade(models, noisy(rows, seed), tolerance, new Workers(1), Progress.NONE, notes);
            List<CascadeStage> stages = cascade.stages();
            long errors = stages.stream().mapToLong(CascadeStage::wrong).sum();
            long last = stages.get(stages.size() - 1).wrongAlone();
            assertTrue(errors <= last + tolerance * rows, errors + " errors, " + last + " of the last stage");
            leftOut += (int) notes.list().stream()
                    .filter(note -> note.text().contains("too many errors"))
                    .count();
        }
        assertTrue(leftOut > 0 || tolerance > 0, "no stages were left out");
    }

    /** Returns a model of two classes with the opposite scores. */
    private static State exchanged(KernelModel model) {
        double[] weights = model.linear().weights().clone();
        Arrays.setAll(weights, j -> -weights[j]);
        return ModelFixtures.state(model)
                .with("linear.weights", weights, weights.length, 1)
                .with("linear.intercepts", new double[] {-model.linear().intercept(0)});
    }

    @Test
    void modelsMustHaveTheSameClasses() {
        BochnerException e = refused(
                List.of(linear(points(TWO, 1)), model("gaussian(sigma=0.15)", points(THREE, 1))), points(THREE, 2));
        assertSays("stage 1 of the cascade has other classes", e);
        assertSays("'no' is not a class of the last stage", e);
        assertSays("train all stages on the same data", e);
        e = refused(
                List.of(linear(points(List.of("b", "a", "c"), 1)), model("gaussian(sigma=0.15)", points(THREE, 1))),
                points(THREE, 2));
        assertSays("they are in another order", e);
    }

    @Test
    void modelsMustHaveTheSameColumns() {
        float[] values = new float[30];
        Arrays.setAll(new double[30], i -> values[i] = i % 7);
        MemorySource wide = MemorySource.of(3, values).withClasses(THREE, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0);
        BochnerException e =
                refused(List.of(linear(wide), model("gaussian(sigma=0.15)", points(THREE, 1))), points(THREE, 2));
        assertSays("has 3 columns, the last stage has 2", e);
    }

    @Test
    void modelsMustNotBeCascadesOrPredictNumbers() {
        KernelModel cascade = recipe().fit(points(THREE, 1)).model();
        assertSays("is a cascade of 3 stages", refused(List.of(cascade, cascade), points(THREE, 2)));
        MemorySource numbers = MemorySource.of(2, 1, 2, 3, 4, 5, 6).withTargets(1, 2, 4);
        BochnerException e =
                refused(List.of(linear(numbers), model("gaussian(sigma=0.15)", points(THREE, 1))), points(THREE, 2));
        assertSays("a cascade predicts classes", e);
    }

    private static List<String> usualKernels(MemorySource rows, @Nullable Scaling scaling) {
        return KernelMachine.usualStages(rows, scaling).stream()
                .map(stage -> stage.kernel().toString())
                .toList();
    }

    @Test
    void usualStagesDependOnTheValues() {
        assertEquals(List.of("linear", "chi2", "gaussian"), usualKernels(points(THREE, 1), null));
        assertEquals(
                List.of("linear", "chi2", "exp-chi2"),
                usualKernels(MemorySource.of(2, 0.25f, 0.75f, 0.5f, 0.5f).withClasses("a", "b"), null));
        assertEquals(
                List.of("linear", "gaussian"),
                usualKernels(MemorySource.of(2, 1, 2, 3, -4).withClasses("a", "b"), null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"standard", "centre", "min-max", "unit-l1[0:1] + standard[1:2]"})
    void scalingsThatMayGiveNegativeValuesExcludeKernelsOfHistograms(String scaling) {
        assertEquals(List.of("linear", "gaussian"), usualKernels(points(THREE, 1), Scalings.parse(scaling)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "unit-l1", "standard(uncentred)", "divide(by=2)", "unit-l2[0:1] + none[1:2]"})
    void scalingsThatKeepSignsAllowThem(String scaling) {
        assertEquals(List.of("linear", "chi2", "gaussian"), usualKernels(points(THREE, 1), Scalings.parse(scaling)));
    }
}
