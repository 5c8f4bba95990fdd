package org.bochner.tune;

import java.util.Arrays;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapParameters;
import org.bochner.map.ParameterKind;
import org.bochner.model.Transformer;
import org.bochner.tune.scales.Parametrization;

/**
 * The diagonal of an average gradient outer product G as a metric: the frequency scale of column l is proportional to
 * √Gₗₗ. A metric is one frequency scale per parameter of the map. The sum of squares of the scales of a term, over its
 * columns, is that of the initial scales.
 */
final class ColumnMetric implements Metric {
    /** The smallest entry of the diagonal that counts, relative to the largest one: a hundredth of its scale. */
    private static final double FLOOR = 1e-4;

    private final Transformer start;
    private final MapParameters parameters;
    private final Parametrization sharing;
    private final double[] initial;

    ColumnMetric(KernelLearning recipe, Transformer start) {
        this.start = start;
        parameters = start.map().parameters(ParameterKind.SCALES);
        initial = parameters.values();
        sharing = Parametrization.of(recipe.sharing, false, recipe.ranges, start.map(), start.map());
    }

    @Override
    public double[] initial() {
        return initial.clone();
    }

    @Override
    public double trace(double[] average) {
        return Arrays.stream(average).sum();
    }

    @Override
    public double[] of(double[] average) {
        int count = initial.length;
        double[] own = new double[count];
        for (int p = 0; p < count; p++) {
            MapParameters.Scope scope = parameters.scope(p);
            own[p] = initial[p] == 0
                    ? 0
                    : Arrays.stream(average, scope.from(), scope.to()).average().orElse(0);
        }
        return sized(sharing.averaged(own));
    }

    @Override
    public boolean takesSteps() {
        return true;
    }

    @Override
    public double[] step(double[] from, double[] to, double step) {
        double[] squares = new double[to.length];
        // Columns that were raised have next to no gradient in the rows: a part of a step would give them influence.
        double raised = Math.sqrt(FLOOR) * Arrays.stream(to).max().orElse(0) * (1 + 1e-9);
        for (int p = 0; p < to.length; p++) {
            double ratio = from[p] > 0 && to[p] > raised ? Math.pow(to[p] / from[p], step) : 0;
            double scale = ratio > 0 ? from[p] * ratio : to[p];
            squares[p] = scale * scale;
        }
        return sized(squares);
    }

    /** Returns scales with squares proportional to given ones, raised and sized. */
    private double[] sized(double[] given) {
        int count = given.length;
        double[] own = given.clone();
        int terms = 0;
        for (int p = 0; p < count; p++) {
            terms = Math.max(terms, parameters.scope(p).term() + 1);
        }
        double largest = Arrays.stream(own).max().orElse(0);
        double[] before = new double[terms];
        double[] after = new double[terms];
        for (int p = 0; p < count; p++) {
            MapParameters.Scope scope = parameters.scope(p);
            int columns = scope.to() - scope.from();
            own[p] = own[p] > 0 ? Math.max(own[p], FLOOR * largest) : 0;
            before[scope.term()] += columns * initial[p] * initial[p];
            after[scope.term()] += columns * own[p];
        }
        double[] scales = initial.clone();
        for (int p = 0; p < count; p++) {
            int term = parameters.scope(p).term();
            if (after[term] > 0) {
                scales[p] = Math.sqrt(own[p] * (before[term] / after[term]));
            }
        }
        return scales;
    }

    @Override
    public FeatureMap map(FeatureMap map, double[] metric, double factor) {
        return map.parameters(ParameterKind.SCALES)
                .with(Arrays.stream(metric).map(scale -> scale * factor).toArray());
    }

    @Override
    public Transformer transformer(double[] metric, double factor) {
        return new Transformer(start.scaler(), map(start.map(), metric, factor));
    }
}
