package org.bochner.tune;

import java.util.function.DoubleUnaryOperator;
import org.bochner.map.FeatureMap;
import org.bochner.model.KernelMachine;
import org.bochner.numeric.matrix.NotPositiveDefiniteException;
import org.bochner.tune.scales.PenaltyProblem;
import org.bochner.tune.scales.RidgeFolds;
import org.bochner.tune.scales.ScaleCriterion;

/**
 * The penalty of the criterion during a search: given by the learner, or chosen and then moved together with the
 * scales.
 */
final class SearchPenalty {
    private final KernelMachine machine;
    private final Criterion criterion;

    /** NaN until it is known. */
    private double lambda = Double.NaN;

    private boolean moves;

    SearchPenalty(KernelLearning recipe) {
        machine = recipe.machine;
        criterion = recipe.criterion;
    }

    double lambda() {
        return lambda;
    }

    void set(double value) {
        lambda = value;
    }

    /** Returns true if the penalty moves together with the scales. */
    boolean moves() {
        return moves;
    }

    /** Starts from the penalty of an earlier search. */
    void resume(double earlier) {
        lambda = earlier;
        moves = criterion.choosesPenalty();
    }

    /** Starts from a penalty that the learner has found for its own loss. */
    void startFromLearner(double found) {
        lambda = found;
        moves = true;
    }

    /**
     * Chooses the initial penalty: the given one, or the best one at these scales, by the criterion if it needs no
     * further pass over the rows. A penalty that is far off would lead the scales astray.
     */
    void choose(ScaleCriterion ridge, FeatureMap map) {
        if (isGiven()) {
            lambda = machine.learner().lambda();
            return;
        }
        moves = criterion.choosesPenalty();
        if (lambda > 0 && !(moves && ridge.comparesPenalties())) {
            return;
        }
        PenaltyProblem problem = ridge.prepare(map);
        if (!(lambda > 0)) {
            lambda = problem.usualPenalty(machine.precision());
        }
        if (moves && ridge.comparesPenalties()) {
            DoubleUnaryOperator value = penalty -> problem.evaluate(penalty).value();
            Chosen first = new Chosen(lambda, valueAt(value, lambda));
            lambda = descend(value, first, ridge.smallestPenalty(), problem.largestPenalty())
                    .lambda();
        }
    }

    /** A penalty and the criterion at it. */
    record Chosen(double lambda, double value) {}

    /** Returns true if the penalty is the same for all scales: a given one, or one that the criterion cannot choose. */
    boolean isFixed() {
        return isGiven() || !criterion.choosesPenalty();
    }

    private boolean isGiven() {
        return machine.learner().isRidge() && !machine.learner().isAuto();
    }

    /**
     * Returns the best penalty of a problem near an earlier one, and the criterion there. A {@linkplain #isFixed() fixed} penalty
     * is kept, in proportion to the problem.
     *
     * @param earlier NaN if there is none
     * @param compares true if further penalties cost little
     * @param limit the criterion at the earlier penalty above which no further ones are compared
     * @param share the size of the problem as a share of the whole one: the share of the rows times that of the features. Of all
     *     cosine features, some have inner products that are smaller by their share, so the same fit has a smaller penalty
     */
    Chosen near(RidgeFolds problem, double earlier, boolean compares, double limit, double share) {
        double smallest = problem.smallestPenalty(machine.precision());
        double from = isFixed()
                ? share * (isGiven() ? machine.learner().lambda() : lambda)
                : earlier > 0 ? earlier : problem.usualPenalty(machine.precision());
        DoubleUnaryOperator value = penalty -> problem.evaluate(penalty).value();
        double first = isGiven() ? from : Math.max(smallest, from);
        Chosen found = new Chosen(first, valueAt(value, first));
        return compares && !isFixed() && found.value < limit
                ? descend(value, found, smallest, problem.largestPenalty())
                : found;
    }

    /** Descends from a penalty in steps of √10, between limits; returns the best penalty. */
    private static Chosen descend(DoubleUnaryOperator value, Chosen from, double smallest, double largest) {
        double best = from.lambda;
        double least = from.value;
        for (double factor : new double[] {Math.sqrt(10), 1 / Math.sqrt(10)}) {
            boolean gains = true;
            while (gains && best * factor < largest && best * factor >= smallest) {
                double next = valueAt(value, best * factor);
                gains = next < least;
                best = gains ? best * factor : best;
                least = gains ? next : least;
            }
        }
        return new Chosen(best, least);
    }

    private static double valueAt(DoubleUnaryOperator value, double penalty) {
        try {
            return value.applyAsDouble(penalty);
        } catch (NotPositiveDefiniteException e) {
            return Double.POSITIVE_INFINITY;
        }
    }
}
