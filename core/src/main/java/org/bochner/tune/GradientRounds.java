package org.bochner.tune;

import java.util.Arrays;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.SpellingException;
import org.bochner.data.RowBlock;
import org.bochner.map.FeatureMap;
import org.bochner.map.layout.RowGradients;
import org.bochner.model.Transformer;
import org.bochner.numeric.optimise.Minimum;
import org.bochner.stats.RowWeights;
import org.bochner.tune.scales.RidgeFolds;
import org.jspecify.annotations.Nullable;

/**
 * The rounds of a recursive feature machine (Radhakrishnan, Beaglehole, Pandit and Belkin, 2024). Each round fits ridge
 * regression, averages the outer products of the gradients of the fitted functions, and takes the result as the metric
 * of the next kernel. The step to it, one factor of all scales and the penalty are chosen by the criterion. The
 * best metric is kept.
 *
 * <p>The rounds use some of the features, and a sample of the rows if there are many; a last search for the factor uses
 * all.
 */
final class GradientRounds {
    /** The factor between neighbouring scales that are tried. */
    private static final double STEP = Math.sqrt(2);

    /** The most steps in one direction. */
    private static final int MOST_STEPS = 8;

    /** The share of the features that the rounds use, and the fewest features. */
    private static final double USED = 0.25;

    private static final int FEWEST_FEATURES = 500;

    /** Rows of the sample: at least this many, and this many per feature. */
    private static final int LEAST_SAMPLE = 5_000;

    private static final int LEAST_SAMPLE_OF_MATRIX = 10_000;

    private static final int SAMPLE_PER_FEATURE = 8;

    /**
     * How much work the rounds do. With few rows, a round is cheap, and every gain is worth it.
     *
     * @param longest the longest step of a round. The averages change slowly from round to round, because a kernel with long
     *     scales cannot show how fast the targets vary. Longer steps, in logarithms of scales, save rounds; they do not move
     *     the scales at which the rounds come to rest
     * @param leastGain a round that reduces the criterion by less than this share is the last one
     * @param near other penalties are compared only where the criterion is less than this share above the best one: a better
     *     penalty seldom gains more between neighbouring scales, and each one costs a factorisation per fold
     */
    private record Effort(double longest, double leastGain, double near) {
        static final Effort FULL = new Effort(1, 1e-3, Double.POSITIVE_INFINITY);
        static final Effort ON_SAMPLE = new Effort(4, 3e-3, 0.02);
    }

    private final ScaleSearch search;
    private final SearchStage all;
    private final LearningMethod method;
    private final Notes notes;
    private final Transformer start;
    private int evaluations;

    /** The criterion on all rows with all features, before and after. */
    private double before = Double.NaN;

    private double after = Double.NaN;

    GradientRounds(ScaleSearch search, SearchStage all, Transformer start, Notes notes) {
        this.search = search;
        this.all = all;
        this.start = start;
        this.notes = notes;
        method = search.recipe.method;
    }

