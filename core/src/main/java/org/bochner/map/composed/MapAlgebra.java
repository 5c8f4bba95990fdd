package org.bochner.map.composed;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bochner.base.Notes;
import org.bochner.base.Require;
import org.bochner.base.SpellingException;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.kernel.composed.ProductKernel;
import org.bochner.kernel.composed.ScaledKernel;
import org.bochner.kernel.composed.SumKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapRecipe;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;

/**
 * Builds maps by the algebra of kernels: a sum of kernels becomes a concatenation of maps, a·k becomes √a·φ, and a
 * channel becomes a map of its columns. A {@link TermRecipe} maps the kernels that remain.
 *
 * @param recipes one recipe for all terms of the kernel, or one per term
 */
public record MapAlgebra(List<TermRecipe> recipes, Notes notes) {
    /**
     * Builds the map of any kernel.
     *
     * @param features the number of features of all terms; see {@link #split}
     */
    public FeatureMap build(Kernel kernel, RowSample rows, OptionalInt features, Seed seed, Workers workers) {
        Require.that(
                kernel.minimumColumns() <= rows.columns(),
                kernel.toString() + ": needs " + kernel.minimumColumns() + " columns, the rows have " + rows.columns());
        List<Kernel> terms = checkedTerms(kernel);
        int[] shares = split(kernel, terms, features);
        if (terms.size() == 1) {
            return term(kernel, recipes.get(0), rows, shares[0], seed, workers);
        }
        List<FeatureMap> parts = new ArrayList<>();
        for (int t = 0; t < shares.length; t++) {
            parts.add(term(terms.get(t), recipe(t), rows, shares[t], seed.derive(t), workers));
        }
        return new ConcatenatedMap(parts);
    }

    /** Returns the recipes without choices: one if all terms agree and do not share a map, otherwise one per term. */
    public MapRecipe chosen(Kernel kernel, RowSample rows, OptionalInt features) {
        List<Kernel> terms = checkedTerms(kernel);
        int[] shares = split(kernel, terms, features);
        List<TermRecipe> chosen = new ArrayList<>();
        for (int t = 0; t < shares.length; t++) {
            chosen.add(recipe(t).chosenFor(leaf(terms.get(t)), rowsOf(terms.get(t), rows), shares[t], notes));
        }
        boolean one = chosen.stream().distinct().count() == 1
                && (recipes.size() == 1 || !chosen.get(0).joinsTerms());
        return one ? chosen.get(0) : new RecipePerTerm(chosen);
    }

    /** Returns the rows of a term's columns. */
    private static RowSample rowsOf(Kernel term, RowSample rows) {
        if (term instanceof ScaledKernel scaled) {
            return rowsOf(scaled.kernel(), rows);
        }
        if (term instanceof ProductKernel product) {
            return product.columns() < rows.columns() ? rows.columns(0, product.columns()) : rows;
        }
        return term instanceof ChannelKernel channel ? rows.columns(channel.from(), channel.to()) : rows;
    }

    private List<Kernel> checkedTerms(Kernel kernel) {
        List<Kernel> terms = terms(kernel);
        if (recipes.size() > 1 && recipes.size() != terms.size()) {
            throw new SpellingException("there are " + recipes.size() + " maps for the " + terms.size()
                    + " terms of the kernel " + kernel + "; give one for all of them, or one for each");
        }
        return terms;
    }

    public static List<Kernel> terms(Kernel kernel) {
        return kernel instanceof SumKernel sum ? sum.terms() : List.of(kernel);
    }

    /** Returns the terms of a kernel without their factors and columns. */
    public static Stream<Kernel> leaves(Kernel kernel) {
        return terms(kernel).stream().map(MapAlgebra::leaf);
    }

    /** Returns a term without its factor and columns. */
    public static Kernel leaf(Kernel term) {
        if (term instanceof ScaledKernel scaled) {
            return leaf(scaled.kernel());
        }
        return term instanceof ChannelKernel channel ? leaf(channel.kernel()) : term;
    }

    private TermRecipe recipe(int term) {
        return recipes.size() == 1 ? recipes.get(0) : recipes.get(term);
    }

