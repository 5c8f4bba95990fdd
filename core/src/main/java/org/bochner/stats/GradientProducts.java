package org.bochner.stats;

import java.util.Arrays;
import org.bochner.data.RowBlock;
import org.bochner.map.layout.RowGradients;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.optimise.Vectors;

/**
 * The average gradient outer product of linear functions fₒ of features, {@code G = Σ w·∇fₒ(x)∇fₒ(x)ᵀ / Σ w} over rows of
 * weight w and outputs o; or its diagonal alone.
 *
 * <p>Cost: that of the gradients, and columns² operations per row and output; columns for the diagonal. Memory: columns²
 * numbers, and columns numbers per row of a block.
 *
 * <p>Threads: not safe. Each worker has its own sums, and {@linkplain #moveInto moves} them into a total.
 */
public final class GradientProducts {
    private final int columns;
    private final boolean diagonal;

    /** The upper triangle, or the diagonal. */
    private final double[] sums;

    private double totalWeight;
    private double[] block = new double[0];

    /**
     * Creates sums of zero.
     *
     * @param diagonal true to sum up the diagonal alone
     */
    public GradientProducts(int columns, boolean diagonal) {
        this.columns = columns;
        this.diagonal = diagonal;
        sums = new double[diagonal ? columns : Math.multiplyExact(columns, columns)];
    }

    /** Adds the gradients of all outputs at the rows of a block. */
    public void add(RowBlock rows, RowGradients gradients, int outputs, RowWeights rowWeights) {
        int count = rows.rows();
        if (block.length < count * columns) {
            block = new double[count * columns];
        }
        double[] roots = new double[count];
        for (int i = 0; i < count; i++) {
            double weight = rowWeights.weight(rows, i);
            totalWeight += weight;
            roots[i] = Math.sqrt(weight);
        }
        gradients.take(rows);
        for (int o = 0; o < outputs; o++) {
            Arrays.fill(block, 0, count * columns, 0);
            gradients.add(o, block, 0, columns);
            for (int i = 0; i < count; i++) {
                for (int at = i * columns; at < (i + 1) * columns; at++) {
                    block[at] *= roots[i];
                }
            }
            addBlock(count);
        }
    }

    private void addBlock(int count) {
        if (!diagonal) {
            Blas.get().gram(1, Matrix.of(block, count, columns), 1, Matrix.of(sums, columns, columns));
            return;
        }
        for (int i = 0; i < count; i++) {
            for (int l = 0; l < columns; l++) {
                double slope = block[i * columns + l];
                sums[l] += slope * slope;
            }
        }
    }

    /** Adds the sums to those of a total, and sets them to zero. */
    public void moveInto(GradientProducts total) {
        Vectors.move(sums, total.sums);
        total.totalWeight += totalWeight;
        totalWeight = 0;
    }

    /** Returns the averages: the symmetric matrix, columns×columns, or its diagonal; a new array. */
    public double[] average() {
        double[] average = Arrays.stream(sums)
                .map(sum -> totalWeight > 0 ? sum / totalWeight : 0)
                .toArray();
        for (int i = 0; !diagonal && i < columns; i++) {
            for (int j = 0; j < i; j++) {
                average[i * columns + j] = average[j * columns + i];
            }
        }
        return average;
    }
}
