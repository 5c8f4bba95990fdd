package org.bochner.learn.solve;

import java.util.stream.IntStream;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Monitor;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.linear.OutputMoments;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Workers;
import org.bochner.stats.GramStatistics;
import org.jspecify.annotations.Nullable;

/** A penalised least-squares problem that is solved from statistics. */
final class StatisticsProblem implements PenaltyProblem {
    private final Formulation formulation;
    private final FeatureMap map;
    private final double slack;
    private final GramStatistics statistics;
    private final Workers workers;
    private @Nullable GramDescent descent;

    /**
     * Creates a problem.
     *
     * @param slack factor on the tolerances, above 1 if solutions are only compared
     */
    StatisticsProblem(Learner learner, FeatureMap map, GramStatistics statistics, Workers workers, double slack) {
        formulation = Formulation.of(learner);
        this.map = map;
        this.slack = slack;
        this.statistics = statistics;
        this.workers = workers;
    }

    /** Returns the solver, created on first use: it holds a D×D matrix, which validation rows do not need. */
    private GramDescent descent() {
        if (descent == null) {
            descent = new GramDescent(statistics, workers);
        }
        return descent;
    }

    @Override
    public Solution at(double strength, @Nullable Solution start, Monitor monitor) {
        double[] begin = start == null ? descent().start() : start.point();
        StoppingRule stopping = formulation.stopping(1e-4, 1000).looser(slack);
        return descent().solve(formulation.regularizer(strength, map), stopping, begin, monitor);
    }

    @Override
    public LinearModel model(Solution solution) {
        return descent().model(solution.point());
    }

    @Override
    public double reference() {
        return formulation.sparse()
                ? descent().largest(formulation.regularizer(1, map))
                : statistics.scatterTrace() / statistics.features() / 10;
    }

    @Override
    public double totalRowWeight() {
        return statistics.totalRowWeight();
    }

    @Override
    public double trainingLoss(double strength, Solution solution) {
        int outputs = OutputCoding.of(statistics.labels()).count();
        double penalty = formulation.regularizer(strength, map).value(solution.point(), statistics.features(), outputs);
        return (solution.convergence().objective() - penalty) / (totalRowWeight() * outputs);
    }

    /** Returns Σ w (f(z) − y)²/2 from the moments of z and y, divided by the total row weight and the outputs. */
    @Override
    public double meanLoss(LinearModel model) {
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
