package org.bochner.learn.solve;

import java.util.List;
import org.bochner.data.Labels;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Monitor;
import org.bochner.learn.linear.RowLoss;
import org.jspecify.annotations.Nullable;

/** A learner's problem on given rows, which can be solved at several penalty strengths. */
abstract sealed class PenaltyProblem permits FeatureProblem, StatisticsProblem {
    final Training training;
    final Formulation formulation;
    private final double slack;

    /**
     * Creates a problem.
     *
     * @param slack factor on the tolerances, above 1 if solutions are only compared
     */
    PenaltyProblem(Training training, double slack) {
        this.training = training;
        this.slack = slack;
        formulation = Formulation.of(training.learner());
    }

    abstract Labels labels();

    /** Returns the sum of the row weights. */
    abstract double totalRowWeight();

    /** Returns the least strength at which all weights are zero for sparse penalties, else a medium strength. */
    abstract double reference();

    /** Solves at a strength, with a warm start if {@code start} is not null. */
    abstract Solution at(double strength, @Nullable Solution start, Monitor monitor);

    /** Returns the model of a solution. */
    abstract LinearModel model(Solution solution);

    /** Returns the mean loss of a model on these rows, averaged over the outputs. */
    abstract double meanLoss(LinearModel model);

    final Regularizer regularizer(double strength) {
        return formulation.regularizer(strength, training.map());
    }

    final StoppingRule stopping(double tolerance, int iterations) {
        return formulation.stopping(tolerance, iterations).looser(slack);
    }

    /** Returns the losses of a solution; the one on the training rows, averaged over the outputs, takes no pass. */
    final PathPoint point(double strength, Solution solution, LinearModel model, double validationError) {
        RowLoss loss = new RowLoss(formulation.loss(), labels());
        double penalty = regularizer(strength).value(solution.point(), model.features(), model.outputs());
        double sum = solution.convergence().objective() - penalty;
        double mean = sum / (totalRowWeight() * (loss.joint() ? 1 : loss.outputs()));
        return new PathPoint(strength, model.nonZeros(), mean, validationError);
    }

    final LinearFit fit(double strength, Solution solution, double error, List<PathPoint> path, String reason) {
        LinearModel model = model(solution);
        return new LinearFit(model, point(strength, solution, model, error), path, reason, solution.convergence());
    }
}
