package org.bochner.learn.solve;

import java.util.stream.IntStream;
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
        OutputMoments targets = OutputMoments.of(statistics);
        int outputs = targets.squares().length;
        double[] mean = statistics.mean();
        double sum = 0;
        for (int o = 0; o < outputs; o++) {
            double squares = targets.squares()[o];
            double shift = model.intercept(o) - targets.means()[o];
            int[] used = used(model, o);
            for (int j : used) {
                double weight = model.weight(j, o);
                double product = 0;
                for (int k : used) {
                    product += statistics.scatter(j, k) * model.weight(k, o);
                }
                shift += weight * mean[j];
                squares += weight * (product - 2 * targets.cross()[j * outputs + o]);
            }
            sum += squares + statistics.totalRowWeight() * shift * shift;
        }
        return sum / (2 * statistics.totalRowWeight() * outputs);
    }

    private static int[] used(LinearModel model, int output) {
        return IntStream.range(0, model.features())
                .filter(j -> model.weight(j, output) != 0)
                .toArray();
    }
}
