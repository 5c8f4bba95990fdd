package org.bochner.model.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.bochner.base.Notes;
import org.bochner.data.MemorySource;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.sample.RowView;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.learn.Learner;
import org.bochner.map.FeatureMaps;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.model.TrainingResult;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The map {@code auto} of a rough kernel is chosen by the number of rows. */
class RoughMapTest {
    private static final int COLUMNS = 4;

    private static MemorySource rows(int count) {
        return MemorySource.of(1, new float[count]).withTargets(new double[count]);
    }

    private static TrainingSettings settings(String kernel) {
        return new TrainingSettings(Kernels.recipe(kernel));
    }

    private static String map(TrainingSettings settings, RowSource rows) {
        return RoughMap.choose(settings, rows, new Workers(1), new Notes()).map.toString();
    }

    @Nested
    class ByTheRows {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "60      | none",
                    "10001   | landmarks(features=2000)",
                    "100000  | landmarks(features=2000)",
                    "100001  | auto"
                })
        void isExactThenLandmarksThenRandom(int count, String expected) {
            assertEquals(expected, map(settings("matern(nu=0.5)"), rows(count)));
        }

        @Test
        void ofAnUnknownNumberCountsThem() {
            RowSource unknown = new RowView(rows(60)) {
                @Override
                public long rows() {
                    return -1;
                }

                @Override
                public RowCursor open() {
                    return source.open();
                }
            };
            assertEquals("none", map(settings("laplacian"), unknown));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "laplacian",
                "stable(p=2, q=1.5)",
                "matern(nu=1)",
                "matern(nu=0.05)",
                "2*laplacian",
                "laplacian(sigma=1) + stable(sigma=2)",
                "laplacian[0:1]"
            })
    void roughKernelsAreThoseWithHeavyTails(String kernel) {
        assertEquals("none", map(settings(kernel), rows(60)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gaussian",
                "matern",
                "cauchy",
                "stable(p=2, q=2)",
                "gaussian(sigma=1) + laplacian(sigma=1)",
                "laplacian@log(c=1)",
                "chi2"
            })
    void otherKernelsKeepTheirMap(String kernel) {
        TrainingSettings settings = settings(kernel);
        assertSame(settings, RoughMap.choose(settings, rows(60), new Workers(1), new Notes()));
    }

    @Nested
    class OtherSettings {
        private final TrainingSettings settings = settings("laplacian");

        @Test
        void aGivenNumberOfFeaturesIsThatOfLandmarks() {
            settings.features = OptionalInt.of(30);
            assertEquals("landmarks", map(settings, rows(60)));
        }

        @Test
        void moreFeaturesThanRowsAreRandom() {
            settings.features = OptionalInt.of(61);
            assertEquals("auto", map(settings, rows(60)));
        }

        @Test
        void otherLearnersHaveLandmarks() {
            settings.learner = Learner.parse("svm");
            assertEquals("landmarks(features=60)", map(settings, rows(60)));
            settings.learner = Learner.parse("ridge(solver=cg)");
            assertEquals("landmarks(features=60)", map(settings, rows(60)));
        }

        @Test
        void sparseLearnersHaveRandomFeatures() {
            settings.learner = Learner.parse("lasso");
            assertEquals("auto", map(settings, rows(60)));
        }

        @Test
        void aGivenMapStays() {
            settings.map = FeatureMaps.fourier();
            assertEquals("fourier", map(settings, rows(60)));
        }

        @Test
        void sparseRowsHaveRandomFeatures() {
            MemorySource sparse = MemorySource.ofCsr(3, new int[] {0, 1, 2}, new int[] {0, 2}, new float[] {1, 2})
                    .withTargets(0, 1);
            assertEquals("auto", map(settings, sparse));
        }
    }

    /**
     * A function with a step in each column. Random features favour another scale than landmarks do, with which the exact
     * machine has larger errors. Errors of the same test rows are compared: their mean difference is above three of its
     * standard errors.
     */
    @Test
    void scalesOfExactMachinesAreJudgedByLandmarks() {
        MemorySource training = steps(200, 1);
        MemorySource testing = steps(300, 2);
        KernelMachine machine = KernelMachine.of("laplacian").withScaling("none");
        TrainingResult chosen = machine.fit(training);
        assertEquals("none", chosen.report().map().toString());
        assertEquals("none", chosen.model().training().map().toString());
        Kernel ofRandom = machine.withMap("fourier")
                .fitKernel(training, new Workers(1), Progress.NONE, new Notes())
                .kernel();
        TrainingResult other =
                KernelMachine.of(ofRandom).withScaling("none").withMap("none").fit(training);
        double[] errors = squaredErrors(chosen, testing);
        double[] otherErrors = squaredErrors(other, testing);
        double[] differences = new double[errors.length];
        Arrays.setAll(differences, i -> otherErrors[i] - errors[i]);
        double mean = Arrays.stream(differences).average().orElseThrow();
        double variance = Arrays.stream(differences)
                .map(difference -> (difference - mean) * (difference - mean))
                .average()
                .orElseThrow();
        double standardError = Math.sqrt(variance / differences.length);
        assertTrue(mean > 3 * standardError, mean + " and " + standardError + ", " + ofRandom);
    }

    private static double[] squaredErrors(TrainingResult trained, MemorySource testing) {
        List<Double> errors = new ArrayList<>();
        trained.model().score(testing, new Workers(1), Progress.NONE, (rows, scores) -> {
            double[] x = new double[COLUMNS];
            for (int i = 0; i < rows.rows(); i++) {
                rows.copyRow(i, x);
                double error = scores[i] - height(x);
                errors.add(error * error);
            }
        });
        return errors.stream().mapToDouble(error -> error).toArray();
    }

    private static double height(double[] x) {
        return IntStream.range(0, COLUMNS)
                .mapToDouble(l -> Math.floor((l + 2) * x[l]))
                .sum();
    }

    private static MemorySource steps(int count, long seed) {
        RandomStream stream = new Seed(seed).stream();
        float[] values = new float[COLUMNS * count];
        double[] targets = new double[count];
        for (int i = 0; i < count; i++) {
            double[] x = new double[COLUMNS];
            for (int l = 0; l < COLUMNS; l++) {
                values[COLUMNS * i + l] = (float) stream.nextUniform();
                x[l] = values[COLUMNS * i + l];
            }
            targets[i] = height(x);
        }
        return MemorySource.of(COLUMNS, values).withTargets(targets);
    }
}
