package org.bochner.learn.ridge;

import java.util.ArrayList;
import java.util.List;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.linear.OutputMoments;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.stats.FoldedStatistics;
import org.bochner.stats.GramStatistics;
import org.jspecify.annotations.Nullable;

/**
 * The cross-validated error of ridge regression, from the statistics of folds: the mean squared error of the rows of
 * each fold, predicted from the other rows. The penalty of a fold is scaled by the other rows' share of the total row
 * weight, because the loss is a sum over rows.
 *
 * <p>With more than 2,048 features, penalties are searched on the first fold, and the errors on all folds decide
 * between neighbours of the best penalty: the error of one fold can depend on a few rows.
 *
 * <p>Cost: D³/3 operations per fold and penalty, and 2D² per output. The error of more than 256 outputs is estimated
 * from 256 sums of them ({@link TargetSketch}). Memory: one D×D matrix, and 16·D bytes per fold and judged output.
 */
final class FoldedRidge {
    /**
     * Up to this many features, every penalty is tried on all folds. Beyond, five factorisations per penalty would take
     * longer than a pass over a hundred thousand rows.
     */
    private static final int MOST_FEATURES_IN_ALL = 2048;

    private final FoldedStatistics folds;
    private final Workers workers;
    private final int features;
    private final int judgedOutputs;
    /** Number of outputs that the codes represent; 1 if the outputs are judged directly. */
    private final int codedOutputs;

    private final List<OutputMoments> rest = new ArrayList<>();
    private final List<OutputMoments> held = new ArrayList<>();
    private final double[] matrix;

    /** Computes the moments of all folds. */
    FoldedRidge(FoldedStatistics folds, Workers workers) {
        this.folds = folds;
        this.workers = workers;
        features = folds.total().features();
        matrix = new double[features * features];
        OutputCoding coding = OutputCoding.of(folds.total().labels());
        TargetSketch sketch = TargetSketch.of(coding);
        judgedOutputs = sketch == null ? coding.count() : TargetSketch.COUNT;
        codedOutputs = sketch == null ? 1 : coding.count();
        for (int f = 0; f < folds.count(); f++) {
            rest.add(moments(folds.rest(f), sketch));
            held.add(moments(folds.held(f), sketch));
        }
    }

    private static OutputMoments moments(GramStatistics of, @Nullable TargetSketch sketch) {
        OutputMoments moments = OutputMoments.of(of);
        return sketch == null ? moments : sketch.of(moments, of.features(), of.totalRowWeight());
    }

    ValidationError error() {
        return error(features <= MOST_FEATURES_IN_ALL);
    }

    /**
     * Returns the error that compares penalties.
     *
     * @param inAll true if every penalty is tried on all folds; else only neighbours of the best of the first fold are
     */
    ValidationError error(boolean inAll) {
        if (folds.count() == 1) {
            return ValidationError.onOneFold(this::at);
        }
        return inAll
                ? new ValidationError(folds.count() + "-fold cross-validation", this::at)
                : ValidationError.refined(folds.count(), lambda -> at(lambda, 1), this::at);
    }

    PathPoint at(double lambda) {
        return at(lambda, folds.count());
    }

    /** Returns the error of a penalty on the first folds. */
    private PathPoint at(double lambda, int judged) {
        double squares = 0;
        double weight = 0;
        for (int f = 0; f < judged; f++) {
            squares += squares(f, lambda);
            weight += folds.held(f).totalRowWeight();
        }
        // The mean over the codes is the sum over the outputs that they represent.
        double perOutput = (double) judgedOutputs * codedOutputs;
        return new PathPoint(lambda, Double.NaN, Double.NaN, squares / (weight * perOutput));
    }

    /** Returns the squared errors of a fold's rows at a penalty, summed over rows and outputs. */
    private double squares(int f, double lambda) {
        GramStatistics fold = folds.held(f);
        OutputMoments learned = rest.get(f);
        OutputMoments judged = held.get(f);
        folds.copyRest(
                f, lambda * folds.rest(f).totalRowWeight() / folds.total().totalRowWeight(), matrix);
        Cholesky factor = RidgeProblem.factor(matrix, features, lambda, workers);
        double[] weights = learned.cross().clone();
        factor.solve(weights, judgedOutputs, workers);
        double squares = judged.squaredErrors(
                fold, weights, learned.means(), folds.rest(f).mean());
        // Rounding of the differences above could make an error negative.
        return Math.max(0, squares);
    }
}
