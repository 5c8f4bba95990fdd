package org.bochner.model.train;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.bochner.base.Require;
import org.bochner.data.sample.Folds;
import org.bochner.learn.calibrate.Calibration;
import org.bochner.learn.calibrate.ScoreAccumulator;
import org.bochner.model.evaluate.ClassRanking;
import org.bochner.model.file.CascadeParts;
import org.bochner.random.Seed;

/**
 * Chooses the thresholds of a cascade on held-out rows.
 *
 * <p>The stages choose in their order, so that the cheapest stage decides the most rows. A stage takes the rows that no
 * stage before it has decided, from the most to the least sure. The excess E(k) of the first k rows is the number of its
 * errors minus that of the errors of the last stage on the same rows. The stage decides the largest k with
 *
 * <pre>E(k) ≤ (1 − b)·min E + b·allowed,</pre>
 *
 * where {@code allowed} is the tolerance less the excess of the stages before. The boldness b = 0 has the fewest errors of
 * all k, b = 1 decides the most rows. A bold choice uses up chance gains of the held-out rows. Each boldness is therefore
 * tested by cross-validation, with thresholds chosen on four fifths of the held-out rows and errors counted on the other
 * fifth. Rows of one group are in the same fifth. The largest boldness whose
 * errors do not exceed those of the last stage by more than the tolerance is used. If b = 0 has too many errors, stages that
 * decide at most a half, then a quarter of the rows of b = 0 are tested. If these have too many errors as well, {@link
 * CascadeFit} leaves out stages.
 *
 * <p>Memory: 13 bytes per row and stage, one per row, and about 20 more while a stage is sorted. Cost per stage: one sort of the rows, and
 * two passes over them for each of the five values of b, three for the two shares of b = 0, and each of the six sets of rows that thresholds are chosen on.
 */
final class CascadeThresholds {
    /** The number of parts of the held-out rows, each of which is counted with thresholds chosen on the others. */
    private static final int PARTS = 5;

    /** What is tested, in this order. */
    private static final List<Step> STEPS = List.of(
            new Step(1, 1),
            new Step(0.75, 1),
            new Step(0.5, 1),
            new Step(0.25, 1),
            new Step(0, 1),
            new Step(0, 0.5),
            new Step(0, 0.25));

    private final List<Stage> stages = new ArrayList<>();
    private final double tolerance;
    private final Folds parts;
    /** The part of each held-out row. */
    private byte[] part = {};

    /**
     * Creates the choice.
     *
     * @param tolerance the share of the held-out rows by which errors may exceed those of the last stage
     * @param seed draws the parts of the held-out rows
     */
    CascadeThresholds(double tolerance, Seed seed) {
        this.tolerance = tolerance;
        parts = Folds.of(PARTS, seed.derive("cascade"));
    }

    /**
     * A way to choose thresholds.
     *
     * @param boldness b
     * @param share the largest share of the rows of b that a stage decides
     */
    private record Step(double boldness, double share) {}

    /** The held-out rows of a stage. */
    private static final class Stage {
        private final double[] sureness;
        private final boolean[] right;
        /** The rows from the most to the least sure. */
        private final int[] order;

        Stage(double[] sureness, boolean[] right) {
            this.sureness = sureness;
            this.right = right;
            order = IntStream.range(0, right.length)
                    .boxed()
                    .sorted(Comparator.comparingDouble((Integer i) -> -sureness[i]))
                    .mapToInt(i -> i)
                    .toArray();
        }
    }

    /** Adds the next stage, by its scores of held-out rows, which all stages have in the same order. */
    void add(ScoreAccumulator scores, Calibration calibration) {
        double[] sureness = new double[scores.rows()];
        boolean[] right = new boolean[scores.rows()];
        long[] groups = new long[scores.rows()];
        double[] ofRow = new double[scores.outputs()];
        for (int i = 0; i < scores.rows(); i++) {
            scores.copyScores(i, ofRow);
            calibration.logarithms(ofRow, 0, ofRow, 0);
            sureness[i] = CascadeParts.sureness(ofRow, 0, ofRow.length);
            right[i] = ClassRanking.highest(ofRow, 0, ofRow.length) == scores.label(i);
            groups[i] = scores.group(i);
        }
        add(sureness, right, groups);
    }

    /** Adds the next stage, by its sureness for each held-out row, whether its class is right, and the group of the row. */
    void add(double[] sureness, boolean[] right, long[] groups) {
        Require.that(stages.isEmpty() || rows() == right.length, "cascade", "the stages have other held-out rows");
        if (stages.isEmpty()) {
            part = new byte[groups.length];
            for (int i = 0; i < groups.length; i++) {
                part[i] = (byte) parts.fold(groups[i]);
            }
        }
        stages.add(new Stage(sureness, right));
    }

    /** Removes a stage; at least one must remain. */
    void remove(int stage) {
        stages.remove(stage);
    }

    /** Returns the number of held-out rows that a stage by itself decides wrongly. */
    long errors(int stage) {
        long errors = 0;
        for (boolean right : stages.get(stage).right) {
            errors += right ? 0 : 1;
        }
        return errors;
    }

