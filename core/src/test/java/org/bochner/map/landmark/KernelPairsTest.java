package org.bochner.map.landmark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.stats.ExactRows;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KernelPairsTest {
    /** More rows than two blocks have, and a last block that is not full. */
    private static final int ROWS = 530;

    private static final int COLUMNS = 3;

    private static RowBlock rows(boolean sparse) {
        RandomStream stream = new Seed(1).stream();
        float[] values = new float[ROWS * COLUMNS];
        for (int k = 0; k < values.length; k++) {
            values[k] = sparse && stream.nextInt(5) > 0 ? 0 : (float) stream.nextUniform();
        }
        return ExactRows.compact(DenseRows.of(ROWS, COLUMNS, values));
    }

    /** Returns all values, which each pair of rows must give once, and NaN where there is none. */
    private static double[] values(Kernel kernel, RowBlock rows, int threads) {
        double[] all = new double[ROWS * ROWS];
        Arrays.fill(all, Double.NaN);
        KernelPairs.each(kernel, rows, new Workers(threads), (first, second, values) -> {
            for (int i = 0; i < values.rows(); i++) {
                for (int j = 0; j < values.columns(); j++) {
                    int at = (first + i) * ROWS + second + j;
                    assertEquals(Double.NaN, all[at], "the pair came before");
                    all[at] = values.values()[values.offset() + i * values.stride() + j];
                }
            }
        });
        return all;
    }

    /** Squared distances are below 3 and err by 1e-15. */
    @ParameterizedTest
    @ValueSource(strings = {"gaussian(sigma=0.5)", "laplacian(sigma=1)", "exp-chi2(gamma=1)"})
    void areTheValuesOfTheKernel(String spelling) {
        Kernel kernel = Kernels.parse(spelling);
        for (boolean sparse : new boolean[] {false, true}) {
            RowBlock rows = rows(sparse);
            double[] values = values(kernel, rows, 1);
            double[] x = new double[COLUMNS];
            double[] y = new double[COLUMNS];
            for (int i = 0; i < ROWS; i++) {
                rows.copyRow(i, x);
                for (int j = 0; j <= i; j++) {
                    rows.copyRow(j, y);
                    assertEquals(kernel.value(x, y), values[i * ROWS + j], 1e-13, i + ", " + j);
                }
            }
            assertArrayEquals(values, values(kernel, rows, 2), 0.0);
        }
    }
}
