package org.bochner.examples;

import java.nio.file.Path;
import java.util.SplittableRandom;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.MemorySource;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.learn.Learner;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapLoader;
import org.bochner.map.MapRecipe;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;

/** The example of docs/java.md on maps: the lines between the marks stand there word for word. */
public final class OwnMap {
    private OwnMap() {}

    // The document's lines start here.
    /** All products of two columns, with the factor √2 where they differ: inner products of these features are (x·y)². */
    record Products(int inputDimension) implements FeatureMap {
        Products {
            Require.atLeast("products", "columns", inputDimension, 1);
        }

        @Override
        public int outputDimension() {
            return inputDimension * (inputDimension + 1) / 2;
        }

        @Override
        public Kernel kernel() {
            return Kernels.polynomial(2, 1, 0);
        }

        @Override
        public void apply(double[] x, double[] out) {
            Require.sameSize("products", "columns", x.length, inputDimension);
            int next = 0;
            for (int i = 0; i < x.length; i++) {
                for (int j = i; j < x.length; j++) {
                    out[next++] = (i == j ? 1 : Math.sqrt(2)) * x[i] * x[j];
                }
            }
        }

        @Override
        public State state() {
            return State.of("products").with("columns", inputDimension);
        }
    }
    // The document's lines end here.

    /** Trains on random rows, and saves the model to the file that the first argument names. */
    public static void main(String[] arguments) {
        double[][] rows = new double[200][3];
        double[] targets = new double[rows.length];
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < rows.length; i++) {
            rows[i] = new double[] {random.nextDouble(), random.nextDouble(), random.nextDouble()};
            targets[i] = rows[i][0] * rows[i][1] - rows[i][2] * rows[i][2];
        }
        MemorySource source = MemorySource.of(rows).withTargets(targets);
        Path file = Path.of(arguments[0]);

        // The document's lines start here.
        MapRecipe recipe = (kernel, sample, features, seed, notes) -> new Products(sample.columns());
        KernelMachine.of(Kernels.polynomial(2, 1, 0))
                .withMap(recipe)
                .withLearner(Learner.ridge(1e-6))
                .fit(source)
                .model()
                .save(file);

        MapLoader loader = new MapLoader("products", state -> new Products(state.count("columns")));
        KernelModel model = KernelModel.load(file, loader);
        System.out.printf("0.5 * 0.4 - 0.1 * 0.1 = %.3f%n", model.predictNumber(new double[] {0.5, 0.4, 0.1}));
        // The document's lines end here.
    }
}
