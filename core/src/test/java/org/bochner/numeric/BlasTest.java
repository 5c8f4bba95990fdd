package org.bochner.numeric;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class BlasTest {
    @Test
    void rowMajorProductIsTheTextbookOne() {
        float[] a = {1, 2, 3, 4, 5, 6};
        float[] b = {1, 0, 2, 1, 0, 3};
        float[] c = new float[4];
        Blas.get().gemm(false, false, 2, 2, 3, 1f, a, 0, 3, b, 0, 2, 0f, c, 0, 2);
        assertEquals("5.0 11.0 14.0 23.0", c[0] + " " + c[1] + " " + c[2] + " " + c[3]);
    }
}
