package org.bochner.learn.uncertainty;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.learn.UncertaintyRecipe;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.OutputMoments;
import org.bochner.numeric.Workers;
import org.bochner.numeric.function.StudentQuantile;
import org.bochner.stats.GramStatistics;
import org.jspecify.annotations.Nullable;

/**
 * The uncertainty of a model's predictions, for every level between 0 and 1.
 *
 * <p>The interval of a number is its prediction ± {@link #limit} times the {@linkplain #deviations deviation} of the row,
 * which is 1 for {@code conformal}. The set of a row's classes has all classes whose score of disagreement is at most the
 * {@link #limit}.
 *
 * <p>Threads: safe; immutable.
 */
public final class Uncertainty {
    private static final String OWNER = "uncertainty";

    private final UncertaintyRecipe recipe;
    /** The number of rows that errors were measured on, or that the noise was estimated from. */
    private final int rows;
    /** One per output; empty without held-out errors. */
    private final List<ScoreQuantiles> quantiles;
    /** The variance of the noise, one per output; empty for held-out errors. */
    private final double[] noise;

    private final @Nullable PredictiveFactor factor;

    private Uncertainty(
            UncertaintyRecipe recipe,
            int rows,
            List<ScoreQuantiles> quantiles,
            double[] noise,
            @Nullable PredictiveFactor factor) {
        this.recipe = recipe;
        this.rows = rows;
        this.quantiles = List.copyOf(quantiles);
        this.noise = noise;
        this.factor = factor;
    }

    /** Creates the uncertainty that follows from the errors of held-out rows, at least one. */
    public static Uncertainty conformal(UncertaintyRecipe recipe, ErrorAccumulator errors) {
        return new Uncertainty(recipe, errors.rows(), errors.quantiles(), new double[0], null);
    }

    /**
     * Creates the uncertainty of ridge regression as a Gaussian process.
     *
     * <p>The variance of the noise is the one with the largest marginal likelihood, with the intercept integrated out: of n
     * rows it is v = R/(n − 1) with R = Σ w r² + λ|β|², the minimum of the objective of ridge regression.
     *
     * @param statistics the statistics of the features, whose penalty is the plain one
     * @param lambda the penalty of the weights
     * @param weights the solution at the penalty
     */
    public static Uncertainty gaussian(
            UncertaintyRecipe recipe, GramStatistics statistics, double lambda, LinearModel weights, Workers workers) {
        if (statistics.weighedRows() < 2) {
            throw new BochnerException("gaussian: the noise cannot be estimated from fewer than 2 rows with a weight");
        }
        OutputMoments targets = OutputMoments.of(statistics);
        int outputs = weights.outputs();
        double[] noise = targets.squares().clone();
        for (int j = 0; j < statistics.features(); j++) {
            for (int o = 0; o < outputs; o++) {
                // R = |y|² − cᵀβ, because (H + λI)β = c.
                noise[o] -= targets.cross()[j * outputs + o] * weights.weight(j, o);
            }
        }
        int rows = (int) Math.min(Integer.MAX_VALUE, statistics.weighedRows());
        Arrays.setAll(noise, o -> Math.max(0, noise[o]) / (statistics.weighedRows() - 1));
        return new Uncertainty(recipe, rows, List.of(), noise, PredictiveFactor.of(statistics, lambda, workers));
    }

    /** Returns the recipe. */
    public UncertaintyRecipe recipe() {
        return recipe;
    }

    /** Returns the number of rows that errors were measured on, or that the noise was estimated from. */
    public int rows() {
        return rows;
    }

    /** Returns the largest level for which intervals are finite; 1 if they are finite for all levels below 1. */
    public double highestLevel() {
        return quantiles.isEmpty() ? 1 : (double) rows / (rows + 1.0);
    }

    /** Returns the number of outputs: one per predicted number, and one for all classes together. */
    public int outputs() {
        return quantiles.isEmpty() ? noise.length : quantiles.size();
    }

    /** Returns true if intervals of different rows have different widths. */
    public boolean hasDeviations() {
        return factor != null;
    }

    /** Returns the number of features that {@link #deviations} takes; 0 without them. */
    public int features() {
        return factor == null ? 0 : factor.features();
    }

    /**
     * Computes the deviations of rows; only if the uncertainty {@linkplain #hasDeviations has} them.
     *
     * @param features rows×D features, row-major; overwritten
     * @param to receives one deviation per row, from index {@code at} on
     */
    public void deviations(double[] features, int count, double[] to, int at) {
        if (factor == null) {
            throw new IllegalStateException("no deviations");
        }
        factor.deviations(features, count, to, at);
    }

    /**
     * Returns half the width of the intervals of rows with deviation 1, or the largest score of a class in a set; infinite if
     * there are too few rows for the level.
     */
    public double limit(int output, double level) {
        return quantiles.isEmpty()
                ? StudentQuantile.central(UncertaintyRecipe.requireLevel(level), rows - 1) * Math.sqrt(noise[output])
                : quantiles.get(output).quantile(level);
    }

    /** Returns the saved form. */
    public State state() {
        State state = State.of(recipe.isConformal() ? "conformal" : "gaussian")
                .with("recipe", recipe.toString())
                .with("rows", rows)
                .with("outputs", outputs());
        if (!quantiles.isEmpty()) {
            state.with("ranks", quantiles.get(0).ranks());
            for (int o = 0; o < quantiles.size(); o++) {
                quantiles.get(o).addTo(state, "errors." + o);
            }
        } else {
            state.with("noise", noise);
        }
        return factor == null ? state : state.with("factor", factor.state());
    }

    /**
     * Loads an uncertainty from its {@link #state}.
     *
     * @param classes true if the model predicts classes
     * @param outputs the number of outputs that the model needs
     * @param features the number of features of the model
     */
    public static Uncertainty load(State state, boolean classes, int outputs, int features) {
        UncertaintyRecipe recipe = UncertaintyRecipe.parse(state.text("recipe"));
        if (!state.type().equals(recipe.isConformal() ? "conformal" : "gaussian")) {
            throw new BochnerException(OWNER + ": the type '" + state.type() + "' does not fit the recipe " + recipe);
        }
        int rows = state.count("rows");
        Require.sameSize(OWNER, "outputs", state.count("outputs"), outputs);
        List<ScoreQuantiles> quantiles = new ArrayList<>();
        if (recipe.isConformal()) {
            int[] ranks = state.integers("ranks", ScoreQuantiles.ranks(rows).length);
            ScoreQuantiles.requireRanks(rows, ranks);
            for (int o = 0; o < outputs; o++) {
                ScoreQuantiles loaded = ScoreQuantiles.load(state, "errors." + o, rows, ranks);
                if (!classes && loaded.least() < 0) {
                    throw new BochnerException(OWNER + ": an absolute error is negative, " + loaded.least());
                }
                quantiles.add(loaded);
            }
            return new Uncertainty(recipe, rows, quantiles, new double[0], null);
        }
        Require.atLeast(OWNER, "rows", rows, 2);
        double[] noise = state.array("noise", outputs);
        for (double variance : noise) {
            Require.notNegative(OWNER, "noise", variance);
        }
        return new Uncertainty(recipe, rows, quantiles, noise, PredictiveFactor.load(state.part("factor"), features));
    }

    @Override
    public String toString() {
        return recipe.toString();
    }
}
