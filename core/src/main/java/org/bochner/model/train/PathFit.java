package org.bochner.model.train;

import java.util.List;
import java.util.OptionalLong;
import org.bochner.base.BochnerException;
import org.bochner.data.RowSource;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.solve.Needs;
import org.bochner.map.composed.WhitenedMap;
import org.bochner.model.Transformer;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.Statistics;
import org.bochner.stats.StoredFeatures;

/** Fits weights at several strengths of the penalty, from the strongest down. */
final class PathFit {
    /**
     * The fits at several strengths of the penalty.
     *
     * @param rows the number of training rows
     * @param tests the rows to test on
     */
    record Fits(List<LinearFit> fits, long rows, StoredFeatures tests) {}

    private final WeightFit route;
    private final Transformer transformer;

    PathFit(WeightFit route) {
        this.route = route;
        transformer = route.transformer;
    }

    /** Fits at a number of strengths, and maps the test rows. */
    Fits run(RowSource testing, int count) {
        FeatureFit features = new FeatureFit(route, transformer, null);
        long budget = features.budget();
        StoredFeatures tests = features.store(testing, transformer, ClassWeights.none(), budget / 4);
        if (route.needs instanceof Needs.Statistics) {
            return fromStatistics(count, tests);
        }
        if (!route.takesPenalty(transformer.map())) {
            throw new BochnerException(route.learner.name() + " learns along a path from features whose penalty is the"
                    + " plain one; use landmarks(whitened), or piecewise without 'sparse'");
        }
        StoredFeatures store = features.store(route.source, transformer, route.weights, budget - budget / 4);
        return new Fits(route.training().path(store, count), store.rows(), tests);
    }

    private Fits fromStatistics(int count, StoredFeatures tests) {
        route.memory().requireStatistics(transformer.map().outputDimension(), route.used, OptionalLong.empty());
        if (!transformer.map().amplifiesRounding()) {
            Statistics statistics = statistics(transformer);
            return new Fits(route.training().path(statistics, route.used, count), statistics.rows(), tests);
        }
        WhitenedMap whitened = route.whitenedMap(transformer.map());
        Transformer from = new Transformer(transformer.scaler(), whitened);
        Statistics statistics = statistics(from);
        List<LinearFit> fits = route.training(from, null).path(statistics, route.used, count).stream()
                .map(fit -> fit.withModel(WeightFit.unwhitened(whitened, fit.model())))
                .toList();
        return new Fits(fits, statistics.rows(), tests);
    }

    private Statistics statistics(Transformer from) {
        return route.pass(route.source, from).run(route.weights, route.used, route.progress);
    }
}
