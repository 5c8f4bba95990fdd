package org.bochner.learn.solve;

import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Monitor;
import org.jspecify.annotations.Nullable;

/** A learner's problem on given rows, which can be solved at several penalty strengths. */
interface PenaltyProblem {
    /** Solves at a strength, with a warm start if {@code start} is not null. */
    Solution at(double strength, @Nullable Solution start, Monitor monitor);

    /** Returns the model of a solution. */
    LinearModel model(Solution solution);

    /** Returns the least strength at which all weights are zero for sparse penalties, else a medium strength. */
    double reference();

    /** Returns the sum of the row weights. */
    double totalRowWeight();

    /** Returns the mean loss of a solution on the training rows, averaged over the outputs, without a pass. */
    double trainingLoss(double strength, Solution solution);

    /** Returns the mean loss of a model on these rows, averaged over the outputs. */
    double meanLoss(LinearModel model);
}
