package org.bochner.scale.fit;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.bochner.base.memory.MemoryBudget;
import org.bochner.base.memory.MemoryException;
import org.junit.jupiter.api.Test;

/** Quantiles need memory for each column in each thread. */
class ColumnAccumulatorTest {
    private static MemoryException refused(boolean sparse, int sketched, int blockRows, int threads, long bytes) {
        return assertThrows(
                MemoryException.class,
                () -> ColumnAccumulator.requireMemory(sparse, sketched, blockRows, threads, new MemoryBudget(bytes)));
    }

    /** A sketch of one value has arrays of 16 entries of 17 bytes. */
    @Test
    void aMillionSparseColumnsNeedMemoryInEachThread() {
        double column = 16 * 17;
        MemoryException one = refused(true, 1_000_000, 4096, 1, 500_000_000);
        assertTrue(one.needed() > 2 * column * 1e6 && one.needed() < 4 * column * 1e6, () -> one.needed() + " bytes");
        MemoryException eight = refused(true, 1_000_000, 4096, 8, 500_000_000);
        assertTrue(eight.needed() > 9 * column * 1e6, () -> eight.needed() + " bytes");
        assertTrue(String.valueOf(one.getMessage()).contains("standard(uncentred)"), one.getMessage());
        ColumnAccumulator.requireMemory(true, 100_000, 4096, 8, new MemoryBudget(500_000_000));
    }

    /** 2,048 entries for all rows, and those of a block in each thread. */
    @Test
    void denseColumnsHaveBlocksInEachThread() {
        double needed = refused(false, 100, 1000, 4, 1000).needed();
        double entries = 17.0 * 100 * (2048 + 4 * 1024);
        assertTrue(needed >= entries && needed < 1.05 * entries, () -> needed + " bytes");
    }
}