    /** Returns the stage that has the fewest errors by itself; the first of several. */
    int best() {
        int best = 0;
        for (int s = 1; s < stages.size(); s++) {
            best = errors(s) < errors(best) ? s : best;
        }
        return best;
    }

    int rows() {
        return stages.get(0).right.length;
    }

    /** The chosen thresholds, with counts of the held-out rows. */
    static final class Choice {
        /** Infinite for a stage that decides no row; 0 for the last stage. */
        final double[] thresholds;
        /**
         * The rows that each stage decides. A row is counted with thresholds that were chosen without its part of the rows.
         */
        final long[] decided;
        /** The rows that each stage decides wrongly. */
        final long[] wrong;
        /** The rows that each stage would decide wrongly by itself. */
        final long[] alone;

        private Choice(double[] thresholds) {
            this.thresholds = thresholds;
            decided = new long[thresholds.length];
            wrong = new long[thresholds.length];
            alone = new long[thresholds.length];
        }

        /** Returns the last stage that decides no rows; −1 if there is none. */
        int idle() {
            int stage = thresholds.length - 1;
            while (stage >= 0 && thresholds[stage] < Double.POSITIVE_INFINITY) {
                stage--;
            }
            return stage;
        }

        /** Returns the rows that the cascade decides wrongly. */
        long errors() {
            return Arrays.stream(wrong).sum();
        }
    }

    /** Chooses the thresholds; their errors may be {@linkplain #hasTooManyErrors too many}. */
    Choice choose() {
        Choice choice = count(STEPS.get(0));
        for (int k = 1; k < STEPS.size() && hasTooManyErrors(choice); k++) {
            choice = count(STEPS.get(k));
        }
        return choice;
    }

    /** Returns true if the errors of a choice exceed those of the last stage by more than the tolerance. */
    boolean hasTooManyErrors(Choice choice) {
        return choice.errors() > choice.alone[stages.size() - 1] + tolerance * rows();
    }

    private Choice count(Step step) {
        Choice choice = new Choice(choose(row -> true, step));
        for (int held = 0; held < PARTS; held++) {
            int own = held;
            double[] thresholds = choose(row -> part[row] != own, step);
            for (int i = 0; i < rows(); i++) {
                if (part[i] == own) {
                    count(i, thresholds, choice);
                }
            }
        }
        return choice;
    }

    private void count(int row, double[] thresholds, Choice counts) {
        int by = 0;
        while (!(stages.get(by).sureness[row] >= thresholds[by])) {
            by++;
        }
        counts.decided[by]++;
        counts.wrong[by] += stages.get(by).right[row] ? 0 : 1;
        for (int s = 0; s < stages.size(); s++) {
            counts.alone[s] += stages.get(s).right[row] ? 0 : 1;
        }
    }

    private double[] choose(IntPredicate chosen, Step step) {
        boolean[] open = new boolean[rows()];
        int count = 0;
        for (int i = 0; i < open.length; i++) {
            open[i] = chosen.test(i);
            count += open[i] ? 1 : 0;
        }
        double[] thresholds = new double[stages.size()];
        double allowed = tolerance * count;
        for (int s = 0; s < stages.size() - 1; s++) {
            Stage stage = stages.get(s);
            long least = walk(stage, open, Double.POSITIVE_INFINITY, count).least;
            Walk walk = walk(stage, open, (1 - step.boldness) * least + step.boldness * allowed, count);
            if (step.share < 1) {
                walk = walk(stage, open, allowed, step.share * walk.rows);
            }
            thresholds[s] = walk.threshold;
            allowed -= walk.excess;
            for (int i = 0; i < open.length; i++) {
                open[i] &= !(stage.sureness[i] >= walk.threshold);
            }
        }
        return thresholds;
    }

    /**
     * A walk over the rows from the most to the least sure.
     *
     * @param threshold the sureness at the largest k within the limits; infinite if k = 0
     * @param rows k
     * @param excess E(k)
     * @param least the least excess of all k
     */
    private record Walk(double threshold, long rows, long excess, long least) {}

    /**
     * Walks over the open rows.
     *
     * @param limit the largest excess
     * @param most the largest k
     */
    private Walk walk(Stage stage, boolean[] open, double limit, double most) {
        boolean[] last = stages.get(stages.size() - 1).right;
        double threshold = Double.POSITIVE_INFINITY;
        long taken = 0;
        long rows = 0;
        long passed = 0;
        long least = 0;
        long excess = 0;
        for (int k = 0; k < stage.order.length; ) {
            double here = stage.sureness[stage.order[k]];
            boolean any = false;
            // Rows of equal sureness are decided together.
            for (; k < stage.order.length && stage.sureness[stage.order[k]] == here; k++) {
                int row = stage.order[k];
                if (open[row]) {
                    any = true;
                    passed++;
                    excess += (stage.right[row] ? 0 : 1) - (last[row] ? 0 : 1);
                }
            }
            least = Math.min(least, excess);
            if (any && excess <= limit && passed <= most) {
                threshold = here;
                rows = passed;
                taken = excess;
            }
        }
        return new Walk(threshold, rows, taken, least);
    }
}
