package org.bochner.design;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.bochner.design.Target.Axis;
import org.bochner.kernel.shift.Gaussian;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ojalgo.optimisation.Expression;
import org.ojalgo.optimisation.ExpressionsBasedModel;
import org.ojalgo.optimisation.Optimisation;
import org.ojalgo.optimisation.Variable;

/** Discrete frequencies, which linear programs with a price per feature select from a pool. */
class PoolSearchTest {
    private static final Target GAUSSIAN = Target.of(new Gaussian(Math.sqrt(0.1)), Axis.upTo(Math.PI));

    private static Grid grid(Norm norm, int points) {
        return Grid.of(GAUSSIAN, Form.PROJECTION, norm, points);
    }

    /** Solves min error + Σ price·α for the weights α ≥ 0 of a pool, as written, by another solver. */
    private static double least(Norm norm, Grid grid, double[] pool, double[] prices) {
        ExpressionsBasedModel model = new ExpressionsBasedModel();
        Variable[] weights = new Variable[pool.length];
        for (int j = 0; j < pool.length; j++) {
            weights[j] = model.newVariable("a" + j).lower(0).weight(prices[j]);
        }
        Variable largest =
                norm == Norm.LARGEST ? model.newVariable("t").lower(0).weight(1) : null;
        for (int i = 0; i < grid.size(); i++) {
            double z = grid.points()[i];
            double value = Math.exp(-5 * z * z);
            Variable error = largest != null
                    ? largest
                    : model.newVariable("t" + i).lower(0).weight(1.0 / grid.size());
            Expression above = model.newExpression("above " + i).upper(value).set(error, -1);
            Expression below = model.newExpression("below " + i).lower(value).set(error, 1);
            for (int j = 0; j < pool.length; j++) {
                above.set(weights[j], Math.cos(pool[j] * z));
                below.set(weights[j], Math.cos(pool[j] * z));
            }
        }
        Optimisation.Result result = model.minimise();
        assertTrue(result.getState().isOptimal());
        return result.getValue();
    }

    private static double objective(Norm norm, Grid grid, Terms terms, double[] prices) {
        double paid = 0;
        for (int j = 0; j < terms.count(); j++) {
            paid += prices[j] * terms.weights()[j];
        }
        return grid.norm(norm, grid.errors(terms)) + paid;
    }

    @ParameterizedTest
    @EnumSource
    void aPriceOfWeightsCountsInBothNorms(Norm norm) {
        Grid grid = grid(norm, 40);
        Descent descent = new Descent(GAUSSIAN, norm);
        Terms pool =
                LineSearch.of(IntStream.range(0, 24).mapToDouble(j -> 0.5 * j).toArray());
        for (double price : new double[] {1e-3, 0.02, 0.1}) {
            double[] prices = Selection.prices(pool, price);
            Terms found = descent.refit(pool, grid, prices).terms();
            double expected = least(norm, grid, pool.frequencies(), prices);
            // Both solvers have tolerances of at most 1e-8.
            assertEquals(expected, objective(norm, grid, found, prices), 1e-7);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aHigherPriceSelectsLess(Norm norm) {
        Grid grid = grid(norm, 60);
        Descent descent = new Descent(GAUSSIAN, norm);
        Terms pool =
                LineSearch.of(IntStream.range(0, 30).mapToDouble(j -> 0.4 * j).toArray());
        double paidBefore = Double.POSITIVE_INFINITY;
        double errorBefore = 0;
        for (double price : new double[] {1e-4, 1e-2, 0.1, 0.3}) {
            double[] prices = Selection.prices(pool, price);
            Descent.State state = descent.refit(pool, grid, prices);
            double paid = objective(norm, grid, state.terms(), prices) - state.error();
            // By exchange of the two optima, the sum Σ D·α falls and the error rises with the price.
            assertTrue(paid / price <= paidBefore + 1e-7);
            assertTrue(state.error() >= errorBefore - 1e-7);
            paidBefore = paid / price;
            errorBefore = state.error();
        }
    }

    @ParameterizedTest
    @EnumSource
    void columnGenerationSolvesTheProgramOfTheWholePool(Norm norm) {
        Grid grid = grid(norm, 60);
        Descent descent = new Descent(GAUSSIAN, norm);
        double spacing = 0.15;
        long[] multiples = LongStream.range(0, 80).toArray();
        Terms pool = LineSearch.of(
                Arrays.stream(multiples).mapToDouble(i -> i * spacing).toArray());
        double price = 0.05;
        double[] prices = Selection.prices(pool, price);
        Map<Integer, Double> found = new PoolSearch(descent, grid, Math.PI, spacing, share -> {})
                .weights(multiples, Set.of(0, 20, 40, 60), price);
        double[] weights = new double[multiples.length];
        found.forEach((place, weight) -> weights[place] = weight);
        Terms terms = new Terms(Form.PROJECTION, 1, pool.frequencies(), weights);
        double whole = objective(norm, grid, descent.refit(pool, grid, prices).terms(), prices);
        // A term may be worth 1e-7 more than its price, and the weights have a sum of about 1.
        assertEquals(whole, objective(norm, grid, terms, prices), 1e-6);
        assertTrue(found.size() < 20, () -> "support " + found);
    }

    /** All pairs of frequencies beside 0 are tried. The search finds the best of them. */
    @ParameterizedTest
    @EnumSource
    void findsTheBestOfAllSelections(Norm norm) {
        double spacing = 0.4;
        Plan plan = Plan.DEFAULT.withNorm(norm).withSpacing(spacing);
        Grid grid = grid(norm, 100);
        Descent descent = new Descent(GAUSSIAN, norm);
        double best = Double.POSITIVE_INFINITY;
        for (int a = 1; a < 24; a++) {
            for (int b = a + 1; b < 24; b++) {
                Terms terms = LineSearch.of(new double[] {0, a * spacing, b * spacing});
                best = Math.min(best, descent.refit(terms, grid).error());
            }
        }
        double found = Design.ofDimension(GAUSSIAN, plan, 5).error();
        // The coarse grid of 100 points underestimates the largest error by at most (ωh/2)²/2 = 1% with ω ≤ 9.6.
        assertEquals(best, found, 0.01 * best);
    }

    @Test
    @Tag("long")
    void reachesTheErrorOfThePoolProgram() {
        Design design = Design.ofDimension(GAUSSIAN, Plan.DEFAULT.withSpacing(0.02), 11);
        assertEquals(0.00545, design.error(), 0.000005);
        assertEquals(11, design.dimension());
        assertEquals(design.certificate(), design.error(), 1e-4 * design.error());
    }

    @Test
    void aSpacingFinerThanTheProgramsPoolStaysOnMultiples() {
        double spacing = 0.0017;
        Design design = Design.ofDimension(GAUSSIAN, Plan.DEFAULT.withSpacing(spacing), 5);
        for (double multiple : List.of(design.frequency(1)[0] / spacing, design.frequency(2)[0] / spacing)) {
            assertEquals(Math.rint(multiple), multiple, 1e-9);
        }
        double free = Design.ofDimension(GAUSSIAN, Plan.DEFAULT, 5).error();
        // Rounding moves a frequency by at most half the spacing, and the error by M·spacing/2·Σα: 0.27% here.
        assertTrue(design.error() <= free + Math.PI * spacing / 2 * 1.2);
    }
}
