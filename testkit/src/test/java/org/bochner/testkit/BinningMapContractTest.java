package org.bochner.testkit;

import java.util.OptionalInt;
import java.util.stream.Stream;
import org.bochner.base.Notes;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.random.Seed;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Random binning maps keep the contracts: the share of grids in which rows meet has the mean and variance of theory. */
class BinningMapContractTest {
    private static final int COLUMNS = 3;
    private static final int GRIDS = 8;

    /** Values that float32 holds exactly. */
    private static final double[][] ROWS = {
        {0, 0, 0}, {0.25, -0.25, 0.125}, {0.75, -0.5, 0.375}, {-0.625, 0.875, 0.3125}
    };

    private static FeatureMap map(Kernel kernel, int grids, double[][] rows, Seed seed) {
        RowSample sample = RowSample.of(ContractRows.dense(rows), rows.length, seed);
        return FeatureMaps.binning(grids).build(kernel, sample, OptionalInt.empty(), seed, new Notes());
    }

    /** The cells of four rows in the grids of a kernel with a factor. */
    private record Random(Kernel kernel, double factor) implements RandomMapContract {
        @Override
        public FeatureMap map(Seed seed) {
            return BinningMapContractTest.map(kernel, GRIDS, ROWS, seed);
        }

        /** The variance of the mean of R draws that are a with probability k/a, and 0 otherwise. */
        @Override
        public double variance(double[] x, double[] y) {
            double k = kernel.value(x, y) / factor;
            return factor * factor * k * (1 - k) / GRIDS;
        }

        @Override
        public double[][] samples(int columns) {
            return ROWS;
        }
    }

    @TestFactory
    Stream<DynamicTest> errorsOfTheory() {
        return Stream.of(
                        new Random(Kernels.parse("laplacian(sigma=[0:1=0.7, 1:2=Infinity, 2:3=2])"), 1),
                        new Random(Kernels.parse("stable(p=0.8, q=0.4, sigma=[0:1=0.5, 1:3=2])"), 1),
                        new Random(Kernels.parse("3*laplacian(sigma=0.5)[1:3]"), 3))
                .map(each ->
                        Contracts.over(RandomMapContract.class, each.kernel().toString(), each));
    }

    /** A number and one of three categories, one-hot encoded; the last row has none of the categories. */
    private record Mixed(Kernel kernel) implements RandomMapContract {
        private static final double[][] MIXED = {{0, 1, 0, 0}, {0.25, 0, 1, 0}, {0.75, 0, 0, 1}, {-0.5, 0, 0, 0}};

        @Override
        public FeatureMap map(Seed seed) {
            return BinningMapContractTest.map(kernel, GRIDS, MIXED, seed);
        }

        @Override
        public double variance(double[] x, double[] y) {
            double k = kernel.value(x, y);
            return k * (1 - k) / GRIDS;
        }

        @Override
        public double[][] samples(int columns) {
            return MIXED;
        }
    }

    @TestFactory
    Stream<DynamicTest> categories() {
        return Stream.of(
                        "laplacian(sigma=1.25)[0:1] * gaussian(sigma=1.1)[1:4]",
                        "laplacian(sigma=1.25)[0:3] * gaussian(sigma=0.7)[3:4]")
                .map(kernel -> Contracts.over(RandomMapContract.class, kernel, new Mixed(Kernels.parse(kernel))));
    }

    /** A map of the contract's own rows. A term of factor a has a·R/Σa grids, and the error of a mean of them. */
    private record Case(Kernel kernel, int terms) implements FeatureMapContract {
        private static final int MANY = 60;

        @Override
        public FeatureMap map() {
            return BinningMapContractTest.map(kernel, MANY, samples(COLUMNS), new Seed(3));
        }

        @Override
        public double kernelTolerance(double[] x, double[] y, int pairs) {
            return terms * FeatureMapContract.hoeffding(1, MANY / terms, pairs * terms);
        }

        @Override
        public double diagonalTolerance(double[] x, int rows) {
            return 1e-12;
        }
    }

    @TestFactory
    Stream<DynamicTest> everyMapKeepsTheContract() {
        return Stream.of(
                        new Case(Kernels.parse("laplacian(sigma=0.5)"), 1),
                        new Case(Kernels.parse("laplacian(sigma=[0:2=0.3, 2:3=Infinity])"), 1),
                        new Case(Kernels.parse("laplacian(sigma=0.5)[0:1] + laplacian(sigma=1)[1:3]"), 2))
                .map(each ->
                        Contracts.over(FeatureMapContract.class, each.kernel().toString(), each));
    }
}
