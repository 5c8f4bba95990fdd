package org.bochner.model.train;

import java.util.Optional;
import org.bochner.base.Notes;
import org.bochner.data.MemorySource;
import org.bochner.data.sample.Folds;
import org.bochner.data.sample.ThinnedRows;
import org.bochner.learn.Learner;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.ridge.Ridge;
import org.bochner.learn.solve.Formulation;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.DualStatistics;
import org.bochner.stats.FoldedStatistics;
import org.bochner.stats.Statistics;

/**
 * The sampled rows on which kernels are compared.
 *
 * @param sourceRows the number of rows from which the sample was taken
 */
record ScaleSample(TrainingSettings settings, MemorySource rows, long sourceRows, Workers workers, Seed seed) {
    private static final int FOLDS = 3;

    /** The largest size of a matrix in the dual, which takes n³ operations; larger candidates are left out. */
    private static final int MOST_SIZE = 15_000;

    /** A sample is divided if it has more than this many times the wanted rows: errors on nearly equal rows differ little. */
    private static final double MUCH_LARGER = 1.5;

    /** Returns the learner's penalty, scaled to the number of sampled rows; 0 if the penalty is automatic. */
    double penalty() {
        Learner learner = settings.learner;
        return learner.isAuto() ? 0 : Formulation.of(learner).l2() * rows.rows() / sourceRows;
    }

    /** Returns about a number of the rows, chosen at random; empty if this sample has hardly more. */
    Optional<ScaleSample> first(double count) {
        if (rows.rows() <= MUCH_LARGER * count) {
            return Optional.empty();
        }
        MemorySource chosen = MemorySource.load(new ThinnedRows(rows, count / rows.rows(), seed.derive("first")));
        return Optional.of(new ScaleSample(settings, chosen, sourceRows, workers, seed));
    }

    ClassWeights weights() {
        return settings.classWeighting.of(rows);
    }

    /**
     * Returns the cross-validated squared error of ridge regression, with the best penalty or that of the learner, as a share of
     * the variance; infinite if it would take too long.
     */
    double crossValidated(Transformer transformer) {
        double penalty = penalty();
        DualPass dual = new DualPass(rows, transformer, workers, new PassTimes());
        if (dual.isSmaller(new Notes())) {
            if (Math.min(sourceRows, transformer.map().outputDimension()) > MOST_SIZE) {
                return Double.POSITIVE_INFINITY;
            }
            DualStatistics statistics = dual.run(weights(), Progress.NONE);
            PathPoint point = penalty > 0
                    ? Ridge.validate(statistics, penalty, workers)
                    : Ridge.bestPenalty(statistics, Precision.FLOAT64, workers);
            return point.validationError() / spread(statistics);
        }
        Precision precision = settings.precision;
        FoldedStatistics folds = new GramPass(rows, transformer, workers)
                .fold(Folds.of(FOLDS, seed), FOLDS, weights(), precision, Progress.NONE);
        PathPoint point =
                penalty > 0 ? Ridge.validate(folds, penalty, workers) : Ridge.bestPenalty(folds, precision, workers);
        return point.validationError() / spread(folds.total());
    }

    /** Returns the mean squared error per output of predicting the mean target. */
    private static double spread(Statistics statistics) {
        OutputCoding outputs = OutputCoding.of(statistics.labels());
        double squares = 0;
        for (int o = 0; o < outputs.count(); o++) {
            squares += outputs.scale() * outputs.scale() * statistics.targetScatter(outputs.target(o));
        }
        return squares / (statistics.totalRowWeight() * outputs.count());
    }
}
