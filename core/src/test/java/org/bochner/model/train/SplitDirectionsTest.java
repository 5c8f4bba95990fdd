package org.bochner.model.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.bochner.data.MemorySource;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.junit.jupiter.api.Test;

class SplitDirectionsTest {
    private static final int ROWS = 700;

    /** Sparse columns are not centred by their scaling. The values are exact in float32, with and without the offset. */
    @Test
    void covariancesKeepTheirDigitsFarFromZero() {
        RandomStream stream = new Seed(6).stream();
        float[] near = new float[2 * ROWS];
        float[] far = new float[2 * ROWS];
        int[] starts = new int[ROWS + 1];
        int[] indices = new int[2 * ROWS];
        double[] mean = new double[2];
        for (int i = 0; i < ROWS; i++) {
            near[2 * i] = 0.125f * stream.nextInt(9);
            near[2 * i + 1] = near[2 * i] + 0.125f * stream.nextInt(5);
            for (int j = 0; j < 2; j++) {
                far[2 * i + j] = near[2 * i + j] + 1e6f;
                indices[2 * i + j] = j;
                mean[j] += near[2 * i + j] / ROWS;
            }
            starts[i + 1] = 2 * i + 2;
        }
        double[] expected = new double[4];
        for (int i = 0; i < ROWS; i++) {
            for (int k = 0; k < 4; k++) {
                expected[k] += (near[2 * i + k / 2] - mean[k / 2]) * (near[2 * i + k % 2] - mean[k % 2]) / ROWS;
            }
        }
        Workers workers = new Workers(1);
        for (float[] values : new float[][] {near, far}) {
            MemorySource rows = MemorySource.ofCsr(2, starts, indices, values);
            double[] found = SplitDirections.covariance(rows, Scalings.none().fit(rows, workers));
            // Means of tiles near 1e6 are rounded by 1e-10.
            assertArrayEquals(expected, found, 1e-9);
        }
    }
}
