package org.bochner.numeric.program;

import java.util.Arrays;
import org.bochner.numeric.optimise.Vectors;

/** The prices of the rows, and the choice of the variable that enters the basis. */
final class Pricing {
    /** The number of candidate columns that each step examines. */
    private static final int MOST_CANDIDATES = 40;

    /**
     * A full pricing is skipped while a candidate reaches this share of the best column of the last one. Accepting any
     * column that improves takes twice the steps, and many more if columns are nearly dependent.
     */
    private static final double GOOD_CANDIDATE = 0.5;

    private final Variables variables;
    private final Basis basis;
    private final int rows;

    /** The costs of the basic variables: their own, or the signs of their infeasibilities. */
    final double[] basicCosts;

    final double[] prices;
    double pricesLength;

    /** True while the sum of infeasibilities is minimised. */
    boolean phaseOne;

    /** True to examine all variables in every step. */
    boolean careful;

    /** The best variables of the last full pricing, and the largest gain among them. */
    private final int[] candidates = new int[MOST_CANDIDATES];

    private final double[] gains = new double[MOST_CANDIDATES];
    private int candidateCount;
    private double mostGain;

    Pricing(Variables variables, Basis basis) {
        this.variables = variables;
        this.basis = basis;
        this.rows = variables.rows;
        this.basicCosts = new double[rows];
        this.prices = new double[rows];
    }

    /** Computes the prices of the basis: of the costs, or of the sum of infeasibilities while there are any. */
    void price() {
        boolean wasPhaseOne = phaseOne;
        phaseOne = false;
        for (int i = 0; i < rows; i++) {
            basicCosts[i] = Math.signum(basis.outside(i));
            phaseOne |= basicCosts[i] != 0;
        }
        for (int i = 0; i < rows && !phaseOne; i++) {
            basicCosts[i] = basis.basis[i] < 0 ? 0 : variables.costs[basis.basis[i]];
        }
        if (phaseOne != wasPhaseOne) {
            candidateCount = 0;
        }
        // In phase two, the steps update the prices.
        if (phaseOne || wasPhaseOne || basis.stepsSinceInverse == 0) {
            Arrays.fill(prices, 0);
            addPrices(basicCosts);
        }
        if (basis.stepsSinceInverse == 0) {
            addPrices(errorsOfPrices());
        }
        pricesLength = Math.sqrt(Vectors.dot(prices, 0, prices, 0, rows));
    }

    void addPrices(double[] costsOfRows) {
        for (int i = 0; i < rows; i++) {
            if (costsOfRows[i] != 0) {
                Vectors.add(costsOfRows[i], basis.inverse, i * rows, prices, 0, rows);
            }
        }
    }

    /** Returns the reduced costs of the basic variables, which should be 0. */
    double[] errorsOfPrices() {
        double[] errors = new double[rows];
        for (int i = 0; i < rows; i++) {
            errors[i] = basicCosts[i]
                    - (basis.basis[i] < 0 ? prices[-1 - basis.basis[i]] : variables.dot(prices, basis.basis[i]));
        }
        return errors;
    }

    double reduced(int variable) {
        return (phaseOne ? 0 : variables.costs[variable]) - variables.dot(prices, variable);
    }

    /** Returns the variable with the largest gain per unit step, or −1 if none improves. */
    int entering() {
        int best = bestCandidate();
        if (best < 0 || careful || gain(best) < GOOD_CANDIDATE * mostGain) {
            collectCandidates();
            best = bestCandidate();
            mostGain = best < 0 ? 0 : gain(best);
        }
        return best;
    }

    int bestCandidate() {
        int best = -1;
        double most = 0;
        for (int c = 0; c < candidateCount; c++) {
            double gain = gain(candidates[c]);
            if (gain > most) {
                most = gain;
                best = candidates[c];
            }
        }
        return best;
    }

    /** Collects the best columns; all that improve if there is room. */
    void collectCandidates() {
        candidateCount = 0;
        int least = 0;
        for (int j = 0; j < variables.count; j++) {
            double gain = gain(j);
            boolean full = candidateCount == MOST_CANDIDATES;
            if (gain > (full ? gains[least] : 0)) {
                int at = full ? least : candidateCount++;
                candidates[at] = j;
                gains[at] = gain;
                least = leastCandidate();
            }
        }
    }

    int leastCandidate() {
        int least = 0;
        for (int c = 1; c < candidateCount; c++) {
            least = gains[c] < gains[least] ? c : least;
        }
        return least;
    }

    /** Returns the gain per unit step of a variable; 0 if it does not improve or cannot move. */
    double gain(int variable) {
        if (variables.places[variable] >= 0 || variables.lower[variable] == variables.upper[variable]) {
            return 0;
        }
        double d = reduced(variable);
        double rounding =
                Basis.ROUNDING * (pricesLength * variables.lengths[variable] + Math.abs(variables.costs[variable]));
        double x = variables.values[variable];
        boolean canImprove = d < 0
                ? x < variables.upper[variable] - basis.tolerance(x)
                : x > variables.lower[variable] + basis.tolerance(x);
        return canImprove && Math.abs(d) > basis.tolerance + rounding ? Math.abs(d) / variables.lengths[variable] : 0;
    }
}
