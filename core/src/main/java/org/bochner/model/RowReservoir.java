package org.bochner.model;

import java.util.ArrayList;
import java.util.List;
import org.bochner.data.RowBlock;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/**
 * A random sample of rows that are read block by block. Every row is equally likely to be in it, so that sorted files have no
 * other sample than shuffled ones. It depends on the rows and their order, not on the blocks.
 *
 * <p>Threads: not safe.
 */
final class RowReservoir {
    private final List<double[]> rows = new ArrayList<>();
    private final RandomStream random = new Seed(1).stream();
    private final int most;
    private long seen;

    /**
     * Creates an empty sample.
     *
     * @param most the largest number of rows, at least 1
     */
    RowReservoir(int most) {
        this.most = most;
    }

    /** Adds rows of a block, each of which may replace another row. */
    void add(RowBlock block) {
        for (int i = 0; i < block.rows(); i++) {
            seen++;
            long place = rows.size() < most ? rows.size() : (long) (random.nextUniform() * seen);
            if (place == rows.size() && place < most) {
                rows.add(new double[block.columns()]);
            }
            if (place < most) {
                block.copyRow(i, rows.get((int) place));
            }
        }
    }

    /** Returns the sample; not a copy. */
    List<double[]> rows() {
        return rows;
    }
}