    private FeatureMap term(
            Kernel kernel, TermRecipe recipe, RowSample rows, int features, Seed seed, Workers workers) {
        if (kernel instanceof ScaledKernel scaled) {
            return new ScaledMap(scaled.factor(), term(scaled.kernel(), recipe, rows, features, seed, workers));
        }
        if (kernel instanceof ChannelKernel channel) {
            RowSample part = rows.columns(channel.from(), channel.to());
            FeatureMap map = term(channel.kernel(), recipe, part, features, seed, workers);
            return new ColumnRangeMap(map, channel.from(), channel.to(), rows.columns());
        }
        if (kernel instanceof ProductKernel product && product.columns() < rows.columns()) {
            FeatureMap map = term(product, recipe, rows.columns(0, product.columns()), features, seed, workers);
            return new ColumnRangeMap(map, 0, product.columns(), rows.columns());
        }
        return recipe.chosenFor(kernel, rows, features, notes).map(kernel, rows, features, seed, notes, workers);
    }

    /**
     * Returns the number of features of each term; 0 for terms whose maps take no number, or choose it because none is
     * given. Terms whose recipes give a number have it. The others share the total in proportion to their factors: the
     * error of a·k has the variance a²/D, and the sum of these is least where D is proportional to a.
     */
    private int[] split(Kernel kernel, List<Kernel> terms, OptionalInt features) {
        int[] shares = new int[terms.size()];
        double[] weights = new double[terms.size()];
        int unit = 1;
        int sharing = 0;
        for (int t = 0; t < shares.length; t++) {
            Kernel leaf = leaf(terms.get(t));
            TermRecipe recipe = recipe(t);
            if (!recipe.takesFeatures(leaf)) {
                shares[t] = recipe.features().orElse(0);
            } else if (features.isPresent() || !recipe.choosesFeatures(leaf)) {
                weights[t] = terms.get(t) instanceof ScaledKernel scaled ? scaled.factor() : 1;
                unit = Math.max(unit, recipe.unit());
                sharing++;
            }
        }
        if (sharing == 0) {
            if (features.isPresent()) {
                throw new SpellingException("the number of features follows from the "
                        + (shares.length == 1 ? "map" : "maps") + " of " + kernel + ", "
                        + recipes.stream().map(TermRecipe::toString).collect(Collectors.joining(" + "))
                        + ", so none can be asked for, got "
                        + features.getAsInt() + "; leave the number out");
            }
            return shares;
        }
        int total = features.orElse(MapRecipe.DEFAULT_FEATURES);
        if (sharing > 1) {
            Require.that(
                    total >= unit * sharing,
                    kernel.toString() + ": a sum of " + sharing + " kernels needs "
                            + (unit == 1 ? "a feature" : unit + " features") + " for each, got " + total
                            + "; take more features");
        }
        int[] shared = shareOut(total, weights, unit);
        Arrays.setAll(shares, t -> shares[t] + shared[t]);
        return shares;
    }

    /** Divides a total in proportion to weights, in multiples of a unit; each positive weight has at least one unit. */
    public static int[] shareOut(int total, double[] weights, int unit) {
        int[] shares = new int[weights.length];
        if (Arrays.stream(weights).filter(w -> w > 0).count() == 1) {
            Arrays.setAll(shares, t -> weights[t] > 0 ? total : 0);
            return shares;
        }
        int units = total / unit;
        double largest = Arrays.stream(weights).max().orElse(1);
        // Sums of huge factors stay finite.
        double sum = Arrays.stream(weights).map(weight -> weight / largest).sum();
        double[] quotas = Arrays.stream(weights)
                .map(weight -> weight / largest * (units / sum))
                .toArray();
        int left = units;
        for (int t = 0; t < shares.length; t++) {
            shares[t] = weights[t] > 0 ? Math.max(1, (int) Math.floor(quotas[t])) : 0;
            left -= shares[t];
        }
        while (left != 0) {
            // The share furthest below its quota takes one more, or the share furthest above it gives one back.
            int step = Integer.signum(left);
            int next = -1;
            double furthest = Double.NEGATIVE_INFINITY;
            for (int t = 0; t < shares.length; t++) {
                double missing = step * (quotas[t] - shares[t]);
                if (weights[t] > 0 && shares[t] + step >= 1 && missing > furthest) {
                    furthest = missing;
                    next = t;
                }
            }
            shares[next] += step;
            left -= step;
        }
        return Arrays.stream(shares).map(share -> share * unit).toArray();
    }
}
