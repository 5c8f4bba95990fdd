package org.bochner.learn.ridge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.linear.OutputMoments;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.stats.FoldedStatistics;
import org.bochner.stats.GramStatistics;
import org.jspecify.annotations.Nullable;

/**
 * The cross-validated error of ridge regression, from the statistics of folds: the mean squared error of the rows of
 * each fold, predicted from the other rows. The penalty of a fold is scaled by the other rows' share of the total row
 * weight, because the loss is a sum over rows.
 *
 * <p>With more than 2,048 features, all folds are used with a sample of the features only, and the search then goes up
 * from the penalty of the sample on the first fold with all features. The error of one fold can depend on a few rows,
 * and then leads to penalties that are far too small. More features need at least the penalty of a sample, relative to
 * their mean square.
 *
 * <p>The weights learned without a fold are orthogonal to the {@linkplain FoldedStatistics#constraints vectors} of the fold.
 *
 * <p>Cost: D³/3 operations per fold and penalty, 2D² per output, and D²·q for q vectors. A search with a sample costs about
 * as much as two penalties on one fold. The error of more than 256 outputs is estimated from 256 sums of them
 * ({@link TargetSketch}). Memory: one D×D matrix, 16·D bytes per fold and judged output, and 8·D bytes per vector.
 */
final class FoldedRidge {
    /**
     * Up to this many features, every penalty is tried on all folds. Beyond, five factorisations per penalty would take
     * longer than a pass over a hundred thousand rows.
     */
    private static final int MOST_FEATURES_IN_ALL = 2048;

    /** Few features may need no penalty: errors that differ by this share are equal, and the largest penalty is taken. */
    private static final double FLAT = 1e-3;

    /** The smallest sample of features. */
    private static final int SMALLEST_SAMPLE = 1024;

    private final FoldedStatistics folds;
    private final Workers workers;
    private final int features;
    private final int judgedOutputs;
    /** Number of outputs that the codes represent; 1 if the outputs are judged directly. */
    private final int codedOutputs;

    private final List<OutputMoments> rest = new ArrayList<>();
    private final List<OutputMoments> held = new ArrayList<>();
    /** A basis of the vectors of each fold. */
    private final Map<Integer, double[]> bases = new HashMap<>();

    private final double[] matrix;
    /** The factor of the first fold in {@link #matrix} at a penalty; NaN for none. */
    private double factoredPenalty = Double.NaN;

    private @Nullable NearPenalty nearFactor;

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

    /** Returns the error that compares penalties, for features of a precision. */
    ValidationError error(Precision precision) {
        // A fifth of the features costs 1/125 per fold and penalty: with five folds and seven penalties, a third of one
        // factorisation.
        return features <= MOST_FEATURES_IN_ALL
                ? onAllFolds()
                : sampled(Math.max(SMALLEST_SAMPLE, features / 5), precision);
    }

    ValidationError onAllFolds() {
        return folds.count() == 1
                ? ValidationError.onOneFold(this::at)
                : new ValidationError(PenaltyReason.crossValidation(folds.count()), this::at);
    }

    /**
     * Returns the error on the first fold, for a search that starts at the penalty of a sample of the features.
     *
     * @param count the number of features in the sample
     */
    ValidationError sampled(int count, Precision precision) {
        FoldedStatistics sample = folds.sample(
                folds.constraints().isEmpty()
                        ? sample(features, count)
                        : IntStream.range(0, count).toArray());
        if (!(sample.total().scatterTrace() > 0)) {
            // Sparse features may all be zero in a sample.
            return onAllFolds();
        }
        DoubleSupplier ofSample = () -> {
            RidgeProblem problem = RidgeProblem.of(sample.total(), workers);
            double floor = Ridge.smallestLambda(sample.total(), precision);
            ValidationError error = new FoldedRidge(sample, workers).onAllFolds();
            return new RidgeSearch(problem, error, floor, precision).largestWithin(FLAT);
        };
        return ValidationError.sampled(folds.count(), ofSample, this::onFirst);
    }

    /** Returns the error of a penalty on the first fold, by the factor of a neighbouring penalty if there is one. */
    PathPoint onFirst(double lambda) {
        double share = share(0);
        double[] weights;
        if (nearFactor != null && Math.abs(StrictMath.log10(lambda / factoredPenalty)) < 0.51) {
            weights = nearFactor.solve(lambda * share, rest.get(0).cross(), judgedOutputs, workers);
        } else {
            FoldFactor factor = factor(0, lambda);
            nearFactor = new NearPenalty(factor, lambda * share);
            factoredPenalty = lambda;
            weights = solve(factor, 0);
        }
        return point(lambda, squaredErrors(0, weights), folds.held(0).totalRowWeight());
    }

    /**
     * Draws features; a regular choice could miss all terms of a column or of a kernel. Features of landmarks are not drawn:
     * the first ones are those of a map with the first landmarks.
     */
    static int[] sample(int features, int count) {
        RandomStream stream = new Seed(0).derive("ridge features").stream();
        int[] kept = new int[count];
        int next = 0;
        for (int j = 0; j < features; j++) {
            if (stream.nextInt(features - j) < count - next) {
                kept[next++] = j;
            }
        }
        return kept;
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
        return point(lambda, squares, weight);
    }

    /** Returns the mean squared error per output and unit of row weight. */
    private PathPoint point(double lambda, double squares, double weight) {
        // The mean over the codes is the sum over the outputs that they represent.
        double perOutput = (double) judgedOutputs * codedOutputs;
        return new PathPoint(lambda, Double.NaN, Double.NaN, squares / (weight * perOutput));
    }

    /** Returns the squared errors of a fold's rows at a penalty, summed over rows and outputs. */
    private double squares(int f, double lambda) {
        return squaredErrors(f, solve(factor(f, lambda), f));
    }

    /** Returns the share of the rows outside a fold, by which its penalty is scaled. */
    private double share(int f) {
        return folds.rest(f).totalRowWeight() / folds.total().totalRowWeight();
    }

    private FoldFactor factor(int f, double lambda) {
        folds.copyRest(f, lambda * share(f), matrix);
        Cholesky factor = RidgeProblem.factor(matrix, features, lambda, workers);
        return new FoldFactor(factor, bases.computeIfAbsent(f, this::basis), lambda, workers);
    }

    private double[] basis(int f) {
        return folds.constraints().isEmpty()
                ? new double[0]
                : FoldFactor.basis(folds.constraints().get(f).get(), features, workers);
    }

    private double[] solve(FoldFactor factor, int f) {
        double[] weights = rest.get(f).cross().clone();
        factor.solve(weights, judgedOutputs, workers);
        return weights;
    }

    private double squaredErrors(int f, double[] weights) {
        double squares = held.get(f)
                .squaredErrors(
                        folds.held(f),
                        weights,
                        rest.get(f).means(),
                        folds.rest(f).mean());
        // Rounding of the differences above could make an error negative.
        return Math.max(0, squares);
    }
}
