package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.bochner.data.MemorySource;
import org.bochner.numeric.Workers;
import org.junit.jupiter.api.Test;

/** The importance of columns: the standard deviation of their contributions. */
class ContributionSumsTest {
    private static final int ROWS = 1000;

    private static AdditiveCurves curves(MemorySource rows) {
        KernelModel model = KernelMachine.of("linear").fit(rows).model();
        return AdditiveCurves.compile(model, "exact", 100, rows, new Workers(2), Progress.NONE);
    }

    @Test
    void columnsFarFromZeroKeepTheirDigits() {
        double far = 16_000_000;
        float[] values = new float[ROWS];
        double[] targets = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            values[i] = (float) (far + i % 5);
            targets[i] = i % 5;
        }
        AdditiveCurves curves = curves(MemorySource.of(1, values).withTargets(targets));
        // Of the numbers 0 to 4, the variance is 2. The slope is that of a straight line over the five numbers; its end
        // values are rounded by about 1e-16 of 16 million slopes, a few 1e-9 of a slope.
        double slope = (curves.at(0, far + 4)[0] - curves.at(0, far)[0]) / 4;
        assertEquals(Math.sqrt(2) * Math.abs(slope), curves.importance(0), 1e-7 * Math.abs(slope));
    }

    @Test
    void sparseRowsHaveTheImportanceOfDenseRows() {
        float[] values = new float[2 * ROWS];
        double[] targets = new double[ROWS];
        int[] starts = new int[ROWS + 1];
        int[] indices = new int[2 * ROWS];
        float[] entries = new float[2 * ROWS];
        int count = 0;
        for (int i = 0; i < ROWS; i++) {
            for (int j = 0; j < 2; j++) {
                values[2 * i + j] = i % (j + 3);
                if (values[2 * i + j] != 0) {
                    indices[count] = j;
                    entries[count++] = values[2 * i + j];
                }
            }
            starts[i + 1] = count;
            targets[i] = i % 3 - 2 * (i % 4) + 0.1 * (i % 7);
        }
        AdditiveCurves dense = curves(MemorySource.of(2, values).withTargets(targets));
        AdditiveCurves sparse =
                curves(MemorySource.ofCsr(2, starts, Arrays.copyOf(indices, count), Arrays.copyOf(entries, count))
                        .withTargets(targets));
        // Both models are fitted by themselves, in float32.
        for (int column = 0; column < 2; column++) {
            assertEquals(dense.importance(column), sparse.importance(column), 1e-4 * dense.importance(column));
        }
        assertArrayEquals(dense.columns().toArray(), sparse.columns().toArray());
    }
}
