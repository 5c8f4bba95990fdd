package org.bochner.tune.scales;

import java.util.List;
import org.bochner.learn.ridge.Ridge;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Precision;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.GramStatistics;
import org.bochner.tune.folds.FoldStatistics;
import org.bochner.tune.folds.FoldedRows;
import org.bochner.tune.folds.ScoredRows;

/**
 * A criterion of ridge regression. One evaluation takes one pass over the rows, for the statistics of the folds;
 * leave-one-out takes another one, for the leverages.
 *
 * <p>Memory: D² numbers per fold.
 */
public final class RidgeCriterion implements ScaleCriterion {
    private final CriterionKind kind;
    private final FoldedRows rows;
    private final ClassWeights classWeights;
    private final Precision precision;
    private double smallest;

    public RidgeCriterion(CriterionKind kind, FoldedRows rows, ClassWeights classWeights, Precision precision) {
        this.kind = kind;
        this.rows = rows;
        this.classWeights = classWeights;
        this.precision = precision;
    }

    /** Maps the rows and returns the problem. */
    @Override
    public RidgeFolds prepare(FeatureMap map) {
        List<GramAccumulator> folds = FoldStatistics.of(rows, map, classWeights, precision);
        return new RidgeFolds(kind, folds, new ScoredRows(rows, map, precision), classWeights);
    }

    @Override
    public boolean comparesPenalties() {
        return kind != CriterionKind.LEAVE_ONE_OUT;
    }

    @Override
    public CriterionResult evaluate(FeatureMap map, double asked, boolean moves) {
        RidgeFolds problem = prepare(map);
        if (smallest == 0) {
            smallest = smallest(problem.total());
        }
        return problem.evaluate(moves ? smallest + asked : Math.max(smallest, asked));
    }

    @Override
    public double smallestPenalty() {
        return smallest;
    }

    /**
     * The smallest penalty that the precision allows, for all scales: {@link Ridge#smallestLambda} for features that
     * are not centred. The squares of such features do not depend on scales if the features are cosines and sines.
     */
    private double smallest(GramStatistics total) {
        double squares = total.scatterTrace();
        for (double mean : total.mean()) {
            squares += total.totalRowWeight() * mean * mean;
        }
        return Ridge.smallestLambda(total, precision) * squares / Math.max(total.scatterTrace(), Double.MIN_NORMAL);
    }
}
