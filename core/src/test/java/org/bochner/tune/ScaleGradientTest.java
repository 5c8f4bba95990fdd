package org.bochner.tune;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.bochner.Pairwise;
import org.bochner.data.Labels;
import org.bochner.data.RowSource;
import org.bochner.map.ParameterKind;
import org.bochner.numeric.optimise.SmoothFunction;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.stats.SparseTable;
import org.bochner.tune.scales.Parametrization;
import org.bochner.tune.scales.ScaleObjective;
import org.bochner.tune.scales.ScalePenalty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Derivatives of every criterion by every kind of parameter of every kernel, against differences of its values. */
class ScaleGradientTest {
    private static final List<String> CRITERIA =
            List.of("train", "validation", "cv(folds=3)", "gcv", "loo", "evidence");

    /** A map and a kernel, each with scales that differ where they can. */
    private static final List<List<String>> MAPS = List.of(
            List.of("fourier", "gaussian(sigma=[0:1=0.5, 1:4=0.8])"),
            List.of("fourier(phase)", "gaussian(sigma=0.7)"),
            List.of("orthogonal", "gaussian(sigma=0.7)"),
            List.of("structured", "gaussian(sigma=[0:2=0.9, 2:4=0.6])"),
            List.of("fourier", "laplacian(sigma=2)"),
            List.of("quasi(phase)", "cauchy(sigma=0.9)"),
            List.of("fourier", "matern(nu=1.5, sigma=0.8)"),
            List.of("fourier", "skewed-chi2(c=0.1, power=[0:2=0.5, 2:4=0.8])"),
            List.of("fourier(phase)", "skewed-intersection(c=0.2, power=0.3)"),
            List.of("fourier", "exp-chi2(gamma=1)"),
            List.of("fourier(phase)", "laplace-chi2(beta=0.8)"),
            List.of("fourier", "matern-intersection(nu=2.5, sigma=0.8)"),
            List.of("fourier", "gaussian(sigma=0.7)[0:2] + 0.5*laplacian(sigma=2)[2:4]"),
            List.of(
                    "fourier + fourier + sampled(order=1)",
                    "0.3*exp-chi2(gamma=1)[0:2] + matern(nu=2.5, sigma=1)[2:4] + chi2[2:4]"),
            List.of("fourier", "gaussian(sigma=0.8)[0:3] * periodic(period=2, width=0.7)[3:4]"),
            List.of("none", "gaussian(sigma=[0:1=0.5, 1:4=0.8])"),
            List.of("none", "laplacian(sigma=2)"),
            List.of("none", "skewed-chi2(c=0.1, power=[0:2=0.5, 2:4=0.8])"),
            List.of("none", "matern-chi2(nu=1.5, sigma=0.8)"),
            List.of("none", "laplace-chi2(beta=0.8)"),
            List.of("none", "0.3*exp-chi2(gamma=1)[0:2] + matern(nu=2.5, sigma=1)[2:4] + chi2[2:4]"),
            List.of("none", "gaussian(sigma=0.8)[0:3] * periodic(period=2, width=0.7)[3:4]"));

