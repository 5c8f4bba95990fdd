package org.bochner.tune.search;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.bochner.base.Require;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.model.evaluate.ClassRanking;
import org.bochner.model.train.Stacking;
import org.bochner.random.Seed;
import org.bochner.stats.ClassWeights;
import org.jspecify.annotations.Nullable;

/**
 * Chooses a weighted sum of machines by their scores of held-out rows. Members are added one by one, each time the one that
 * lowers the cross-validated squared error of the sum the most.
 *
 * <p>The losses of a sum are honest: on each fifth of the held-out rows, they are those of the members and weights that the
 * other four fifths choose.
 *
 * <p>Threads: not safe.
 */
public final class Blend {
    /** Further members cost time in each prediction and change the sum little. */
    public static final int MOST_MEMBERS = 5;

    /** A further member must lower the squared error by this share. */
    private static final double LEAST_GAIN = 1e-3;

    /** Members of a smaller share of the weights are left out. */
    private static final double LEAST_SHARE = 0.01;

    private static final int BLOCK_ROWS = 1024;

    private final Measure measure;
    private final Labels labels;
    private final OutputCoding coding;
    private final SampledRows sample;
    private final int folds;
    private final List<float[][]> scores;
    private final double[] costs;
    private final Seed seed;
    private final Stacking stacking;

    /**
     * Reads the held-out rows.
     *
     * @param folds the folds of the sample whose rows were scored, from the first one on
     * @param scores the scores of each machine by fold, rows×outputs
     * @param costs the seconds of training each machine
     * @param classWeights the factors of the weights of rows
     * @param seed the seed of the search, which determines the blocks of losses
     */
    public Blend(
            Measure measure,
            Labels labels,
            SampledRows sample,
            int folds,
            List<float[][]> scores,
            double[] costs,
            ClassWeights classWeights,
            Seed seed) {
        Require.sameSize("Blend", "costs", costs.length, scores.size());
        this.measure = measure;
        this.labels = labels;
        this.sample = sample;
        this.folds = folds;
        this.scores = List.copyOf(scores);
        this.costs = costs.clone();
        this.seed = seed;
        coding = OutputCoding.of(labels);
        stacking = new Stacking(scores.size(), coding.count(), seed);
        double[] targets = new double[coding.count()];
        double[][] own = new double[scores.size()][targets.length];
        eachBlock((block, fold, first) -> {
            for (int i = 0; i < block.rows(); i++) {
                for (int o = 0; o < targets.length; o++) {
                    targets[o] = coding.target(block, i, o);
                    for (int m = 0; m < own.length; m++) {
                        own[m][o] = scores.get(m)[fold][(first + i) * targets.length + o];
                    }
                }
                double factor = labels instanceof Labels.Classes ? classWeights.factor((int) block.target(i, 0)) : 1;
                stacking.add(own, 0, targets, factor * block.rowWeight(i), block.group(i));
            }
        });
    }

    /**
     * A chosen sum.
     *
     * @param members the indices of its members, that of the largest weight first
     * @param fit their weights, in this order, and the intercepts
     * @param losses the losses on held-out rows
     * @param rows the number of rows that the weights were fitted to
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Choice(int[] members, Stacking.Fit fit, Losses losses, long rows) {}

    /** Returns true if a part of the rows can test what the others choose. */
    public boolean isTestable() {
        return stacking.foldsWithRows() > 1;
    }

    /**
     * Chooses members and their weights.
     *
     * @param seconds the most time of training all members
     * @return the sum; null if there is no time for two members, or if one is as good
     */
    public @Nullable Choice choose(double seconds) {
        int[] chosen = select(Stacking.NO_FOLD, seconds);
        if (chosen.length < 2) {
            return null;
        }
        int[][] others = new int[Stacking.FOLDS][];
        Arrays.setAll(others, fold -> select(fold, seconds));
        return choice(chosen, others);
    }

