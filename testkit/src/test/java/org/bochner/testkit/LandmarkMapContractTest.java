package org.bochner.testkit;

import java.util.OptionalInt;
import java.util.stream.Stream;
import org.bochner.base.Notes;
import org.bochner.data.DenseRows;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Landmark maps whose landmarks are all sampled rows: between these rows the map has the kernel itself. */
class LandmarkMapContractTest {
    private static final int COLUMNS = 5;
    private static final double[][] ROWS = rows();

    /** Different rows in [0, 1) with some zeros. */
    private static double[][] rows() {
        RandomStream stream = new Seed(7).stream();
        double[][] rows = new double[24][COLUMNS];
        for (double[] row : rows) {
            for (int l = 0; l < COLUMNS; l++) {
                row[l] = stream.nextInt(4) == 0 ? 0 : (float) stream.nextUniform();
            }
        }
        return rows;
    }

    /**
     * A landmark map with its bound. Rows are landmarks, so only rounding is left: that of the kernel values, about
     * 10⁻¹⁵, times the condition number of the kernel matrix, at most 10⁵ for the kernels here.
     */
    private record Case(FeatureMap map) implements FeatureMapContract {
        @Override
        public double[][] samples(int columns) {
            return rows();
        }

        @Override
        public double kernelTolerance(double[] x, double[] y, int pairs) {
            return 1e-9 * (1 + map.kernel().value(x, x) + map.kernel().value(y, y));
        }
    }

    @TestFactory
    Stream<DynamicTest> everyKindOfKernel() {
        return Stream.of(
                        "gaussian(sigma=0.3)",
                        "laplacian(sigma=1)",
                        "stable(p=1.5, q=1, sigma=1)",
                        "matern(nu=0.5, sigma=[0:2=0.5, 2:5=1])",
                        "exp-chi2(gamma=4)",
                        "laplace-intersection(beta=1)",
                        "matern-chi2(nu=1.5, sigma=0.5)",
                        "skewed-intersection(c=0.1, power=1)",
                        "gaussian(sigma=0.2)[0:3] + 0.5*laplacian(sigma=0.5)[3:5]",
                        "gaussian(sigma=0.3)[0:3] * periodic(width=0.5)[3:5]")
                .map(kernel -> contract("landmarks", kernel));
    }

    @TestFactory
    Stream<DynamicTest> everyChoiceOfRows() {
        return Stream.of("uniform", "k-medoids", "projected", "leverage", "pivots", "random-pivots")
                .map(by -> contract("landmarks(by=" + by + ")", "laplacian(sigma=1)"));
    }

    /** Learned landmarks are no rows, so only the properties that hold for every map are tested, at any map error. */
    @TestFactory
    Stream<DynamicTest> learnedLandmarks() {
        return Stream.of("gaussian(sigma=0.3)", "exp-chi2(gamma=4)")
                .map(kernel -> learned("landmarks(features=8, by=learned, steps=3)", Kernels.parse(kernel)));
    }

    private record Learned(FeatureMap map) implements FeatureMapContract {
        @Override
        public double[][] samples(int columns) {
            return rows();
        }

        /** The map projects, so the error of k(x, y) is at most √(k(x, x)·k(y, y)). */
        @Override
        public double kernelTolerance(double[] x, double[] y, int pairs) {
            return Math.sqrt(map.kernel().value(x, x) * map.kernel().value(y, y)) + 1e-9;
        }
    }

    @TestFactory
    Stream<DynamicTest> whitenedFeatures() {
        return Stream.of("gaussian(sigma=0.3)", "exp-chi2(gamma=4)")
                .map(kernel -> contract("landmarks(whitened)", kernel));
    }

    private static DynamicTest learned(String recipe, Kernel kernel) {
        return Contracts.over(FeatureMapContract.class, recipe + " of " + kernel, new Learned(map(recipe, kernel)));
    }

    private static DynamicTest contract(String recipe, String spelling) {
        Kernel kernel = Kernels.parse(spelling);
        return Contracts.over(FeatureMapContract.class, recipe + " of " + kernel, new Case(map(recipe, kernel)));
    }

    private static FeatureMap map(String recipe, Kernel kernel) {
        float[] values = new float[ROWS.length * COLUMNS];
        for (int k = 0; k < values.length; k++) {
            values[k] = (float) ROWS[k / COLUMNS][k % COLUMNS];
        }
        RowSample sample = RowSample.of(DenseRows.of(ROWS.length, COLUMNS, values), ROWS.length, new Seed(1));
        OptionalInt features = recipe.contains("features") ? OptionalInt.empty() : OptionalInt.of(ROWS.length);
        return FeatureMaps.parse(recipe).build(kernel, sample, features, new Seed(1), new Notes());
    }
}