    /** Every pair of map, criterion, sharing and kind of target, where the map has parameters that are shared so. */
    static Stream<Arguments> cases() {
        Sharing[] sharings = Sharing.values();
        return Pairwise.of(
                        c -> SmallProblem.map(
                                                MAPS.get(c[0]).get(0),
                                                MAPS.get(c[0]).get(1))
                                        .parameters(sharings[c[2]].kind())
                                        .count()
                                > 0,
                        MAPS.size(),
                        CRITERIA.size(),
                        sharings.length,
                        2)
                .stream()
                .map(c -> Arguments.of(
                        MAPS.get(c[0]).get(0), MAPS.get(c[0]).get(1), CRITERIA.get(c[1]), sharings[c[2]], c[3] == 1));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isTheLimitOfDifferences(String map, String kernel, String criterion, Sharing sharing, boolean classes) {
        Parametrization.Form form =
                sharing == Sharing.FREQUENCY ? Parametrization.Form.VALUE : Parametrization.Form.LOGARITHM;
        RowSource source = classes ? SmallProblem.classes() : SmallProblem.numbers();
        check(SmallProblem.of(source, map, kernel), criterion, sharing, form, ScalePenalty.NONE);
    }

    @ParameterizedTest
    @MethodSource("criteria")
    void holdsForClassesThatCountDifferently(String criterion) {
        SmallProblem problem = SmallProblem.of(SmallProblem.classes(), "fourier", "gaussian(sigma=0.6)")
                .withClassWeights(0.5, 1, 3);
        check(problem, criterion, Sharing.COLUMN, Parametrization.Form.LOGARITHM, ScalePenalty.NONE);
    }

    @ParameterizedTest
    @MethodSource("criteria")
    void holdsForExactKernelsWithClassesThatCountDifferently(String criterion) {
        SmallProblem problem = SmallProblem.of(SmallProblem.classes(), "none", "gaussian(sigma=0.6)")
                .withClassWeights(0.5, 1, 3);
        check(problem, criterion, Sharing.COLUMN, Parametrization.Form.LOGARITHM, ScalePenalty.NONE);
        check(problem, criterion, Sharing.RANGE, Parametrization.Form.FACTOR, new ScalePenalty(0, 0.3));
    }

    @ParameterizedTest
    @MethodSource("criteria")
    void holdsForSparseRows(String criterion) {
        SparseTable table =
                new SparseTable(SmallProblem.ROWS, SmallProblem.COLUMNS, new Labels.Numbers(List.of("y")), new Seed(8));
        Arrays.setAll(table.weights, i -> 0.5 + i % 3);
        int turn = CRITERIA.indexOf(criterion);
        for (String kernel : List.of("gaussian(sigma=0.6)", "skewed-chi2(c=0.1, power=0.5)", "exp-chi2(gamma=1)")) {
            // Both kinds of parameters by turns, so that each occurs with each kernel and with each criterion.
            boolean ofFrequencies = turn++ % 2 == 0;
            check(
                    SmallProblem.of(table, "fourier", kernel),
                    criterion,
                    ofFrequencies ? Sharing.FREQUENCY : Sharing.COLUMN,
                    ofFrequencies ? Parametrization.Form.VALUE : Parametrization.Form.LOGARITHM,
                    ScalePenalty.NONE);
        }
    }

    @ParameterizedTest
    @MethodSource("criteria")
    void holdsForFactorsAndWithPenaltiesOnWhatMoves(String criterion) {
        SmallProblem problem = SmallProblem.of(SmallProblem.numbers(), "fourier", "gaussian(sigma=[0:1=0.5, 1:4=0.8])");
        ScalePenalty penalty = new ScalePenalty(0, 0.3);
        check(problem, criterion, Sharing.COLUMN, Parametrization.Form.FACTOR, penalty);
        check(problem, criterion, Sharing.RANGE, Parametrization.Form.LOGARITHM, penalty);
        check(problem, criterion, Sharing.FREQUENCY, Parametrization.Form.VALUE, penalty);
    }

    static Stream<String> criteria() {
        return CRITERIA.stream();
    }

    @ParameterizedTest
    @CsvSource({
        "'gaussian(sigma=0.6)'",
        "'exp-chi2(gamma=1)'",
        "'gaussian(sigma=0.7)[0:2] + 0.5*laplacian(sigma=2)[2:4]'"
    })
    void isNoNumberWhereATermHasNoColumnThatCounts(String kernel) {
        SmallProblem problem = SmallProblem.of(SmallProblem.numbers(), "fourier", kernel);
        Parametrization moves = problem.moves(Sharing.COLUMN, Parametrization.Form.FACTOR);
        ScaleObjective objective = problem.objective(Criterion.usual(), moves, ScalePenalty.NONE);
        double[] point = problem.origin(objective, moves);
        double[] gradient = new double[point.length];
        assertTrue(Double.isFinite(objective.at(point, gradient)));
        Arrays.fill(point, 0, Math.min(2, moves.count()), 0);
        boolean someLeft = kernel.startsWith("gaussian(sigma=0.6)");
        assertEquals(someLeft, Double.isFinite(objective.at(point, gradient)));
        Arrays.fill(point, 0, moves.count(), 0);
        assertTrue(Double.isNaN(objective.at(point, gradient)));
    }

    /** The scale prior is a function of logarithms of scales; other coordinates have none. */
    @Test
    void refusesTheScalePriorOfFactors() {
        SmallProblem problem = SmallProblem.of(SmallProblem.numbers(), "fourier", "gaussian(sigma=0.6)");
        Parametrization moves = problem.moves(Sharing.ONE, Parametrization.Form.FACTOR);
        ScaleObjective objective = problem.objective(Criterion.usual(), moves, new ScalePenalty(0, 0, 0.1));
        double[] point = problem.origin(objective, moves);
        Exception e = assertThrows(IllegalArgumentException.class, () -> objective.at(point, new double[point.length]));
        assertTrue(String.valueOf(e.getMessage()).contains("scalePrior"), e::getMessage);
    }

    @Test
    void structuredFrequenciesDoNotMoveOneByOne() {
        assertEquals(
                0,
                SmallProblem.map("structured", "gaussian(sigma=1)")
                        .parameters(ParameterKind.FREQUENCIES)
                        .count());
    }

    private static void check(
            SmallProblem problem, String criterion, Sharing sharing, Parametrization.Form form, ScalePenalty penalty) {
        Parametrization moves = problem.moves(sharing, form);
        ScaleObjective objective = problem.objective(Criterion.parse(criterion), moves, penalty);
        double[] point = problem.origin(objective, moves);
        RandomStream stream = new Seed(9).stream();
        // Away from the start, where all factors are 1 and what takes one for another is not seen.
        for (int c = 0; c < moves.count(); c++) {
            point[c] += 0.1 * stream.nextUniform();
        }
        double[] gradient = new double[point.length];
        double value = objective.at(point, gradient);
        for (double[] direction : directions(point.length, stream)) {
            double slope = 0;
            for (int c = 0; c < point.length; c++) {
                slope += gradient[c] * direction[c];
            }
            Limit limit = Limit.of(objective, point, direction);
            double size = value + Arrays.stream(gradient).map(Math::abs).max().orElseThrow();
            // Differences must have come so near to a limit, or they say nothing: an error of 1 in 10⁶ would be seen.
            assertTrue(limit.error < 1e-6 * size, "differences come no nearer than " + limit.error);
            assertEquals(limit.slope, slope, 10 * limit.error + 1e-9 * size);
        }
    }

    /** Along every coordinate of a few; of many, along the last and one at random, in which every coordinate counts. */
    private static List<double[]> directions(int size, RandomStream stream) {
        List<double[]> directions = new ArrayList<>();
        boolean few = size <= 3;
        for (int c = few ? 0 : size - 1; c < size; c++) {
            double[] direction = new double[size];
            direction[c] = 1;
            directions.add(direction);
        }
        if (!few) {
            double[] direction = new double[size];
            Arrays.setAll(direction, c -> (2 * stream.nextUniform() - 1) / Math.sqrt(size));
            directions.add(direction);
        }
        return directions;
    }

    /**
     * What central differences tend to. From steps h and h/4, (16·D(h/4) − D(h))/15 is wrong by O(h⁴); of such numbers for
     * smaller and smaller h, which come nearer until rounding, ε·|f|/h, takes over, the one that is taken differs least from
     * those before, and that difference is taken for its error. Frequencies of heavy-tailed spectra reach 1000, where h has
     * to be below 1e-4, and rounding leaves 1e-8.
     */
    private record Limit(double slope, double error) {
        static Limit of(SmoothFunction function, double[] point, double[] direction) {
            Limit best = new Limit(Double.NaN, Double.POSITIVE_INFINITY);
            double step = 0x1p-8;
            double before = Double.NaN;
            double lastChange = Double.NaN;
            double wide = difference(function, point, direction, step);
            for (int k = 0; k < 6; k++) {
                step /= 4;
                double narrow = difference(function, point, direction, step);
                double slope = (16 * narrow - wide) / 15;
                double change = Math.abs(slope - before);
                // Two changes, because one may be small by chance.
                if (change + lastChange < best.error) {
                    best = new Limit(slope, change + lastChange);
                }
                lastChange = change;
                before = slope;
                wide = narrow;
            }
            return best;
        }

        private static double difference(SmoothFunction function, double[] point, double[] direction, double step) {
            return (value(function, point, direction, step) - value(function, point, direction, -step)) / (2 * step);
        }

        private static double value(SmoothFunction function, double[] point, double[] direction, double step) {
            double[] moved = point.clone();
            for (int c = 0; c < moved.length; c++) {
                moved[c] += step * direction[c];
            }
            return function.at(moved, new double[moved.length]);
        }
    }
}
