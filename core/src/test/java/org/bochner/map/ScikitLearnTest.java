package org.bochner.map;

import static org.bochner.GoldenTable.numbers;
import static org.bochner.GoldenTable.text;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.bochner.GoldenTable;
import org.bochner.base.Notes;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.additive.Chi2;
import org.bochner.kernel.composed.SkewedKernel;
import org.bochner.map.additive.SampledRecipe;
import org.bochner.map.additive.SpectralMap;
import org.bochner.map.additive.Window;
import org.bochner.map.fourier.DenseProjection;
import org.bochner.map.fourier.FourierForm;
import org.bochner.map.fourier.FourierMap;
import org.bochner.map.fourier.Projection;
import org.bochner.map.fourier.WarpedMap;
import org.junit.jupiter.api.Test;

/** Conformance with scikit-learn's AdditiveChi2Sampler and SkewedChi2Sampler. */
class ScikitLearnTest {
    private static List<Map<String, String>> rows(String kind) {
        return GoldenTable.read("sklearn.csv").stream()
                .filter(row -> text(row, "kind").equals(kind))
                .toList();
    }

    private static double[] features(FeatureMap map, double[] x) {
        double[] features = new double[map.outputDimension()];
        map.apply(x, features);
        return features;
    }

    @Test
    void additiveChi2SamplerIsASampledSpectrumWithTheUniformWindow() {
        for (Map<String, String> row : rows("additive")) {
            double[] parameters = numbers(row, "parameters");
            int order = (int) parameters[0] - 1;
            double interval = parameters[1];
            // Its single step is the frequency 0 alone, which is no order of ours.
            FeatureMap map = order == 0
                    ? new SpectralMap(new Chi2(1), 1, new double[] {0}, new double[] {interval})
                    : new SampledRecipe(order, Window.UNIFORM, new SampledRecipe.Period.Length(2 * Math.PI / interval))
                            .additive(new Chi2(1), RowSample.none(1), new Notes());
            double[] x = numbers(row, "input");
            // Phases up to 2·0.4·log(1e9) round to 2⁻⁵² of themselves.
            assertArrayEquals(numbers(row, "output"), features(map, x), 1e-14 * Math.sqrt(x[0]), row.toString());
        }
    }

    @Test
    void skewedChi2SamplerIsOursOfPowerOneHalf() {
        Map<String, String> weights = rows("weights").get(0);
        SkewedKernel kernel = SkewedKernel.Kind.CHI2.kernel(numbers(weights, "parameters")[0], 0.5);
        double[] unit = numbers(weights, "input");
        for (int i = 0; i < unit.length; i++) {
            // Frequencies are power times unit ones.
            unit[i] /= 0.5;
        }
        double[] phases = numbers(weights, "output");
        for (int j = 0; j < phases.length; j++) {
            phases[j] /= 2 * Math.PI;
        }
        Projection projection = DenseProjection.of(unit, kernel.kernel(), unit.length / phases.length);
        FeatureMap map = new WarpedMap(new FourierMap(kernel.kernel(), projection, FourierForm.PHASE, phases), kernel);
        for (Map<String, String> row : rows("skewed")) {
            assertArrayEquals(numbers(row, "output"), features(map, numbers(row, "input")), 1e-14, row.toString());
        }
    }

    @Test
    void skewedChi2SamplerApproximatesOurKernelOfPowerOneHalf() {
        // Means of D = 200,000 terms in [−2, 2]: P(error ≥ ε) ≤ 2·exp(−Dε²/8), which is 1e-6 for all 6 pairs together.
        double bound = Math.sqrt(8 * Math.log(12 / 1e-6) / 200_000);
        for (Map<String, String> row : rows("product")) {
            double c = numbers(row, "parameters")[0];
            double[] pair = numbers(row, "input");
            double[] x = Arrays.copyOfRange(pair, 0, 3);
            double[] y = Arrays.copyOfRange(pair, 3, 6);
            Kernel kernel = Kernels.parse("skewed-chi2(c=" + c + ", power=0.5)");
            double exact = kernel.value(x, y);
            double product = 1;
            for (int l = 0; l < 3; l++) {
                product *= 2 * Math.sqrt(x[l] + c) * Math.sqrt(y[l] + c) / (x[l] + y[l] + 2 * c);
            }
            assertEquals(product, exact, 1e-14);
            assertEquals(numbers(row, "output")[0], exact, bound, row.toString());
        }
    }
}
