package org.bochner.learn.solve;

import org.bochner.data.Labels;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Monitor;
import org.bochner.learn.linear.OutputMoments;
import org.bochner.stats.GramStatistics;
import org.jspecify.annotations.Nullable;

/** A penalised least-squares problem that is solved from statistics. */
final class StatisticsProblem extends PenaltyProblem {
    private final GramStatistics statistics;
    private @Nullable GramDescent descent;

    StatisticsProblem(Training training, GramStatistics statistics, double slack) {
        super(training, slack);
        this.statistics = statistics;
    }

    /** Returns the solver, created on first use: it holds a D×D matrix, which validation rows do not need. */
    private GramDescent descent() {
        if (descent == null) {
            descent = new GramDescent(statistics, training.workers());
        }
        return descent;
    }

    @Override
    Solution at(double strength, @Nullable Solution start, Monitor monitor) {
        double[] begin = start == null ? descent().start() : start.point();
        return descent().solve(regularizer(strength), stopping(1e-4, 1000), begin, monitor);
    }

    @Override
    LinearModel model(Solution solution) {
        return descent().model(solution.point());
    }

    @Override
    double reference() {
        return formulation.sparse()
                ? descent().largest(regularizer(1))
                : statistics.scatterTrace() / statistics.features() / 10;
    }

    @Override
    double totalRowWeight() {
        return statistics.totalRowWeight();
    }

    @Override
    Labels labels() {
        return statistics.labels();
    }

    /** Returns Σ w (f(z) − y)²/2 from the moments of z and y, divided by the total row weight and the outputs. */
    @Override
    double meanLoss(LinearModel model) {
        double[] zero = new double[model.features()];
        double squares =
                OutputMoments.of(statistics).squaredErrors(statistics, model.weights(), model.intercepts(), zero);
        return squares / (2 * statistics.totalRowWeight() * model.outputs());
    }
}
