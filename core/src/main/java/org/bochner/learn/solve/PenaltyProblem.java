package org.bochner.learn.solve;

import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Monitor;
import org.jspecify.annotations.Nullable;

/** A learner's problem on given rows, to be solved at one strength of the penalty after another. */
interface PenaltyProblem {
    /** The solution at a strength; the solver may begin at another one. */
    Solution at(double strength, @Nullable Solution start, Monitor monitor);

    /** The model that a solution is. */
    LinearModel model(Solution solution);

    /** Of penalties that make weights zero, the least strength at which all are; of others, one in the middle of things. */
    double reference();

    /** Sum of the rows' weights. */
    double weight();

    /** The mean loss of a solution on the rows it was found on, averaged over the outputs. It takes no pass. */
    double trainingLoss(double strength, Solution solution);

    /** The mean loss of a model on these rows, averaged over the outputs. */
    double meanLoss(LinearModel model);
}
