package org.bochner.model.train;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.bochner.base.memory.MemoryBudget;
import org.bochner.map.FeatureMaps;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.junit.jupiter.api.Test;

/** The memory of a fit is known before it is allocated. */
class MemoryCheckTest {
    private static final MemoryCheck CHECK = new MemoryCheck(FeatureMaps.parse("fourier"), 2, 1, true, new Workers(1));

    @Test
    void allFoldsChooseThePenaltyUpTo8192Features() {
        MemoryBudget plenty = new MemoryBudget(Long.MAX_VALUE);
        assertEquals(5, CHECK.penaltyParts(2049, plenty));
        assertEquals(5, CHECK.penaltyParts(8192, plenty));
        assertEquals(2, CHECK.penaltyParts(8193, plenty));
    }

    @Test
    void oneFoldChoosesThePenaltyIfAllDoNotFitInFloat64() {
        long needed = (long) Math.ceil(CHECK.folds(4000, 5, Precision.FLOAT64));
        assertEquals(5, CHECK.penaltyParts(4000, new MemoryBudget(needed)));
        assertEquals(2, CHECK.penaltyParts(4000, new MemoryBudget(needed - 1)));
    }
}
