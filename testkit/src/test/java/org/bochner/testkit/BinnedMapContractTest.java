package org.bochner.testkit;

import java.util.OptionalInt;
import org.bochner.base.Notes;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;

/** Bins for the intersection kernel, among samples in [0, 1). Bounds are those of one column times the columns. */
class BinnedMapContractTest {
    private static final int COLUMNS = 6;

    private static FeatureMap map(String recipe, String kernel) {
        return FeatureMaps.parse(recipe)
                .build(Kernels.parse(kernel), RowSample.none(COLUMNS), OptionalInt.empty(), new Seed(1), new Notes());
    }

    @Nested
    class Unary implements FeatureMapContract {
        @Override
        public FeatureMap map() {
            return BinnedMapContractTest.map("unary(bins=10, range=1)", "intersection");
        }

        @Override
        public double kernelTolerance(double[] x, double[] y, int pairs) {
            return COLUMNS / 20.0;
        }
    }

    @Nested
    class Piecewise implements FeatureMapContract {
        @Override
        public FeatureMap map() {
            return BinnedMapContractTest.map("piecewise(bins=10, range=1)", "intersection");
        }

        @Override
        public double kernelTolerance(double[] x, double[] y, int pairs) {
            return COLUMNS / 40.0;
        }
    }

    @Nested
    class SparsePiecewise implements FeatureMapContract {
        @Override
        public FeatureMap map() {
            return BinnedMapContractTest.map("piecewise(bins=50, sparse, range=1)", "intersection");
        }

        @Override
        public double kernelTolerance(double[] x, double[] y, int pairs) {
            return COLUMNS / 200.0;
        }
    }

    /** (xy)^(1/2)·min(x, y), whose error is at most that of degree 1 where values are below 1. */
    @Nested
    class SparseOfDegreeTwo implements FeatureMapContract {
        @Override
        public FeatureMap map() {
            return BinnedMapContractTest.map("piecewise(bins=10, sparse, range=1)", "intersection(degree=2)");
        }

        @Override
        public double kernelTolerance(double[] x, double[] y, int pairs) {
            return COLUMNS / 40.0;
        }
    }

    /** A quarter of the samples' values are above a range of 0.5; √(uv) is above min(u, v) by less than 1/8 for u, v < 0.5. */
    @Nested
    class BeyondTheRange implements FeatureMapContract {
        @Override
        public FeatureMap map() {
            return BinnedMapContractTest.map("piecewise(bins=8, range=0.5)", "intersection");
        }

        @Override
        public double kernelTolerance(double[] x, double[] y, int pairs) {
            return COLUMNS / 8.0;
        }
    }

    @Nested
    class SparseInTheAlgebra implements FeatureMapContract {
        @Override
        public FeatureMap map() {
            return BinnedMapContractTest.map(
                    "piecewise(bins=20, sparse, range=1)", "2*intersection[0:2] + 0.5*intersection[2:6]");
        }

        @Override
        public double kernelTolerance(double[] x, double[] y, int pairs) {
            return (2 * 2 + 0.5 * 4) / 80;
        }
    }
}
