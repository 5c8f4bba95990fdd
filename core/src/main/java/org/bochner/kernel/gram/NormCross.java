package org.bochner.kernel.gram;

import java.util.Arrays;
import org.bochner.data.RowBlock;
import org.bochner.kernel.shift.NormKernel;

/**
 * The values of a kernel of Σₗ |xₗ−yₗ|^p/σₗ^p, after a function of each value of the rows. The sums of one row and many
 * fixed rows grow column by column; p of ½, 1 and 1.5 needs no power function.
 */
final class NormCross extends CrossKernel {
    /** Fixed rows whose sums grow together, so that they stay in the processor's cache. */
    private static final int BLOCK = 512;

    private final NormKernel kernel;
    private final ValueMap map;
    private final double[] rates;
    /** The fixed rows: for each block, one array per column. Loops vectorise only from index 0. */
    private final double[][][] fixed;

    NormCross(NormKernel kernel, ValueMap map, RowBlock rows) {
        super(rows);
        this.kernel = kernel;
        this.map = map;
        int columns = rows.columns();
        // Fails if dense copies exceed the memory.
        int values = DenseSize.of(rows.rows(), columns, Double.BYTES);
        double[] row = new double[values / Math.max(1, rows.rows())];
        rates = kernel.sigma().toArray(columns);
        for (int l = 0; l < columns; l++) {
            rates[l] = 1 / rates[l];
        }
        fixed = new double[(rows.rows() + BLOCK - 1) / BLOCK][columns][];
        for (int b = 0; b < fixed.length; b++) {
            int count = Math.min(BLOCK, rows.rows() - b * BLOCK);
            for (int l = 0; l < columns; l++) {
                fixed[b][l] = new double[count];
            }
            for (int j = 0; j < count; j++) {
                rows.copyRow(b * BLOCK + j, row);
                map.applyTo(row, rows.firstRow() + (long) b * BLOCK + j);
                for (int l = 0; l < columns; l++) {
                    fixed[b][l][j] = row[l];
                }
            }
        }
    }

    @Override
    void compute(RowBlock rows, double[] out, int offset, int stride) {
        double[] x = new double[rows.columns()];
        double[] sums = new double[BLOCK];
        for (int i = 0; i < rows.rows(); i++) {
            rows.copyRow(i, x);
            map.applyTo(x, rows.firstRow() + i);
            int at = offset + i * stride;
            for (double[][] block : fixed) {
                Arrays.fill(sums, 0);
                for (int l = 0; l < x.length; l++) {
                    add(x[l], rates[l], block[l], sums);
                }
                int count = block[0].length;
                for (int j = 0; j < count; j++) {
                    out[at + j] = kernel.ofSum(sums[j]);
                }
                at += count;
            }
        }
    }

    /** Adds |x−y|^p/σ^p of one column. */
    private void add(double x, double rate, double[] y, double[] sums) {
        double p = kernel.p();
        if (p == 1) {
            for (int j = 0; j < y.length; j++) {
                sums[j] += Math.abs(x - y[j]) * rate;
            }
        } else if (p == 1.5) {
            for (int j = 0; j < y.length; j++) {
                double size = Math.abs(x - y[j]) * rate;
                sums[j] += size * Math.sqrt(size);
            }
        } else if (p == 0.5) {
            for (int j = 0; j < y.length; j++) {
                sums[j] += Math.sqrt(Math.abs(x - y[j]) * rate);
            }
        } else {
            for (int j = 0; j < y.length; j++) {
                sums[j] += Math.pow(Math.abs(x - y[j]) * rate, p);
            }
        }
    }
}
