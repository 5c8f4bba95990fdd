package org.bochner.tune.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bochner.kernel.Kernels;
import org.bochner.learn.Learner;
import org.bochner.map.FeatureMaps;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PortfolioTest {
    static Stream<TableFacts> tables() {
        return Stream.of(
                new TableFacts(1000, 5, false, false, false, false),
                new TableFacts(8000, 30, false, true, true, false),
                new TableFacts(200_000, 784, false, true, true, false),
                new TableFacts(1000, 1, false, false, false, false),
                new TableFacts(20_000, 10_000, true, true, true, false),
                new TableFacts(20_000, 10_000, true, false, false, false),
                new TableFacts(500, 20, false, true, true, true));
    }

    @ParameterizedTest
    @MethodSource("tables")
    void theDefaultComesFirstAndAllCandidatesAreSpelled(TableFacts facts) {
        List<Candidate> portfolio = Portfolio.of(facts);
        assertEquals(Candidate.USUAL, portfolio.get(0));
        assertEquals(portfolio.size(), new HashSet<>(portfolio).size());
        assertTrue(portfolio.size() >= 3, portfolio.toString());
        portfolio.forEach(PortfolioTest::requireSpelled);
    }

    @ParameterizedTest
    @MethodSource("tables")
    void variationsAreSpelledAndNew(TableFacts facts) {
        Set<Candidate> seen = new HashSet<>(Portfolio.of(facts));
        int before = seen.size();
        List<Candidate> next =
                new Variations(facts, new Seed(1)).next(20, Portfolio.of(facts).subList(0, 2), seen);
        assertEquals(20, next.size());
        assertEquals(before + 20, seen.size());
        next.forEach(PortfolioTest::requireSpelled);
        boolean learns = facts.learnsColumns();
        assertTrue(learns || next.stream().allMatch(candidate -> candidate.method() == null));
    }

    private static void requireSpelled(Candidate candidate) {
        assertNotNull(FeatureMaps.parse(candidate.map()));
        assertNotNull(Learner.parse(candidate.learner()));
        if (candidate.kernel() != null) {
            assertNotNull(Kernels.recipe(candidate.kernel()));
        }
        if (candidate.scaling() != null) {
            assertNotNull(Scalings.parse(candidate.scaling()));
        }
    }
}
