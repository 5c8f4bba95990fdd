package org.bochner.design;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.design.Target.Axis;

/**
 * Reduces the error of terms to a local minimum. Each step solves a linear program for the changes of the weights and,
 * to first order, of the frequencies, inside a trust region whose radius shrinks when the program mispredicts the
 * error.
 */
record Descent(Target target, Norm norm) {
    /** The smallest radius of the trust region of a frequency, divided by the length of the longest axis. */
    private static final double SHORTEST_REACH = 1e-9;

    private static final int MOST_EXCHANGES = 12;
    private static final double[] NO_PRICES = {};

    private double[] lengths() {
        return target.axes().stream().mapToDouble(Axis::length).toArray();
    }

    /** Terms, their error on a grid, and the smallest error that any weights on their frequencies have. */
    record State(Terms terms, double error, double certificate) {}

    /** Returns the terms with the best weights for their frequencies. */
    State refit(Terms terms, Grid grid) {
        return refit(terms, grid, NO_PRICES);
    }

    /**
     * Returns the terms with the best weights where each unit of a term's weight has a price. Terms of little use get
     * the weight 0.
     */
    State refit(Terms terms, Grid grid, double[] prices) {
        return priced(terms, grid, prices)
                .map(fitted ->
                        new State(fitted.terms(), grid.norm(norm, grid.errors(fitted.terms())), fitted.predicted()))
                .orElseGet(() -> new State(terms, grid.norm(norm, grid.errors(terms)), 0));
    }

    /** Solves the program for the weights with a price per unit of each weight; empty if it fails. */
    Optional<DesignProgram.Result> priced(Terms terms, Grid grid, double[] prices) {
        DesignProgram fit = new DesignProgram(norm, terms, grid, grid.errors(terms), new int[0], lengths(), prices);
        return attempt(fit, 0, new int[0]);
    }

    /**
     * Returns the indices of the frequencies that may move. Harmonics of a period are fixed, and the frequency 0 stays
     * because its term makes one feature only.
     */
    private int[] movable(Terms terms) {
        return IntStream.range(0, terms.frequencies().length)
                .filter(i -> !target.axes().get(i % terms.columns()).periodic())
                .filter(i -> terms.form() == Form.MODULATION
                        ? terms.frequencies()[i] != 0
                        : terms.dimension(i / terms.columns()) > 1)
                .toArray();
    }

    /**
     * Moves frequencies and weights in at most {@code most} steps; ends when a step gains less than {@code share} of
     * the error.
     */
    State descend(Terms start, Grid grid, int most, double share) {
        State best = refit(start, grid);
        double reach = 1;
        double longest = Arrays.stream(lengths()).max().orElse(1);
        int[] vertex = {};
        for (int step = 0; step < most && reach > SHORTEST_REACH; step++) {
            int[] movable = movable(best.terms());
            if (movable.length == 0) {
                return best;
            }
            DesignProgram fit = new DesignProgram(
                    norm, best.terms(), grid, grid.errors(best.terms()), movable, lengths(), NO_PRICES);
            boolean moved = false;
            while (reach > SHORTEST_REACH && !moved) {
                Optional<DesignProgram.Result> solved = attempt(fit, reach / longest, vertex);
                if (solved.isEmpty()) {
                    return best;
                }
                DesignProgram.Result result = solved.get();
                vertex = result.vertex();
                double error = grid.norm(norm, grid.errors(result.terms()));
                double gain = best.error() - error;
                double predictedGain = best.error() - result.predicted();
                if (predictedGain <= share * best.error()) {
                    return best;
                }
                if (gain < 0.25 * predictedGain) {
                    reach /= 3;
                } else if (gain > 0.7 * predictedGain) {
                    reach = Math.min(1, 2 * reach);
                }
                if (gain > 0.05 * predictedGain) {
                    best = new State(result.terms(), error, best.certificate());
                    moved = true;
                }
            }
        }
        return best;
    }

    /** Solves the program; empty if it fails, which happens when the error consists of rounding only. */
    private static Optional<DesignProgram.Result> attempt(DesignProgram fit, double reach, int[] vertex) {
        try {
            return Optional.of(fit.solve(reach, vertex));
        } catch (BochnerException e) {
            return Optional.empty();
        }
    }

    /**
     * Descends on a grid that grows at the points of the largest error, until the error between grid points is at most
     * {@code share} above the error on them. Ends with the best weights and their certificate.
     *
     * @param move true if frequencies may move
     */
    State exchange(Terms start, Grid grid, Lattice lattice, boolean move, double share) {
        State state = move ? descend(start, grid, 200, 0.1 * share) : refit(start, grid);
        for (int round = 0; norm == Norm.LARGEST && round < MOST_EXCHANGES; round++) {
            int most = 4 * state.terms().count() * (1 + state.terms().columns());
            if (lattice.addWorst(state.terms(), (1 + share) * state.error(), most, grid) == 0) {
                break;
            }
            state = move ? descend(state.terms(), grid, 60, 0.1 * share) : refit(state.terms(), grid);
        }
        return refit(state.terms(), grid);
    }
}
