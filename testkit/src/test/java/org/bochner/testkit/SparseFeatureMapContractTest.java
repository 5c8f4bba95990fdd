package org.bochner.testkit;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.DoubleUnaryOperator;
import org.bochner.base.Notes;
import org.bochner.base.State;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapLoader;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A contract that cannot fail is no contract: maps with the faults of other libraries must be found out. */
class SparseFeatureMapContractTest {
    private static final FeatureMap GOOD = FeatureMaps.parse("sampled(order=2)")
            .build(Kernels.chi2(), RowSample.none(3), OptionalInt.empty(), new Seed(1), new Notes());

    private record Case(FeatureMap map) implements SparseFeatureMapContract {
        @Override
        public double kernelTolerance(double[] x, double[] y, int pairs) {
            return MapBounds.of(GOOD, x, y, pairs);
        }
    }

    private static SparseFeatureMapContract altered(DoubleUnaryOperator change) {
        return new Case(new Altered(change));
    }

    /** What a map needs at least, through every way of calling it. */
    @Nested
    class Unaltered implements SparseFeatureMapContract {
        @Override
        public FeatureMap map() {
            return new Altered(x -> x);
        }

        @Override
        public double kernelTolerance(double[] x, double[] y, int pairs) {
            return MapBounds.of(GOOD, x, y, pairs);
        }

        @Override
        public List<MapLoader> loaders() {
            return List.of(new MapLoader("altered", state -> new Altered(x -> x)));
        }

        /** Its sparse features are written out in full, zeros among them. */
        @Override
        public void onlyNonZerosCost() {}

        @Override
        public void rowOfZerosHasNoFeatures() {}
    }

    @Nested
    class Finds {
        @Test
        void silentClipping() {
            // VLFeat returns zeros from 256 on and below 2⁻¹⁹.
            assertThrows(AssertionError.class, altered(x -> x >= 256 ? 0 : x)::valuesOfAnyMagnitudeHaveTheirFeatures);
            assertThrows(
                    AssertionError.class, altered(x -> x < 0x1p-19 ? 0 : x)::valuesOfAnyMagnitudeHaveTheirFeatures);
            assertThrows(AssertionError.class, altered(x -> Math.min(x, 1e6))::valuesOfAnyMagnitudeHaveTheirFeatures);
        }

        @Test
        void zerosThatHaveFeatures() {
            assertThrows(AssertionError.class, altered(x -> x + 1e-3)::rowOfZerosHasNoFeatures);
        }

        @Test
        void negativeValuesThatAreTaken() {
            assertThrows(AssertionError.class, altered(Math::abs)::refusesValuesOutsideTheDomainOfItsKernel);
        }

        @Test
        void costsOfZeros() {
            assertThrows(AssertionError.class, altered(x -> x)::onlyNonZerosCost);
        }

        @Test
        void valuesOffByAFactor() {
            assertThrows(AssertionError.class, altered(x -> 1.2 * x)::innerProductsAreNearTheKernel);
            assertThrows(AssertionError.class, altered(x -> 1.2 * x)::squaredLengthsAreNearTheDiagonal);
        }
    }

    /** A map that changes values before it maps them, and stores zeros among its sparse features. */
    private record Altered(DoubleUnaryOperator change) implements FeatureMap {
        @Override
        public int inputDimension() {
            return GOOD.inputDimension();
        }

        @Override
        public int outputDimension() {
            return GOOD.outputDimension();
        }

        @Override
        public Kernel kernel() {
            return GOOD.kernel();
        }

        @Override
        public void apply(double[] x, double[] out) {
            GOOD.apply(Arrays.stream(x).map(change).toArray(), out);
        }

        @Override
        public boolean keepsSparsity() {
            return true;
        }

        @Override
        public SparseRows apply(SparseRows rows) {
            int features = outputDimension();
            float[] values = new float[rows.rows() * features];
            int[] starts = new int[rows.rows() + 1];
            int[] indices = new int[values.length];
            Arrays.setAll(starts, i -> i * features);
            Arrays.setAll(indices, k -> k % features);
            apply((RowBlock) rows, values, 0, features);
            return SparseRows.of(rows.rows(), features, starts, indices, values);
        }

        @Override
        public State state() {
            return State.of("altered");
        }
    }
}
