package org.bochner.learn.solve;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.learn.Learner;
import org.bochner.learn.PathPoint;
import org.bochner.learn.discriminant.DiscriminantAnalysis;
import org.bochner.learn.discriminant.Priors;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.Monitor;
import org.bochner.learn.ridge.Ridge;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.stats.FeatureSource;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.Statistics;
import org.jspecify.annotations.Nullable;

/**
 * Runs a learner on statistics or on rows, with a given penalty or with one chosen on validation rows.
 *
 * <p>Threads: not safe; each run uses several threads itself.
 *
 * @param map the map of the features, which knows their groups
 * @param monitors returns the monitor of a solution for the learner with that solution's penalty
 * @param refitMonitors returns the monitor of the final fit with the chosen penalty, which may learn from the
 *     validation rows too: the error on rows that it learned from says nothing
 * @param objects what is learned from, in the plural: rows or sets
 */
public record Training(
        Learner learner,
        FeatureMap map,
        Workers workers,
        Seed seed,
        Function<Learner, Monitor> monitors,
        Function<Learner, Monitor> refitMonitors,
        String objects) {
    /** Factor on the tolerance of the solutions that only serve to compare penalties. */
    private static final double SEARCH_SLACK = 10;

    /** Returns the bytes that ridge regression of sparse features by conjugate gradients needs beside the features. */
    public static double conjugateBytes(int features, int outputs, int threads) {
        return ConjugateRidge.bytesNeeded(features, outputs, threads);
    }

    /** Returns the weighted sum of the losses of linear functions over all rows and outputs. */
    public static double totalLoss(FeatureSource rows, Loss loss, LinearModel model) {
        // Points of an objective with the plain penalty are the weights themselves.
        Objective plain = new Objective(rows, loss);
        return Arrays.stream(plain.evaluate(plain.point(model))).sum();
    }

    /** Creates a run with common monitors for all solutions. */
    public Training(Learner learner, FeatureMap map, Workers workers, Seed seed, Function<Learner, Monitor> monitors) {
        this(learner, map, workers, seed, monitors, monitors, "rows");
    }

    /** Returns a copy that uses other monitors for the final fit with the chosen penalty. */
    public Training withRefitMonitors(Function<Learner, Monitor> others) {
        return new Training(learner, map, workers, seed, monitors, others, objects);
    }

    /** Returns a copy that names what is learned from, in the plural: rows or sets. */
    public Training withObjects(String plural) {
        return new Training(learner, map, workers, seed, monitors, refitMonitors, plural);
    }

    /** Learns from statistics. The automatic penalty of ridge regression is found by cross-validation. */
    public LinearFit fit(Statistics statistics, Precision precision) {
        if (learner.isRidge()) {
            Ridge ridge = learner.isAuto() ? Ridge.auto() : Ridge.of(learner.lambda());
            return ridge.fit(statistics, precision, workers);
        }
        Priors priors = Formulation.of(learner).priors();
        if (priors != null) {
            DiscriminantAnalysis analysis = new DiscriminantAnalysis(dense(statistics), priors, workers);
            return learner.isAuto() ? analysis.fit() : analysis.fit(learner.lambda(), "shrinkage was given");
        }
        return given(new StatisticsProblem(this, gram(statistics), 1), null);
    }

    /**
     * Learns from statistics, with the penalty that has the least loss on the validation rows.
     *
     * @param all the statistics of training and validation rows together, for the final fit
     */
    public LinearFit fit(GramStatistics training, GramStatistics validation, GramStatistics all) {
        return chosen(
                new StatisticsProblem(this, gram(training), SEARCH_SLACK),
                new StatisticsProblem(this, gram(validation), SEARCH_SLACK),
                validation.rows(),
                new StatisticsProblem(this, gram(all), 1));
    }

    /** Learns from rows with the given penalty, with a warm start if {@code start} is not null. */
    public LinearFit fit(FeatureSource rows, @Nullable LinearModel start) {
        return given(new FeatureProblem(this, rows, 1), start);
    }

    /**
     * Learns from rows, with the penalty that has the least loss on the validation rows.
     *
     * @param all the rows of the final fit: training and validation rows, or the training rows alone
     */
    public LinearFit fit(FeatureSource training, FeatureSource validation, FeatureSource all) {
        return chosen(
                new FeatureProblem(this, training, SEARCH_SLACK),
                new FeatureProblem(this, validation, SEARCH_SLACK),
                validation.rows(),
                new FeatureProblem(this, all, 1));
    }

    /**
     * Returns one fit per strength, from the strongest down, each with a warm start at the previous one.
     *
     * @param precision the precision in which the products of the statistics were computed
     * @param count the number of strengths
     */
    public List<LinearFit> path(Statistics statistics, Precision precision, int count) {
        Priors priors = Formulation.of(learner).priors();
        if (priors != null) {
            DiscriminantAnalysis analysis = new DiscriminantAnalysis(dense(statistics), priors, workers);
            return IntStream.range(0, count)
                    .mapToObj(i -> analysis.fit(StrictMath.pow(10, -i / 2.0), "one of a path"))
                    .toList();
        }
        if (!learner.isRidge()) {
            return path(new StatisticsProblem(this, gram(statistics), 1), count);
        }
        double reference = statistics.scatterTrace() / statistics.features() / 10;
        List<LinearFit> fits = new ArrayList<>();
        for (double strength : StrengthSearch.grid(learner, reference, count)) {
            fits.add(Ridge.of(strength).fit(statistics, precision, workers));
        }
        return fits;
    }

    /** Returns one fit per strength, as {@link #path(Statistics, Precision, int)} does, learned from rows. */
    public List<LinearFit> path(FeatureSource rows, int count) {
        return path(new FeatureProblem(this, rows, 1), count);
    }

    private List<LinearFit> path(PenaltyProblem problem, int count) {
        List<LinearFit> fits = new ArrayList<>();
        Solution last = null;
        for (double strength : StrengthSearch.grid(learner, problem.reference(), count)) {
            last = problem.at(strength, last, monitors.apply(learner.withLambda(strength)));
            fits.add(problem.fit(strength, last, Double.NaN, List.of(), "one of a path"));
        }
        return fits;
    }

    private LinearFit given(PenaltyProblem problem, @Nullable LinearModel start) {
        Monitor monitor = monitors.apply(learner);
        Solution solution = start != null && problem instanceof FeatureProblem rows
                ? rows.at(learner.lambda(), start, monitor)
                : problem.at(learner.lambda(), null, monitor);
        return problem.fit(learner.lambda(), solution, Double.NaN, List.of(), learner.strengthName() + " was given");
    }

    /**
     * A penalty that was chosen on validation rows.
     *
     * @param strength the penalty, for the training rows
     * @param error the least loss
     * @param path the penalties tried, ascending
     * @param reason the reason of the choice, for display
     */
    public record Choice(double strength, double error, List<PathPoint> path, String reason) {
        /** Returns the choice for rows with a multiple of the row weight, because the loss is a sum over rows. */
        public Choice scaled(double multiple) {
            return new Choice(strength * multiple, error, path, reason);
        }
    }

    /** Returns the penalty that has the least loss on the validation rows. */
    public Choice choose(FeatureSource training, FeatureSource validation) {
        return choice(
                search(
                        new FeatureProblem(this, training, SEARCH_SLACK),
                        new FeatureProblem(this, validation, SEARCH_SLACK)),
                validation.rows());
    }

    /** Returns the penalty that has the least loss on the validation rows, from statistics. */
    public Choice choose(GramStatistics training, GramStatistics validation) {
        return choice(
                search(
                        new StatisticsProblem(this, gram(training), SEARCH_SLACK),
                        new StatisticsProblem(this, gram(validation), SEARCH_SLACK)),
                validation.rows());
    }

    private Choice choice(StrengthSearch.Found<Solution> found, long rows) {
        PathPoint best = found.point();
        return new Choice(best.lambda(), best.validationError(), found.path(), found.reason(rows, objects));
    }

    private StrengthSearch.Found<Solution> search(PenaltyProblem training, PenaltyProblem validation) {
        double reference = training.reference();
        if (!(reference < Double.POSITIVE_INFINITY)) {
            throw new BochnerException(
                    learner.name()
                            + ": sums over the rows are not finite, because the row weights or the features are too large",
                    Remedy.advice("divide all row weights by one number, so that their mean is 1"),
                    Remedy.set(Setting.SCALING, "standard", ""));
        }
        if (reference > 0 && reference < Double.MIN_NORMAL / Math.ulp(1.0)) {
            throw new BochnerException(
                    learner.name()
                            + ": sums over the rows are rounded to 0, because the row weights or the features are too small",
                    Remedy.advice("divide all row weights by one number, so that their mean is 1"),
                    Remedy.set(Setting.SCALING, "standard", ""));
        }
        return new StrengthSearch<Solution>(learner.sparse(), reference, (strength, start) -> {
                    Monitor monitor = monitors.apply(learner.withLambda(strength));
                    Solution solution = training.at(strength, start, monitor);
                    LinearModel model = training.model(solution);
                    PathPoint point = training.point(strength, solution, model, validation.meanLoss(model));
                    return new StrengthSearch.Tried<>(solution, point);
                })
                .run();
    }

    private LinearFit chosen(PenaltyProblem training, PenaltyProblem validation, long rows, PenaltyProblem all) {
        StrengthSearch.Found<Solution> found = search(training, validation);
        double strength = found.point().lambda() * all.totalRowWeight() / training.totalRowWeight();
        Solution solution = all.at(strength, found.solution(), refitMonitors.apply(learner.withLambda(strength)));
        double error = found.point().validationError();
        return all.fit(strength, solution, error, found.path(), found.reason(rows, objects));
    }

    private GramStatistics dense(Statistics statistics) {
        if (statistics instanceof GramStatistics gram) {
            return gram;
        }
        throw new IllegalArgumentException(learner.name() + " needs the inner products of the features");
    }

    private GramStatistics gram(Statistics statistics) {
        if (statistics instanceof GramStatistics gram && map.hasPlainPenalty()) {
            return gram;
        }
        throw new BochnerException(
                learner.name()
                        + " needs features whose penalty is the plain one; use ridge, landmarks(raw), or piecewise without 'sparse'");
    }
}
