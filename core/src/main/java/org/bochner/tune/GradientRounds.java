package org.bochner.tune;

import java.util.Arrays;
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
 * of the next kernel. One factor of all scales and the penalty are chosen by the criterion. The best metric is kept.
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
    private static final int LEAST_SAMPLE = 10_000;

    private static final int SAMPLE_PER_FEATURE = 8;

    /** A round that reduces the criterion by less than this share is the last one. */
    private static final double LEAST_GAIN = 1e-3;

    private final ScaleSearch search;
    private final SearchStage all;
    private final LearningMethod method;
    private final Notes notes;
    private final Transformer start;
    private int evaluations;

    GradientRounds(ScaleSearch search, SearchStage all, Transformer start, Notes notes) {
        this.search = search;
        this.all = all;
        this.start = start;
        this.notes = notes;
        method = search.recipe.method;
    }

    /**
     * A metric with the best factor and penalty for it.
     *
     * @param metric the metric, in the form of {@link Metric}
     * @param factor the factor of all frequency scales
     * @param value the criterion
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Trial(double[] metric, double factor, double lambda, double value) {}

    /** Returns the transformer with the best metric; its penalty becomes that of the search. */
    Transformer run(long rows) {
        FeatureMap map = start.map();
        requireGradients(map);
        Metric metrics = method.full()
                ? new MatrixMetric(start, search.workers.threads())
                : new ColumnMetric(search.recipe, start);
        FeatureMap some = some(map);
        long sample = Math.max(LEAST_SAMPLE, (long) SAMPLE_PER_FEATURE * some.outputDimension());
        boolean sampled = search.recipe.sampling && rows > 1.5 * sample;
        SearchStage stage = sampled ? all.sample(sample, rows) : all;
        long began = System.nanoTime();
        Trial best = climb(stage, metrics, some, new Trial(metrics.initial(), 1, Double.NaN, Double.NaN));
        log(stage, 0, best);
        boolean gains = true;
        for (int round = 1; gains && round <= method.rounds() && !search.log.stopped(); round++) {
            double[] metric = next(stage, metrics, some, best, round, sampled || search.searchesSample());
            if (metric.length == 0) {
                break;
            }
            Trial trial = climb(stage, metrics, some, new Trial(metric, best.factor, best.lambda, Double.NaN));
            log(stage, round, trial);
            gains = trial.value < (1 - LEAST_GAIN) * best.value;
            best = trial.value < best.value ? trial : best;
        }
        double share = (double) map.outputDimension() / some.outputDimension();
        Trial last = climb(all, metrics, map, new Trial(best.metric, best.factor, best.lambda * share, Double.NaN));
        log(all, 0, last);
        all.end(search.log.stopped() ? Minimum.End.STOPPED : gains ? Minimum.End.ITERATIONS : Minimum.End.DECREASE);
        search.log.addEvaluations(evaluations, began);
        search.penalty.set(last.lambda);
        return metrics.transformer(last.metric, last.factor);
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
    private Trial climb(SearchStage stage, Metric metrics, FeatureMap map, Trial from) {
        Trial best = evaluate(stage, metrics, map, from);
        boolean moved = false;
        for (double step : new double[] {STEP, 1 / STEP}) {
            boolean gains = true;
            // If larger scales do better, smaller ones do not.
            for (int s = 0; gains && s < MOST_STEPS && !(moved && step < 1) && !search.log.stopped(); s++) {
                Trial next = evaluate(stage, metrics, map, new Trial(best.metric, best.factor * step, best.lambda, 0));
                gains = next.value < best.value;
                best = gains ? next : best;
                moved |= gains;
            }
        }
        return best;
    }

    private Trial evaluate(SearchStage stage, Metric metrics, FeatureMap map, Trial at) {
        evaluations++;
        RidgeFolds problem = stage.folds(metrics.map(map, at.metric, at.factor));
        SearchPenalty.Chosen chosen = search.penalty.near(problem, at.lambda, stage.comparesPenalties());
        return new Trial(at.metric, at.factor, chosen.lambda(), chosen.value());
    }

    /**
     * Returns the metric that follows from the gradients of the fit at a trial; empty if there is none.
     *
     * @param sampled true if the stage has not all rows, so that columns that are constant in it are not dropped
     */
    private double[] next(SearchStage stage, Metric metrics, FeatureMap map, Trial at, int round, boolean sampled) {
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
                            ? "the fitted function is constant: its gradients say nothing about the columns"
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
        return metrics.trace(average) > 0 ? metrics.of(average) : new double[0];
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
