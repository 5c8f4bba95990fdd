package org.bochner.map.binning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;

/** Cells of values of every size. */
class GridsTest {
    private static Grids grids(String spelling, int count) {
        Kernel kernel = Kernels.parse(spelling);
        return Grids.draw(kernel, List.of(GridLaw.of(kernel, 1).orElseThrow()), 1, count, new Seed(2));
    }

    /** Numbers whose distance is far more than any width never share a cell, however large they are. */
    @Test
    void hugeNumbersKeepCellsOfTheirOwn() {
        Grids grids = grids("laplacian(sigma=1)", 50);
        double[] numbers = {-3e38, -2e20, -1e20, -1e15, 0, 1e15, 1e20, 2e20, 3e38};
        for (int g = 0; g < grids.count(); g++) {
            for (double x : numbers) {
                assertEquals(grids.hash(new double[] {x}, g), grids.hash(new double[] {x}, g));
                for (double y : numbers) {
                    if (x != y) {
                        assertNotEquals(grids.hash(new double[] {x}, g), grids.hash(new double[] {y}, g));
                    }
                }
            }
        }
    }

    @Test
    void moreGridsThanMemoryHoldsAreRefused() {
        for (int count : new int[] {Integer.MAX_VALUE, 300_000}) {
            BochnerException e = assertThrows(BochnerException.class, () -> grids("laplacian(sigma=1)", count));
            assertTrue(String.valueOf(e.getMessage()).contains("use fewer grids"), e.getMessage());
        }
    }
}
