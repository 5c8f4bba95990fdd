package org.bochner.stats;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.data.Labels;
import org.bochner.data.RowSource;
import org.bochner.data.cell.Cells;
import org.bochner.numeric.Workers;

/**
 * The weighting of classes in training.
 *
 * @param balanced true if all classes get equal total weight
 * @param factors factors for the rows of some classes, by class name; applied after balancing
 */
public record ClassWeighting(boolean balanced, Map<String, Double> factors) {
    /** Weights beyond these, times the weights of rows, have no finite squares in float32. */
    private static final double SMALLEST = 1e-30;

    private static final double LARGEST = 1e30;

    /** No weighting: every row has its own weight. */
    public static final ClassWeighting NONE = new ClassWeighting(false, Map.of());

    public ClassWeighting {
        factors.forEach((name, weight) -> {
            Require.positive("class weights", "weight of " + name, weight);
            Require.between("class weights", "weight of " + name, weight, SMALLEST, LARGEST);
        });
        factors = Collections.unmodifiableMap(new LinkedHashMap<>(factors));
    }

    /** Returns the factor of each class of the source. Balancing takes one pass over the rows. */
    public ClassWeights of(RowSource source) {
        if (equals(NONE)) {
            return ClassWeights.none();
        }
        if (!(source.labels() instanceof Labels.Classes classes)) {
            throw new BochnerException("class weights need classes; " + source.name() + " has numbers");
        }
        List<String> names = classes.names();
        double[] factorOf = new double[names.size()];
        Arrays.fill(factorOf, 1);
        factors.forEach((name, factor) -> {
            // Users may write +1 or 1.0 for the class 1.
            int c = names.contains(name) ? names.indexOf(name) : names.indexOf(Cells.canonical(name));
            if (c < 0) {
                throw new BochnerException("class weights: " + source.name() + " has no class '" + name
                        + "'; its classes are " + String.join(", ", names));
            }
            factorOf[c] = factor;
        });
        ClassWeights weights = balanced
                ? ClassWeights.balanced(new ClassCountTask(names.size()).over(source, new Workers(1)))
                : ClassWeights.none();
        double[] product = new double[names.size()];
        for (int c = 0; c < product.length; c++) {
            product[c] = weights.factor(c) * factorOf[c];
        }
        return ClassWeights.of(product);
    }
}
