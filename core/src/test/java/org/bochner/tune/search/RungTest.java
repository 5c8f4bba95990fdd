package org.bochner.tune.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RungTest {
    @Test
    void samplesGrowUntilAllRows() {
        assertEquals(List.of(new Rung(0, 1600, 1), new Rung(1, 6400, 1), new Rung(2, 20_640, 1)), Rung.of(20_640));
        assertEquals(List.of(new Rung(0, 1503, 1), new Rung(1, 1503, 3), new Rung(2, 1503, 5)), Rung.of(1503));
    }

    @ParameterizedTest
    @ValueSource(longs = {10, 11, 100, 400, 1000, 1600, 2399, 2400, 2401, 5000, 9600, 9601, 1_000_000, 3_000_000_000L})
    void eachRungTestsMoreThanTheOneBefore(long rows) {
        List<Rung> rungs = Rung.of(rows);
        assertEquals(rows, rungs.get(rungs.size() - 1).rows());
        for (int r = 0; r < rungs.size(); r++) {
            Rung rung = rungs.get(r);
            assertEquals(r, rung.index());
            assertTrue(rung.folds() > rung.firstFold(rungs) && rung.folds() <= Rung.FOLDS, rungs.toString());
            assertTrue(r == 0 || rung.rows() >= rungs.get(r - 1).rows(), rungs.toString());
        }
    }
}
