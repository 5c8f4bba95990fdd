package org.bochner.model.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowSource;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.ridge.Ridge;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.composed.ComponentMap;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.Components;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.PrincipalComponents;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class PcaPassTest {
    private static final Workers WORKERS = new Workers(2);
    private static final int COLUMNS = 6;

    private static MemorySource rows(int count, Seed seed) {
        RandomStream stream = seed.stream();
        float[] values = new float[count * COLUMNS];
        int[] classes = new int[count];
        for (int i = 0; i < count; i++) {
            double sum = 0;
            for (int j = 0; j < COLUMNS; j++) {
                values[i * COLUMNS + j] = (float) stream.nextGaussian();
                sum += Math.abs(values[i * COLUMNS + j]);
            }
            classes[i] = sum > 4.8 ? 2 : values[i * COLUMNS] > 0 ? 1 : 0;
        }
        return MemorySource.of(COLUMNS, values).withClasses(List.of("a", "b", "c"), classes);
    }

    private static Transformer transformer(String kernel, int features, RowSource rows) {
        return KernelMachine.of(kernel)
                .withFeatures(features)
                .withScaling(Scalings.parse("none"))
                .prepare(rows, WORKERS, Progress.NONE, new Notes());
    }

    private static final String ONE = "gaussian(sigma=2)";
    private static final String SEVERAL = "gaussian(sigma=2)[0:3] + 0.5*laplacian(sigma=3)[3:6] + gaussian(sigma=1)";

    private record Fitted(PcaPass pass, PrincipalComponents components, GramStatistics statistics) {}

    private static Fitted fit(Transformer transformer, RowSource training, Components wanted, Precision precision) {
        PcaPass pass = new PcaPass(training, null, transformer, WORKERS, new PassTimes());
        PrincipalComponents components = pass.run(wanted, ClassWeights.none(), precision, Progress.NONE);
        return new Fitted(pass, components, pass.statistics(ClassWeights.none(), precision, Progress.NONE));
    }

    private static LinearModel ridge(GramStatistics statistics) {
        return Ridge.of(0.1).fit(statistics, Precision.FLOAT64, WORKERS).model();
    }

    private static double[] features(FeatureMap map, RowSource source, int row) {
        RowBlockBuilder builder = new RowBlockBuilder();
        source.open().next(builder, 1 + row);
        double[] x = new double[source.columns()];
        builder.build().copyRow(row, x);
        double[] z = new double[map.outputDimension()];
        map.apply(x, z);
        return z;
    }

    @Nested
    class UnfoldedModels {
        private void predictAsTheComponentsDo(String kernel, int count) {
            MemorySource training = rows(500, new Seed(1));
            Transformer transformer = transformer(kernel, 60, training);
            Fitted fitted = fit(transformer, training, Components.of(count), Precision.FLOAT64);
            LinearModel reduced = ridge(fitted.statistics);
            assertEquals(count, reduced.features());
            LinearModel unfolded = fitted.pass.unfold(reduced);
            assertEquals(transformer.map().outputDimension(), unfolded.features());
            MemorySource test = rows(20, new Seed(2));
            for (int i = 0; i < 20; i++) {
                double[] expected = reduced.apply(features(fitted.pass.map(), test, i));
                double[] got = unfolded.apply(features(transformer.map(), test, i));
                for (int o = 0; o < 3; o++) {
                    // Weights up to some hundred times features below 1, summed in another order.
                    assertEquals(expected[o], got[o], 1e-11);
                }
            }
        }

        @Test
        void predictAsTheComponentsDoForOneKernel() {
            predictAsTheComponentsDo(ONE, 17);
        }

        @Test
        void predictAsTheComponentsDoForSeveralKernels() {
            predictAsTheComponentsDo(SEVERAL, 40);
        }

        private void ofAllComponentsAreThePlainOnes(String kernel) {
            MemorySource training = rows(500, new Seed(3));
            Transformer transformer = transformer(kernel, 40, training);
            Fitted fitted = fit(transformer, training, Components.ofShare(1), Precision.FLOAT64);
            LinearModel unfolded = fitted.pass.unfold(ridge(fitted.statistics));
            LinearModel plain = ridge(new GramPass(training, transformer, WORKERS)
                    .run(ClassWeights.none(), Precision.FLOAT64, Progress.NONE));
            for (int j = 0; j < plain.features(); j++) {
                for (int o = 0; o < 3; o++) {
                    // The condition number is below 500/0.1, and weights are below 100.
                    assertEquals(plain.weight(j, o), unfolded.weight(j, o), 1e-9);
                }
            }
        }

        @Test
        void ofAllComponentsAreThePlainOnesForOneKernel() {
            ofAllComponentsAreThePlainOnes(ONE);
        }

        @Test
        void ofAllComponentsAreThePlainOnesForSeveralKernels() {
            ofAllComponentsAreThePlainOnes(SEVERAL);
        }
    }

    @Nested
    class TheMap {
        @Test
        void makesBlocksAsItMakesSingleRows() {
            MemorySource training = rows(300, new Seed(4));
            Transformer transformer = transformer(SEVERAL, 30, training);
            ComponentMap map = fit(transformer, training, Components.of(25), Precision.FLOAT64)
                    .pass
                    .map();
            RowBlockBuilder builder = new RowBlockBuilder();
            training.open().next(builder, 10);
            RowBlock block = builder.build();
            int stride = 31;
            float[] single = new float[3 + 10 * stride];
            double[] exact = new double[3 + 10 * stride];
            map.apply(block, single, 3, stride);
            map.apply(block, exact, 3, stride);
            for (int i = 0; i < 10; i++) {
                double[] expected = features(map, training, i);
                for (int c = 0; c < 25; c++) {
                    assertEquals(expected[c], exact[3 + i * stride + c], 1e-12);
                    // Sums of 30 products of numbers below 1 in float32, and the rounding of the features themselves.
                    assertEquals(expected[c], single[3 + i * stride + c], 1e-5);
                }
                assertEquals(0, exact[3 + i * stride + 25], "beyond the components");
            }
        }

        @Test
        void hasCentredUncorrelatedComponentsOfTheEigenvaluesVariance() {
            MemorySource training = rows(400, new Seed(5));
            Transformer transformer = transformer(ONE, 30, training);
            Fitted fitted = fit(transformer, training, Components.of(10), Precision.FLOAT64);
            GramStatistics mapped = new GramPass(
                            training, new Transformer(transformer.scaler(), fitted.pass.map()), WORKERS)
                    .run(ClassWeights.none(), Precision.FLOAT64, Progress.NONE);
            for (int i = 0; i < 10; i++) {
                assertEquals(0, mapped.mean()[i], 1e-13);
                assertEquals(fitted.components.parts().get(0).eigenvalues()[i], mapped.scatter(i, i), 1e-10);
                for (int j = 0; j < i; j++) {
                    assertEquals(0, mapped.scatter(i, j), 1e-10);
                }
            }
        }

        @Test
        void hasOneGroupAPart() {
            MemorySource training = rows(300, new Seed(6));
            Fitted fitted = fit(transformer(SEVERAL, 30, training), training, Components.of(25), Precision.FLOAT64);
            int[] sizes = FeatureGroups.of(fitted.pass.map().terms()).sizes();
            for (int p = 0; p < sizes.length; p++) {
                assertEquals(fitted.components.parts().get(p).kept(), sizes[p]);
            }
        }

        @Test
        void isSentToOtherProcesses() {
            MemorySource training = rows(100, new Seed(7));
            ComponentMap map = fit(transformer(ONE, 10, training), training, Components.of(3), Precision.FLOAT64)
                    .pass
                    .map();
            FeatureMap sent = FeatureMaps.load(map.state());
            double[] row = {0.3, -0.2, 0.9};
            double[] expected = new double[map.outputDimension()];
            double[] found = new double[map.outputDimension()];
            double[] whole = Arrays.copyOf(row, map.inputDimension());
            map.apply(whole, expected);
            sent.apply(whole, found);
            assertArrayEquals(expected, found);
        }
    }

    @Nested
    class UnlabelledRows {
        @Test
        void areUsedWithoutTheirLabels() {
            MemorySource training = rows(200, new Seed(8));
            MemorySource more = rows(300, new Seed(9));
            // Labels of another kind, which training rows do not have.
            MemorySource others = more.withTargets(new double[300]);
            Transformer transformer = transformer(ONE, 30, training);
            PcaPass pass = new PcaPass(training, others, transformer, WORKERS, new PassTimes());
            PrincipalComponents joint =
                    pass.run(Components.of(10), ClassWeights.none(), Precision.FLOAT64, Progress.NONE);
            PrincipalComponents plain = new PcaPass(training, null, transformer, WORKERS, new PassTimes())
                    .run(Components.of(10), ClassWeights.none(), Precision.FLOAT64, Progress.NONE);
            double jointTotal = 0;
            double plainTotal = 0;
            for (int c = 0; c < 30; c++) {
                jointTotal += joint.parts().get(0).eigenvalues()[c];
                plainTotal += plain.parts().get(0).eigenvalues()[c];
            }
            assertTrue(jointTotal > 2 * plainTotal, jointTotal + " of " + plainTotal);
            GramStatistics statistics = pass.statistics(ClassWeights.none(), Precision.FLOAT64, Progress.NONE);
            assertEquals(200, statistics.rows());
            assertEquals(3, pass.unfold(ridge(statistics)).outputs());
        }

        @Test
        void ofOtherColumnsAreRefusedWithBothWidths() {
            MemorySource training = rows(50, new Seed(10)).withName("train.csv");
            RowSource others = MemorySource.of(4, new float[40]).withName("more.csv");
            BochnerException e = assertThrows(
                    BochnerException.class,
                    () -> new PcaPass(training, others, transformer(ONE, 10, training), WORKERS, new PassTimes()));
            String message = String.valueOf(e.getMessage());
            assertTrue(message.startsWith("more.csv: ") && message.contains("4 columns"), message);
            assertTrue(message.contains("train.csv have 6"), message);
        }
    }

    /** Features of hats have a penalty of their own; components are those of the kernel's features all the same. */
    @Test
    void penaltiesThatAreNotPlainAreHonoured() {
        float[] values = new float[200 * 3];
        double[] targets = new double[200];
        RandomStream stream = new Seed(11).stream();
        for (int i = 0; i < 200; i++) {
            for (int j = 0; j < 3; j++) {
                values[i * 3 + j] = (float) stream.nextUniform();
                targets[i] += values[i * 3 + j] * values[i * 3 + j];
            }
        }
        MemorySource training = MemorySource.of(3, values).withTargets(targets);
        Transformer transformer = KernelMachine.of("intersection")
                .withMap(FeatureMaps.parse("piecewise(bins=10, sparse)"))
                .withScaling(Scalings.parse("none"))
                .prepare(training, WORKERS, Progress.NONE, new Notes());
        LinearModel plain = ridge(new GramPass(training, transformer, WORKERS)
                .run(ClassWeights.none(), Precision.FLOAT64, Progress.NONE));
        Fitted fitted = fit(transformer, training, Components.ofShare(1), Precision.FLOAT64);
        LinearModel unfolded = fitted.pass.unfold(ridge(fitted.statistics));
        double[] z = features(transformer.map(), training, 5);
        assertEquals(plain.apply(z)[0], unfolded.apply(z)[0], 1e-9);
        LinearModel reduced = ridge(fitted.statistics);
        assertEquals(unfolded.apply(z)[0], reduced.apply(features(fitted.pass.map(), training, 5))[0], 1e-9);
    }
}
