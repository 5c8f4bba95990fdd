package org.bochner.tune.scales;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.data.RowBlock;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.RowLoss;
import org.bochner.learn.solve.Formulation;
import org.bochner.learn.solve.SmoothFit;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Precision;
import org.bochner.scale.None;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FeatureBlock;
import org.bochner.stats.FeatureStore;
import org.bochner.stats.WeightMatrix;
import org.bochner.tune.folds.FoldedRows;
import org.jspecify.annotations.Nullable;

/**
 * A learner with a smooth objective, judged by its own loss on rows set aside, with the adjoint that derivatives need. The
 * weights come from Newton's method on the other rows, the adjoint from conjugate gradients with the same second derivatives;
 * the features of these rows are kept where memory allows.
 *
 * <p>With ℓ′ and ℓ″ the derivatives of a row's loss by its scores, W the weights and P the adjoint, a row that is judged adds
 * ℓ′W to the derivative by its features, and a row that was learned from −ℓ′P − (ℓ″·P(z))W.
 *
 * <p>Threads: not safe. Each judgement begins at the weights of the one before.
 */
public final class HoldoutLossCriterion {
    /** Adjoints need not be so exact: they are the slopes that a search goes by, not the values that it compares. */
    private static final double ADJOINT_SLACK = 100;

    /** Penalties below this part of the mean squared feature are too small for conjugate gradients to tell from none. */
    private static final double LEAST_STRENGTH = 1e-6;

    private final FoldedRows rows;
    private final Learner learner;
    private final RowLoss loss;
    private final ClassWeights classWeights;
    private final Precision precision;
    private final double tolerance;
    private final long budget;
    private final TargetTotals parts;
    private final double nothing;

    /** The share that the rows to learn from have of all rows, for which strengths are meant. */
    private final double share;

    private double least = Double.NaN;

    private @Nullable LinearModel last;

    /**
     * A judge of rows in two parts.
     *
     * @param weight that strengths of the penalty are meant for: that of all rows
     * @param tolerance of the gradient that the weights are found by
     * @param budget bytes that features may take
     */
    public HoldoutLossCriterion(
            FoldedRows rows,
            TargetTotals parts,
            Learner learner,
            double weight,
            ClassWeights classWeights,
            Precision precision,
            double tolerance,
            long budget) {
        this.rows = rows;
        this.parts = parts;
        this.learner = learner;
        this.classWeights = classWeights;
        this.precision = precision;
        this.tolerance = tolerance;
        this.budget = budget;
        loss = new RowLoss(Formulation.of(learner).loss(), rows.labels());
        share = parts.weight(0) / weight;
        nothing = nothing();
    }

    /** The tolerance that features of a precision allow. */
    public static double tolerance(Precision precision) {
        return precision == Precision.FLOAT32 ? 1e-5 : 1e-8;
    }

    /** What the best constant loses on the rows set aside. */
    private double nothing() {
        double[] constants = parts.constants(loss);
        double[] sum = new double[1];
        rows.pass(() -> "", (tile, bench) -> {}, (tile, bench) -> {
            for (int i = 0; tile.fold() == 1 && i < tile.rows().rows(); i++) {
                sum[0] += parts.weight(tile.rows(), i) * loss.value(tile.rows(), i, constants, 0);
            }
        });
        if (!(sum[0] > 0)) {
            throw new BochnerException("a constant predicts all rows set aside: there is nothing to judge a kernel by");
        }
        return sum[0];
    }

    /** The least strength, which is added to what is asked for; as the first map that was judged has it. */
    double least() {
        return least;
    }

    /**
     * Judges a map.
     *
     * @param strength of the learner's penalty, as all rows would have it
     */
    CriterionResult judge(FeatureMap map, double strength) {
        FeatureStore learned = new FeatureStore(
                rows.fold(0),
                new None().scaler(map.inputDimension()),
                map,
                classWeights,
                precision,
                budget,
                rows.workers(),
                (count, fraction) -> {});
        if (Double.isNaN(least)) {
            double curvature = Math.min(1, Formulation.of(learner).loss().mostCurvature());
            least = LEAST_STRENGTH * curvature * learned.scatterTrace() / learned.features() / share;
        }
        double used = strength + least;
        Learner at = learner.withLambda(share * used);
        SmoothFit fit = new SmoothFit(learned, at, tolerance, last);
        LinearModel model = fit.model();
        last = model;
        Slopes slopes = new Slopes(map, model);
        rows.pass(
                () -> new Slopes(map, model),
                (tile, bench) -> bench.add(tile),
                (tile, bench) -> bench.moveInto(slopes));
        LinearModel adjoint = fit.adjoint(slopes.byWeights, slopes.byIntercepts, ADJOINT_SLACK * tolerance);
        return new Judged(used, Formulation.of(at).l2(), slopes.value[0], model, adjoint);
    }