    /**
     * A metric with a factor and the best penalty for it.
     *
     * @param metric the metric, in the form of {@link Metric}
     * @param factor the factor of all frequency scales
     * @param value the criterion
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Trial(double[] metric, double factor, double lambda, double value) {
        Trial withMetric(double[] other) {
            return new Trial(other, factor, lambda, value);
        }

        Trial withValue(double other) {
            return new Trial(metric, factor, lambda, other);
        }

        Trial withFactor(double other) {
            return new Trial(metric, other, lambda, value);
        }

        /** Returns a trial that says nothing about the criterion. */
        Trial withPenalty(double other) {
            return new Trial(metric, factor, other, Double.POSITIVE_INFINITY);
        }
    }

    /** The rows and features of trials, and the work that the rounds do there. */
    private record Place(SearchStage stage, Metric metrics, FeatureMap map, Effort effort) {
        boolean takesSteps() {
            return effort.longest > 1 && metrics.takesSteps();
        }
    }

    /** Returns the transformer with the best metric; its penalty becomes that of the search. */
    Transformer run(long rows) {
        FeatureMap map = start.map();
        requireGradients(map);
        Metric metrics = method.full()
                ? new MatrixMetric(start, search.workers.threads())
                : new ColumnMetric(search.recipe, start);
        FeatureMap some = some(map);
        long sample = Math.max(
                method.full() ? LEAST_SAMPLE_OF_MATRIX : LEAST_SAMPLE,
                (long) SAMPLE_PER_FEATURE * some.outputDimension());
        boolean sampled = search.recipe.sampling && rows > 1.5 * sample;
        boolean partly = sampled || some != map;
        SearchStage stage = sampled ? all.sample(sample, rows) : all;
        Place place = new Place(stage, metrics, some, sampled ? Effort.ON_SAMPLE : Effort.FULL);
        long began = System.nanoTime();
        Trial initial = evaluate(place, new Trial(metrics.initial(), 1, Double.NaN, Double.POSITIVE_INFINITY));
        Trial best = climbFactor(place, initial);
        log(stage, 0, best);
        boolean gains = true;
        for (int round = 1; gains && round <= method.rounds() && !search.log.stopped(); round++) {
            double[] average = average(place, best, round, sampled || search.searchesSample());
            if (average.length == 0) {
                break;
            }
            Trial trial = climbFactor(place, step(place, average, best));
            log(stage, round, trial);
            gains = trial.value < (1 - place.effort.leastGain) * best.value;
            best = trial.value < best.value ? trial : best;
        }
        before = initial.value;
        if (partly) {
            double share = (double) map.outputDimension() / some.outputDimension();
            Place whole = new Place(all, metrics, map, place.effort);
            before = evaluate(whole, initial.withPenalty(initial.lambda * share)).value;
            Trial there = evaluate(whole, best.withPenalty(best.lambda * share));
            // More rows allow shorter scales, not longer ones.
            best = sampled ? climbUp(whole, there) : climbFactor(whole, there);
            log(all, 0, best);
        }
        after = best.value;
        all.end(search.log.stopped() ? Minimum.End.STOPPED : gains ? Minimum.End.ITERATIONS : Minimum.End.DECREASE);
        search.log.addEvaluations(evaluations, began);
        search.penalty.set(best.lambda);
        return metrics.transformer(best.metric, best.factor);
    }

    /** Returns the criterion at the initial scales, on all rows with all features. */
    double before() {
        return before;
    }

    /** Returns the criterion at the learned scales, on all rows with all features. */
    double after() {
        return after;
    }

    private void log(SearchStage stage, int round, Trial trial) {
        search.log.round(method, stage.name(), round, trial.value);
    }

    /** Fails if the functions of the map have no gradients. */
    private static void requireGradients(FeatureMap map) {
        if (RowGradients.of(map, new double[map.outputDimension()], 1) == null) {
            throw new SpellingException(
                    map.kernel() + ": the features of its map have no gradients with respect to the columns, which agop"
                            + " needs",
                    Remedy.set(Setting.METHOD, "gradient", "learns the scales of this map"),
                    Remedy.set(Setting.MAP, "fourier", "with a kernel such as gaussian has gradients"));
        }
    }

    /** Returns the map with the first part of the features of each term. */
    private static FeatureMap some(FeatureMap map) {
        double share = Math.max(USED, (double) FEWEST_FEATURES / map.outputDimension());
        if (share >= 1) {
            return map;
        }
        int[] units = map.units();
        int[] terms = map.terms();
        int count = Arrays.stream(terms).max().orElse(0) + 1;
        int[] first = new int[count];
        int[] end = new int[count];
        Arrays.fill(first, Integer.MAX_VALUE);
        for (int j = 0; j < units.length; j++) {
            first[terms[j]] = Math.min(first[terms[j]], units[j]);
            end[terms[j]] = Math.max(end[terms[j]], units[j] + 1);
        }
        return map.restrict(IntStream.range(0, units.length)
                .filter(j -> {
                    int t = terms[j];
                    return units[j] - first[t] < Math.ceil(share * (end[t] - first[t]));
                })
                .toArray());
    }

    /** Returns the best of the factors near the one of a trial. */
    private Trial climbFactor(Place place, Trial from) {
        Trial best = climbUp(place, from);
        // If larger scales do better, smaller ones do not.
        return best.equals(from) ? climb(from, at -> evaluate(place, at.withFactor(at.factor / STEP))) : best;
    }

    private Trial climbUp(Place place, Trial from) {
        return climb(from, at -> evaluate(place, at.withFactor(at.factor * STEP)));
    }

    /** Returns the best of the steps from the metric of a trial to that of its gradients, or beyond it. */
    private Trial step(Place place, double[] average, Trial from) {
        double[] to = place.metrics.of(average);
        Trial whole = evaluate(place, from.withMetric(to));
        if (!place.takesSteps()) {
            return whole;
        }
        Trial best = whole;
        for (double step = 2; step <= place.effort.longest; step *= 2) {
            Trial next = evaluate(
                    place,
                    from.withMetric(place.metrics.step(from.metric, to, step)).withValue(best.value));
            if (!(next.value < best.value)) {
                break;
            }
            best = next;
        }
        if (!(best.value < whole.value)) {
            Trial half = evaluate(
                    place,
                    from.withMetric(place.metrics.step(from.metric, to, 0.5)).withValue(whole.value));
            return half.value < whole.value ? half : whole;
        }
        return best;
    }

    /** Takes steps as long as the criterion falls. */
    private Trial climb(Trial from, UnaryOperator<Trial> step) {
        Trial best = from;
        for (int s = 0; s < MOST_STEPS && !search.log.stopped(); s++) {
            Trial next = step.apply(best);
            if (!(next.value < best.value)) {
                break;
            }
            best = next;
        }
        return best;
    }

    /** Returns a trial with its criterion and the best penalty; {@code at.value} is the criterion to beat. */
    private Trial evaluate(Place place, Trial at) {
        evaluations++;
        RidgeFolds problem = place.stage.folds(place.metrics.map(place.map, at.metric, at.factor));
        SearchPenalty.Chosen chosen = search.penalty.near(
                problem, at.lambda, place.stage.comparesPenalties(), at.value * (1 + place.effort.near));
        return new Trial(at.metric, at.factor, chosen.lambda(), chosen.value());
    }

    /**
     * Returns the average of the gradients of the fit at a trial; empty if there is none.
     *
     * @param sampled true if the stage has not all rows, so that columns that are constant in it are not dropped
     */
    private double[] average(Place place, Trial at, int round, boolean sampled) {
        SearchStage stage = place.stage;
        Metric metrics = place.metrics;
        FeatureMap map = place.map;
        FeatureMap fitted = metrics.map(map, at.metric, at.factor);
        RidgeFolds problem = stage.folds(fitted);
        double[] weights = problem.weights(at.lambda);
        RowWeights rowWeights = new RowWeights(stage.rows().labels(), search.classWeights);
        Variation variation = new Variation(map.inputDimension());
        double[] average =
                AverageGradients.of(stage.rows(), fitted, weights, rowWeights, !method.full(), variation::add);
        double trace = metrics.trace(average);
        if (!(trace > 0 && trace < Double.POSITIVE_INFINITY)) {
            notes.choice(
                    trace == 0
                            ? "the fitted function is constant: all its gradients are 0, so no length-scales can be learned from them"
                            : "the gradients of the fitted function are too large to be averaged; scales stay as they were");
            return new double[0];
        }
        int[] constant = variation.constant();
        if (round == 1 && !sampled && constant.length > 0) {
            notes.data(constant.length + (constant.length == 1 ? " column is" : " columns are")
                    + " constant in the training rows; the learned kernel ignores "
                    + (constant.length == 1 ? "it" : "them"));
        }
        for (int column : constant) {
            // Only random draws determine these derivatives. In all rows, the column may vary.
            clear(average, column, map.inputDimension(), sampled ? Double.MIN_NORMAL : 0);
        }
        return metrics.trace(average) > 0 ? average : new double[0];
    }

    /** Sets the entry of a column in the diagonal, and its other entries to 0. */
    private void clear(double[] average, int column, int columns, double entry) {
        if (!method.full()) {
            average[column] = entry;
            return;
        }
        for (int l = 0; l < columns; l++) {
            average[column * columns + l] = 0;
            average[l * columns + column] = 0;
        }
        average[column * (columns + 1)] = entry;
    }

    /** Finds columns that are constant. */
    private static final class Variation {
        private final boolean[] varies;
        private final double[] row;
        private double @Nullable [] first;

        Variation(int columns) {
            varies = new boolean[columns];
            row = new double[columns];
        }

        void add(RowBlock rows) {
            for (int i = 0; i < rows.rows(); i++) {
                rows.copyRow(i, row);
                if (first == null) {
                    first = row.clone();
                }
                for (int l = 0; l < row.length; l++) {
                    varies[l] |= row[l] != first[l];
                }
            }
        }

        int[] constant() {
            return IntStream.range(0, row.length).filter(l -> !varies[l]).toArray();
        }
    }
}
