package org.bochner.testkit;

import java.util.Arrays;
import java.util.List;
import org.bochner.data.DenseRows;
import org.bochner.kernel.Kernels;
import org.bochner.map.FeatureMap;
import org.bochner.map.curve.AdditiveFunction;
import org.bochner.map.curve.CurveCompiler;
import org.bochner.map.curve.CurveForm;
import org.bochner.map.landmark.LandmarkForm;
import org.bochner.map.landmark.LandmarkMap;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;

/** Compiled curves. Their features are values of functions, so their inner products approximate no kernel. */
class CurveMapContractTest {
    private static final int COLUMNS = 5;
    private static final int SUPPORT = 20;

    private interface Curves extends FeatureMapContract {
        @Override
        default double kernelTolerance(double[] x, double[] y, int pairs) {
            return Double.MAX_VALUE;
        }
    }

    private static FeatureMap map(String kernel, CurveForm form) {
        RandomStream random = new Seed(5).stream();
        float[] rows = new float[SUPPORT * COLUMNS];
        double[] weights = new double[3 * SUPPORT];
        for (int k = 0; k < rows.length; k++) {
            rows[k] = random.nextInt(3) == 0 ? 0 : (float) random.nextUniform();
        }
        Arrays.setAll(weights, k -> random.nextUniform() - 0.5);
        LandmarkMap support =
                new LandmarkMap(Kernels.parse(kernel), DenseRows.of(SUPPORT, COLUMNS, rows), LandmarkForm.RAW);
        return new CurveCompiler(new AdditiveFunction(support, weights, 3), form, 20, null, List.of())
                .compile(new Workers(1));
    }

    @Nested
    class Exact implements Curves {
        @Override
        public FeatureMap map() {
            return CurveMapContractTest.map("intersection", CurveForm.EXACT);
        }
    }

    @Nested
    class Linear implements Curves {
        @Override
        public FeatureMap map() {
            return CurveMapContractTest.map("chi2", CurveForm.LINEAR);
        }
    }

    @Nested
    class Constant implements Curves {
        @Override
        public FeatureMap map() {
            return CurveMapContractTest.map("2*intersection[0:3] + hellinger[3:5]", CurveForm.CONSTANT);
        }
    }

    @Nested
    class RootSpacing implements Curves {
        @Override
        public FeatureMap map() {
            return CurveMapContractTest.map("hellinger", CurveForm.LINEAR);
        }
    }
}
