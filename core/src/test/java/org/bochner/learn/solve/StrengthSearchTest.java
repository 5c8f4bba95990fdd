package org.bochner.learn.solve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.bochner.learn.PathPoint;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Solutions are released, but each problem starts from the solution of the nearest strength of all that were tried. */
class StrengthSearchTest {
    /** The solutions are the indices of the strengths on the grid; the loss is least at one of them. */
    @ParameterizedTest
    @CsvSource({
        "false, 0",
        "false, 9",
        "false, -13",
        "false, 22",
        "false, -2",
        "true, 0",
        "true, -1",
        "true, -9",
        "true, -14"
    })
    void everyProblemStartsFromTheNearestSolution(boolean sparse, int best) {
        List<Integer> tried = new ArrayList<>();
        AtomicReference<StrengthSearch<Integer>> searching = new AtomicReference<>();
        StrengthSearch<Integer> search = new StrengthSearch<>(sparse, 1, (strength, start) -> {
            int k = (int) Math.round(4 * Math.log10(strength));
            Integer nearest = tried.stream()
                    .sorted()
                    .min(Comparator.comparingInt(other -> Math.abs(other - k)))
                    .orElse(null);
            assertEquals(nearest, start, () -> "at " + k + " after " + tried);
            int kept = Objects.requireNonNull(searching.get()).kept();
            assertTrue(kept <= (sparse ? 9 : 4), () -> kept + " of " + tried);
            tried.add(k);
            double loss = 1 + Math.abs(k - best + 0.25);
            return new StrengthSearch.Tried<>(k, new PathPoint(strength, Double.NaN, 0, loss));
        });
        searching.set(search);
        StrengthSearch.Found<Integer> found = search.run();
        // Sparse penalties stop after a minimum number of steps without gain; others are tried at every second index.
        assertEquals(sparse ? best : best - Math.floorMod(best, 2), found.solution());
        assertEquals(tried.size(), found.path().size());
    }
}
