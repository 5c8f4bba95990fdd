package org.bochner.tune;

import java.util.function.DoubleUnaryOperator;
import org.bochner.learn.Learner;
import org.bochner.map.FeatureMap;
import org.bochner.model.KernelMachine;
import org.bochner.numeric.matrix.NotPositiveDefiniteException;
import org.bochner.tune.scales.PenaltyProblem;
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
        Learner learner = machine.learner();
        if (learner.isRidge() && !learner.isAuto()) {
            lambda = learner.lambda();
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
            lambda = descend(penalty -> problem.evaluate(penalty).value(), problem.largestPenalty());
        }
    }

    /** Descends from the current penalty in steps of √10, up to {@code largest}; returns the best penalty. */
    private double descend(DoubleUnaryOperator value, double largest) {
        double best = lambda;
        double least = valueAt(value, best);
        for (double factor : new double[] {Math.sqrt(10), 1 / Math.sqrt(10)}) {
            boolean gains = true;
            while (gains && best * factor < largest) {
                double next = valueAt(value, best * factor);
                gains = next < least;
                best = gains ? best * factor : best;
                least = gains ? next : least;
            }
        }
        return best;
    }

    private static double valueAt(DoubleUnaryOperator value, double penalty) {
        try {
            return value.applyAsDouble(penalty);
        } catch (NotPositiveDefiniteException e) {
            return Double.POSITIVE_INFINITY;
        }
    }
}