    /** What one worker sums up of the rows set aside: the loss, relative to that of the constant, and its derivatives. */
    private final class Slopes {
        private final FeatureMap map;
        private final LinearModel model;
        private final FeatureBlock features;
        private final double[] value = new double[1];
        private final double[] byWeights;
        private final double[] byIntercepts;
        private double[] scores = new double[0];

        Slopes(FeatureMap map, LinearModel model) {
            this.map = map;
            this.model = model;
            features = FeatureBlock.of(precision, model.features());
            byWeights = new double[model.features() * model.outputs()];
            byIntercepts = new double[model.outputs()];
        }

        void add(FoldedRows.Tile tile) {
            if (tile.fold() != 1) {
                return;
            }
            RowBlock block = tile.rows();
            int outputs = model.outputs();
            if (scores.length < block.rows() * outputs) {
                scores = new double[block.rows() * outputs];
            }
            features.fill(map, block);
            model.apply(features, scores);
            for (int i = 0; i < block.rows(); i++) {
                double weight = parts.weight(block, i) / nothing;
                int at = i * outputs;
                value[0] += weight * loss.value(block, i, scores, at);
                loss.slopes(block, i, scores, at);
                for (int o = 0; o < outputs; o++) {
                    scores[at + o] *= weight;
                    byIntercepts[o] += scores[at + o];
                }
            }
            features.addTransposed(scores, outputs, byWeights);
        }

        void moveInto(Slopes total) {
            WeightCoordinates.move(value, total.value);
            WeightCoordinates.move(byWeights, total.byWeights);
            WeightCoordinates.move(byIntercepts, total.byIntercepts);
        }
    }

    private final class Judged implements CriterionResult {
        private final double strength;
        private final double value;
        private final double penaltySlope;
        private final LinearModel model;
        private final LinearModel adjoint;
        private final WeightMatrix columns;

        Judged(double strength, double l2, double value, LinearModel model, LinearModel adjoint) {
            this.strength = strength;
            this.value = value;
            this.model = model;
            this.adjoint = adjoint;
            int outputs = model.outputs();
            double[] both = new double[2 * outputs * model.features()];
            double product = 0;
            for (int j = 0; j < model.features(); j++) {
                for (int o = 0; o < outputs; o++) {
                    both[2 * outputs * j + o] = model.weight(j, o);
                    both[2 * outputs * j + outputs + o] = adjoint.weight(j, o);
                    product += model.weight(j, o) * adjoint.weight(j, o);
                }
            }
            penaltySlope = -l2 * product;
            columns = WeightMatrix.of(model.features(), 2 * outputs, both);
        }

        @Override
        public double value() {
            return value;
        }

        @Override
        public double penaltySlope() {
            return penaltySlope;
        }

        @Override
        public double lambda() {
            return strength;
        }

        @Override
        public WeightMatrix columns() {
            return columns;
        }

        @Override
        public void coefficients(FoldedRows.Tile tile, double[] scores) {
            RowBlock block = tile.rows();
            int outputs = model.outputs();
            for (int i = 0; i < block.rows(); i++) {
                double weight = parts.weight(block, i);
                int at = 2 * outputs * i;
                for (int o = 0; o < outputs; o++) {
                    scores[at + o] += model.intercept(o);
                    scores[at + outputs + o] += adjoint.intercept(o);
                }
                if (tile.fold() == 1) {
                    loss.slopes(block, i, scores, at);
                    for (int o = 0; o < outputs; o++) {
                        scores[at + o] *= weight / nothing;
                        scores[at + outputs + o] = 0;
                    }
                    continue;
                }
                loss.curve(block, i, scores, at, scores, at + outputs);
                double[] curved = Arrays.copyOfRange(scores, at + outputs, at + 2 * outputs);
                loss.slopes(block, i, scores, at);
                for (int o = 0; o < outputs; o++) {
                    scores[at + outputs + o] = -weight * scores[at + o];
                    scores[at + o] = -weight * curved[o];
                }
            }
        }
    }
}
