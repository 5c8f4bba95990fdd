package org.bochner.map.composed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.OptionalInt;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.map.FeatureMaps;
import org.junit.jupiter.api.Test;

class RecipePerTermTest {
    private static final Kernel KERNEL = Kernels.parse("gaussian(sigma=1) + gaussian(sigma=2)");

    @Test
    void samplesAsManyRowsAsTheTermWithTheMostLandmarks() {
        assertEquals(
                3000, FeatureMaps.parse("landmarks(2000) + landmarks(3000)").rowsNeeded(KERNEL, OptionalInt.empty()));
        assertEquals(2000, FeatureMaps.parse("fourier + landmarks(2000)").rowsNeeded(KERNEL, OptionalInt.of(10)));
        assertEquals(0, FeatureMaps.parse("fourier + quasi").rowsNeeded(KERNEL, OptionalInt.of(10)));
    }
}
