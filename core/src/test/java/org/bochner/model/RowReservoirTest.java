package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.junit.jupiter.api.Test;

class RowReservoirTest {
    private static RowBlock numbers(int from, int to) {
        float[] values = new float[to - from];
        for (int i = 0; i < values.length; i++) {
            values[i] = from + i;
        }
        return DenseRows.of(values.length, 1, values);
    }

    private static double[] sample(int most, int rows, int block) {
        RowReservoir sample = new RowReservoir(most);
        for (int from = 0; from < rows; from += block) {
            sample.add(numbers(from, Math.min(rows, from + block)));
        }
        return sample.rows().stream().mapToDouble(row -> row[0]).toArray();
    }

    @Test
    void fewRowsAreAllInTheSample() {
        assertArrayEquals(new double[] {0, 1, 2, 3, 4}, sample(5, 5, 2));
    }

    @Test
    void sortedRowsAreSampledFromBeginningToEnd() {
        double[] sample = sample(400, 10_000, 256);
        assertEquals(400, sample.length);
        assertEquals(400, Arrays.stream(sample).distinct().count());
        // Numbers spread evenly over 0 to 10,000 have a standard deviation of 2,887; 400 of them have means that
        // deviate by
        // 144. Five such deviations.
        assertEquals(5000, Arrays.stream(sample).average().orElseThrow(), 722);
    }

    @Test
    void blocksDoNotMatter() {
        assertArrayEquals(sample(20, 1000, 7), sample(20, 1000, 1000));
    }
}
