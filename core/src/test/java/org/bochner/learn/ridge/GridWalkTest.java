package org.bochner.learn.ridge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class GridWalkTest {
    private static int best(IntToDoubleFunction error, double gain) {
        return new GridWalk(-20, 20, error, gain).best(0, 1);
    }

    @Test
    void findsTheMinimumOnBothSides() {
        for (int minimum : new int[] {-7, 0, 5}) {
            assertEquals(minimum, best(k -> 1 + Math.pow(k - minimum, 2), 0.01));
        }
    }

    @Test
    void staysWithinTheGrid() {
        assertEquals(20, best(k -> -k + 100.0, 0));
        assertEquals(-20, best(k -> k + 100.0, 0));
    }

    /** A step down must gain a share; on a plateau the walk would otherwise end at the lowest index. */
    @Test
    void goesDownOnlyForAGain() {
        IntToDoubleFunction plateau = k -> 1 + 1e-5 * k;
        assertEquals(0, best(plateau, 1e-3));
        assertEquals(-20, best(plateau, 0));
    }

    /** A step up must not cost anything, however little: errors near that of a constant all look alike. */
    @Test
    void goesUpOnlyForALowerError() {
        assertEquals(0, best(k -> 1 + 1e-5 * k * k, 1e-3));
        assertEquals(3, best(k -> 1 + 1e-5 * Math.pow(k - 3, 2), 1e-3));
    }
}
