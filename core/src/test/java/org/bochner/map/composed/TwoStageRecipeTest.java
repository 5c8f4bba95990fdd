package org.bochner.map.composed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.bochner.GoldenTable;
import org.bochner.base.Notes;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.additive.Chi2;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.kernel.composed.RadialProfile;
import org.bochner.map.FeatureMap;
import org.bochner.map.additive.AdditiveMap;
import org.bochner.map.additive.Chi2Series;
import org.bochner.map.additive.SampledRecipe;
import org.bochner.map.additive.SeriesMap;
import org.bochner.map.additive.Window;
import org.bochner.map.fourier.DenseProjection;
import org.bochner.map.fourier.FourierForm;
import org.bochner.map.fourier.FourierMap;
import org.bochner.map.fourier.Projection;
import org.junit.jupiter.api.Test;

/** An additive map and a Fourier map of its features, from the same random numbers as a reference. */
class TwoStageRecipeTest {
    private static double[] numbers(String map, String quantity) {
        for (Map<String, String> row : GoldenTable.read("two_stages.csv")) {
            if (GoldenTable.text(row, "map").equals(map)
                    && GoldenTable.text(row, "quantity").equals(quantity)) {
                return GoldenTable.numbers(row, "numbers");
            }
        }
        throw new IllegalArgumentException(quantity + " of " + map);
    }

    private static double number(String map, String quantity) {
        return numbers(map, quantity)[0];
    }

    private static double[] features(FeatureMap map, double[] x) {
        double[] features = new double[map.outputDimension()];
        map.apply(x, features);
        return features;
    }

    private static TwoStageMap composed(
            double gamma, AdditiveMap first, double[] unit, FourierForm form, double[] phases) {
        RadialKernel kernel = new RadialKernel(RadialProfile.EXP, new Chi2(1), gamma);
        Projection projection = DenseProjection.of(unit, kernel.outer(), first.outputDimension());
        return new TwoStageMap(kernel, first, new FourierMap(kernel.outer(), projection, form, phases));
    }

    @Test
    void sampledSpectrumThenPairsAgreeWithTheReference() {
        SampledRecipe.Period period = new SampledRecipe.Period.Length(2 * Math.PI / number("sampled", "L"));
        AdditiveMap first = new SampledRecipe((int) number("sampled", "order"), Window.UNIFORM, period)
                .additive(new Chi2(1), RowSample.none(2), new Notes());
        // exp(−½D²/(2σ²)), a paper's convention, is exp(−γD²) with γ = 1/(4σ²).
        double gamma = 0.25 / Math.pow(number("sampled", "sigma"), 2);
        TwoStageMap map = composed(gamma, first, numbers("sampled", "normals"), FourierForm.PAIRS, new double[0]);
        double[] x = numbers("sampled", "x");
        assertArrayEquals(numbers("sampled", "inner"), features(first, x), 1e-13);
        double[] interleaved = numbers("sampled", "features");
        double[] ours = features(map, x);
        int m = ours.length / 2;
        for (int j = 0; j < m; j++) {
            assertEquals(interleaved[2 * j], ours[j], 1e-12);
            assertEquals(interleaved[2 * j + 1], ours[m + j], 1e-12);
        }
    }

    @Test
    void chebyshevThenPhasesAgreeWithTheReference() {
        AdditiveMap first = new SeriesMap(new Chi2(1), 2, Chi2Series.CHEBYSHEV, (int) number("chebyshev", "terms"), 1);
        TwoStageMap map = composed(
                number("chebyshev", "gamma"),
                first,
                numbers("chebyshev", "normals"),
                FourierForm.PHASE,
                numbers("chebyshev", "phases"));
        double[] x = numbers("chebyshev", "x");
        assertArrayEquals(numbers("chebyshev", "inner"), features(first, x), 1e-13);
        assertArrayEquals(numbers("chebyshev", "features"), features(map, x), 1e-12);
    }
}