    /** Returns the sum of given members. */
    public Choice of(int... members) {
        int[][] same = new int[Stacking.FOLDS][];
        Arrays.fill(same, members);
        return choice(members, same);
    }

    private Choice choice(int[] chosen, int[][] others) {
        Stacking.Fit[] fits = new Stacking.Fit[Stacking.FOLDS];
        Arrays.setAll(fits, fold -> others[fold].length == 0 ? null : stacking.fit(others[fold], fold));
        LossCounter counter = new LossCounter(measure, labels, sample.survey().classCounts(), seed);
        int outputs = coding.count();
        eachBlock((block, fold, first) -> {
            double[] sums = new double[block.rows() * outputs];
            for (int i = 0; i < block.rows(); i++) {
                int part = stacking.fold(block.group(i));
                Stacking.Fit fit = fits[part];
                for (int o = 0; o < outputs; o++) {
                    sums[i * outputs + o] = fit.intercepts()[o];
                    for (int m = 0; m < others[part].length; m++) {
                        sums[i * outputs + o] +=
                                fit.weights()[m] * scores.get(others[part][m])[fold][(first + i) * outputs + o];
                    }
                }
            }
            counter.add(block, sums, row -> ClassRanking.highest(sums, row, outputs));
        });
        Stacking.Fit fit = stacking.fit(chosen, Stacking.NO_FOLD);
        int[] order = IntStream.range(0, chosen.length)
                .boxed()
                .sorted((one, other) -> Double.compare(fit.weights()[other], fit.weights()[one]))
                .mapToInt(Integer::intValue)
                .toArray();
        Stacking.Fit sorted = new Stacking.Fit(
                Arrays.stream(order).mapToDouble(m -> fit.weights()[m]).toArray(),
                fit.intercepts(),
                fit.penalty(),
                fit.error());
        return new Choice(
                Arrays.stream(order).map(m -> chosen[m]).toArray(), sorted, counter.losses(), stacking.rows());
    }

    /** Returns the members that the rows of all folds but one choose. */
    private int[] select(int without, double seconds) {
        int[] chosen = {};
        double error = Double.POSITIVE_INFINITY;
        double left = seconds;
        while (chosen.length < MOST_MEMBERS) {
            int best = -1;
            double least = error * (1 - LEAST_GAIN);
            for (int m = 0; m < costs.length; m++) {
                int own = m;
                if (costs[m] <= left && Arrays.stream(chosen).noneMatch(other -> other == own)) {
                    double with = stacking.fit(with(chosen, m), without).error();
                    if (with < least) {
                        best = m;
                        least = with;
                    }
                }
            }
            if (best < 0) {
                break;
            }
            chosen = with(chosen, best);
            error = least;
            left -= costs[best];
        }
        return heavy(chosen, without);
    }

    private static int[] with(int[] members, int further) {
        int[] more = Arrays.copyOf(members, members.length + 1);
        more[members.length] = further;
        return more;
    }

    /** Returns the members whose weights are not about 0. */
    private int[] heavy(int[] members, int without) {
        if (members.length < 2) {
            return members;
        }
        double[] weights = stacking.fit(members, without).weights();
        double all = Arrays.stream(weights).sum();
        return IntStream.range(0, members.length)
                .filter(m -> weights[m] > LEAST_SHARE * all)
                .map(m -> members[m])
                .toArray();
    }

    private interface Visitor {
        /**
         * Visits a block of held-out rows.
         *
         * @param first the index of its first row among the held-out rows of the fold
         */
        void visit(RowBlock block, int fold, int first);
    }

    private void eachBlock(Visitor visitor) {
        for (int fold = 0; fold < folds; fold++) {
            RowBlockBuilder builder = new RowBlockBuilder();
            int first = 0;
            try (RowCursor cursor = sample.fold(fold).test().open()) {
                while (cursor.next(builder, BLOCK_ROWS)) {
                    RowBlock block = builder.build();
                    visitor.visit(block, fold, first);
                    first += block.rows();
                }
            }
        }
    }
}
