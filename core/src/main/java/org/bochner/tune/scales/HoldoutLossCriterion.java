package org.bochner.tune.scales;

import java.util.Arrays;
import java.util.function.Supplier;
import org.bochner.base.BochnerException;
import org.bochner.data.RowBlock;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.RowLoss;
import org.bochner.learn.solve.Formulation;
import org.bochner.learn.solve.SmoothFit;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Precision;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scalings;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.MappedSource;
import org.bochner.stats.RowWeights;
import org.bochner.stats.StoredFeatures;
import org.bochner.stats.WeightMatrix;
import org.bochner.tune.folds.FoldedRows;
import org.bochner.tune.folds.ScoredRows;
import org.jspecify.annotations.Nullable;

/**
 * The loss of a learner with a smooth objective on held-out rows (fold 1), trained on the other rows (fold 0). The
 * weights come from Newton's method, and the adjoint from conjugate gradients with the same second derivatives. The
 * features of the training rows are kept if the memory allows it.
 *
 * <p>With the derivatives ℓ′ and ℓ″ of a row's loss by its scores, the weights W and the adjoint P, a held-out row
 * adds ℓ′W to the derivative by its features, and a training row adds −ℓ′P − (ℓ″·P(z))W.
 *
 * <p>Threads: not safe. Each evaluation starts from the weights of the one before.
 */
public final class HoldoutLossCriterion implements ScaleCriterion {
    /** Adjoints are less exact than weights, because a search follows slopes but compares values. */
    private static final double ADJOINT_SLACK = 100;

    /** Conjugate gradients cannot tell penalties below this share of the mean squared feature from 0. */
    private static final double SMALLEST_SHARE = 1e-6;

    private final FoldedRows rows;
    private final Learner learner;
    private final RowLoss loss;
    private final ClassWeights classWeights;
    private final RowWeights rowWeights;
    private final Precision precision;
    private final double tolerance;
    private final long budget;
    private final double constantLoss;

    /** The share of the row weight that the training rows have; penalties are given for all rows. */
    private final double trainingShare;

    private double smallest;
    private @Nullable LinearModel last;

    /**
     * Creates the criterion for rows in two folds.
     *
     * @param totalRowWeight the weight of the rows that penalties are given for: all rows
     * @param tolerance of the gradient at the weights
     * @param budget bytes that features may take
     */
    public HoldoutLossCriterion(
            FoldedRows rows,
            TargetTotals targets,
            Learner learner,
            double totalRowWeight,
            ClassWeights classWeights,
            Precision precision,
            double tolerance,
            long budget) {
        this.rows = rows;
        this.learner = learner;
        this.classWeights = classWeights;
        this.precision = precision;
        this.tolerance = tolerance;
        this.budget = budget;
        rowWeights = new RowWeights(rows.labels(), classWeights);
        loss = new RowLoss(Formulation.of(learner).loss(), rows.labels());
        trainingShare = targets.totalRowWeight(0) / totalRowWeight;
        constantLoss = constantLoss(targets.constants(loss));
    }

    /** Returns the tolerance of the gradient that the precision of the features allows. */
    public static double tolerance(Precision precision) {
        return precision == Precision.FLOAT32 ? 1e-5 : 1e-8;
    }

    /** The loss of the best constant on the held-out rows. */
    private double constantLoss(double[] constants) {
        double[] sum = new double[1];
        rows.pass(() -> "", (tile, bench) -> {}, (tile, bench) -> {
            for (int i = 0; tile.fold() == 1 && i < tile.rows().rows(); i++) {
                sum[0] += rowWeights.weight(tile.rows(), i) * loss.value(tile.rows()::target, i, constants, 0);
            }
        });
        if (!(sum[0] > 0)) {
            throw new BochnerException(
                    "a constant predicts all held-out rows: there is nothing to learn a kernel from");
        }
        return sum[0];
    }

    @Override
    public double smallestPenalty() {
        return smallest;
    }

    @Override
    public CriterionResult evaluate(FeatureMap map, double asked, boolean moves) {
        Scaler none = Scalings.identity(map.inputDimension());
        MappedSource mapped = new MappedSource(rows.fold(0), none, map, classWeights, precision, rows.workers());
        StoredFeatures training = StoredFeatures.map(mapped, budget, (count, fraction) -> {});
        if (smallest == 0) {
            double curvature = Math.min(1, Formulation.of(learner).loss().mostCurvature());
            smallest = SMALLEST_SHARE * curvature * training.scatterTrace() / training.features() / trainingShare;
        }
        double used = asked + smallest;
        Learner at = learner.withLambda(trainingShare * used);
        SmoothFit fit = SmoothFit.of(training, at, tolerance, last);
        LinearModel model = fit.model();
        last = model;
        Supplier<LossSums> sums = () -> new LossSums(map, model, loss, rowWeights, precision, null);
        LossSums total = sums.get();
        rows.pass(
                sums,
                (tile, own) -> {
                    if (tile.fold() == 1) {
                        own.add(tile.rows());
                    }
                },
                (tile, own) -> own.moveInto(total));
        LinearModel adjoint =
                fit.adjoint(relative(total.byWeights()), relative(total.byIntercepts()), ADJOINT_SLACK * tolerance);
        ScoredRows scored = new ScoredRows(rows, map, precision);
        return result(used, Formulation.of(at).l2(), total.value() / constantLoss, model, adjoint, scored);
    }

    private double[] relative(double[] derivatives) {
        return Arrays.stream(derivatives).map(slope -> slope / constantLoss).toArray();
    }

    private CriterionResult result(
            double lambda, double l2, double value, LinearModel model, LinearModel adjoint, ScoredRows scored) {
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
        WeightMatrix columns = WeightMatrix.of(model.features(), 2 * outputs, both);
        return new FeatureResult(
                value, -l2 * product, lambda, columns, (tile, scores) -> replace(tile, model, adjoint, scores), scored);
    }

    private void replace(FoldedRows.Tile tile, LinearModel model, LinearModel adjoint, double[] scores) {
        RowBlock block = tile.rows();
        int outputs = model.outputs();
        for (int i = 0; i < block.rows(); i++) {
            double rowWeight = rowWeights.weight(block, i);
            int at = 2 * outputs * i;
            for (int o = 0; o < outputs; o++) {
                scores[at + o] += model.intercept(o);
                scores[at + outputs + o] += adjoint.intercept(o);
            }
            if (tile.fold() == 1) {
                loss.slopes(block::target, i, scores, at);
                for (int o = 0; o < outputs; o++) {
                    scores[at + o] *= rowWeight / constantLoss;
                    scores[at + outputs + o] = 0;
                }
                continue;
            }
            loss.curve(block::target, i, scores, at, scores, at + outputs);
            double[] curved = Arrays.copyOfRange(scores, at + outputs, at + 2 * outputs);
            loss.slopes(block::target, i, scores, at);
            for (int o = 0; o < outputs; o++) {
                scores[at + outputs + o] = -rowWeight * scores[at + o];
                scores[at + o] = -rowWeight * curved[o];
            }
        }
    }
}
