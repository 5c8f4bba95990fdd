package org.bochner.map.additive;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.ToDoubleFunction;
import org.bochner.base.Notes;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.data.SparseRows;
import org.bochner.kernel.AdditiveKernel;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.RowSample.Interval;
import org.bochner.kernel.SeparableKernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.additive.Chi2;
import org.bochner.kernel.additive.Intersection;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.kernel.composed.WarpedKernel;
import org.bochner.kernel.dot.ArcCosine;
import org.bochner.kernel.dot.ArcSine;
import org.bochner.kernel.dot.Polynomial;
import org.bochner.map.composed.MapAlgebra;
import org.bochner.map.composed.TermRecipe;
import org.bochner.map.composed.TwoStageRecipe;
import org.bochner.map.dot.RectifiedRecipe;
import org.bochner.map.dot.SigmoidRecipe;
import org.bochner.map.dot.TensorSketchRecipe;
import org.bochner.map.fourier.FourierForm;
import org.bochner.map.fourier.FourierRecipe;
import org.bochner.map.layout.ErrorWeight;
import org.bochner.map.study.AdditiveErrors;
import org.bochner.map.study.PairErrors;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the map that suits the kernel: {@code auto}.
 *
 * <ul>
 *   <li>shift-invariant kernels: {@code fourier};
 *   <li>{@code polynomial}: {@code tensor-sketch}; {@code arc-cosine}: {@code rectified};
 *       {@code arc-sine}: {@code sigmoid};
 *   <li>additive kernels: the smallest map whose relative error on sampled rows is at most {@code error}, and at most
 *       0.05 for values far beyond those of sparse rows or of a narrow range;
 *   <li>kernels of a distance: a Fourier map after the smallest additive map whose error is below a quarter of that of
 *       the Fourier stage.
 * </ul>
 *
 * @param error the largest relative error, for additive kernels
 */
public record AutoRecipe(double error) implements AdditiveRecipe {
    public static final String NAME = "auto";

    private static final double DEFAULT_ERROR = 0.01;

    /** The most features per column that are tried; fewer where the features of very many columns take much memory. */
    private static final int MOST_PER_COLUMN = 101;

    /** The most features per column before a Fourier stage, whose cost they multiply. */
    private static final int MOST_OF_FIRST_STAGE = 41;

    /**
     * The most terms of a series that are tried. Beyond, sampled spectra have a smaller error and need no search of a
     * scale.
     */
    private static final int MOST_SERIES_TERMS = 13;

    /** How far values beyond the range of the rows are measured. */
    private static final double OTHER_VALUES = 30;

    /** The largest error for them, as a share of the kernel of the larger value with itself. */
    private static final double MOST_OTHER_ERROR = 0.05;

    /** Values whose largest ratio is below this say little about the values of later rows. */
    private static final double NARROW = 10;

    public AutoRecipe {
        Require.positive(NAME, "error", error);
    }

    public AutoRecipe() {
        this(DEFAULT_ERROR);
    }

    public static AutoRecipe parse(Spelling spelling) {
        return new AutoRecipe(spelling.allow("error").number("error", DEFAULT_ERROR));
    }

    /** A candidate and its error. */
    private record Tried(AdditiveRecipe recipe, double error) {}

    @Override
    public TermRecipe chosenFor(Kernel leaf, RowSample rows, int features, Notes notes) {
        if (leaf instanceof AdditiveKernel additive) {
            return choose(additive, rows, notes);
        }
        if (leaf instanceof RadialKernel) {
            return new TwoStageRecipe(FourierRecipe.RANDOM, this).chosenFor(leaf, rows, features, notes);
        }
        if (leaf instanceof Polynomial) {
            return new TensorSketchRecipe(OptionalInt.empty());
        }
        if (leaf instanceof ArcCosine) {
            return new RectifiedRecipe(OptionalInt.empty());
        }
        if (leaf instanceof ArcSine) {
            return new SigmoidRecipe(OptionalInt.empty());
        }
        if (leaf instanceof ShiftInvariantKernel || leaf instanceof WarpedKernel) {
            return FourierRecipe.RANDOM;
        }
        throw new SpellingException("map '" + this + "': there is no map of " + leaf);
    }

    @Override
    public AdditiveMap additive(AdditiveKernel kernel, RowSample rows, Notes notes) {
        return choose(kernel, rows, notes).additive(kernel, rows, notes);
    }

    private AdditiveRecipe choose(AdditiveKernel kernel, RowSample rows, Notes notes) {
        if (kernel instanceof SeparableKernel) {
            return new ExactRecipe();
        }
        if (!(kernel instanceof HomogeneousKernel homogeneous)) {
            throw new SpellingException("map '" + this + "': " + kernel
                    + " is neither homogeneous nor has an exact map, so there is none to choose from");
        }
        AdditiveErrors errors = new AdditiveErrors(kernel, rows);
        int most = Math.min(MOST_PER_COLUMN, errors.mostPerColumn());
        Tried chosen = choose(homogeneous, rows, most, error, errors::of);
        notes.choice("map of " + kernel + ": " + chosen.recipe
                + (chosen.error <= error
                        ? ", the smallest whose error is at most " + Spelling.print(error) + "; it is "
                        : ", the best of up to " + most + " features per column, none of which has an error of at most "
                                + Spelling.print(error) + "; it is ")
                + errors.describe(chosen.error));
        return chosen.recipe;
    }

    /** Returns the additive stage before a number of Fourier features. */
    public AdditiveRecipe firstStage(RadialKernel kernel, RowSample rows, FourierForm form, int features, Notes notes) {
        HomogeneousKernel additive = kernel.additive();
        if (additive instanceof SeparableKernel || rows.rows() < 2) {
            return choose(additive, rows, notes);
        }
        PairErrors errors = new PairErrors(kernel, rows);
        double random = errors.ofFourier(form, features);
        int most = Math.min(MOST_OF_FIRST_STAGE, errors.mostPerColumn());
        Tried chosen = choose(additive, rows, most, random / 4, errors::ofFirstStage);
        notes.choice(String.format(
                Locale.ROOT,
                "first stage of %s: %s; its error is %.2g (RMS over pairs of sampled rows), that of %d random features after"
                        + " it %.2g",
                kernel,
                chosen.recipe,
                chosen.error,
                features,
                random));
        return chosen.recipe;
    }

    /**
     * Returns the best recipe with the fewest features per column that reach the target; the best of all if none does.
     */
    private static Tried choose(
            HomogeneousKernel kernel, RowSample rows, int most, double target, ToDoubleFunction<AdditiveMap> measure) {
        @Nullable Interval others = otherValues(rows);
        @Nullable Tried best = null;
        @Nullable Tried refused = null;
        for (int count = 1; count <= most; count++) {
            for (AdditiveRecipe recipe : withFeaturesPerColumn(kernel, count)) {
                AdditiveMap map = recipe.additive(kernel, rows, new Notes());
                double error = measure.applyAsDouble(map);
                boolean admitted = others == null
                        || AdditiveErrors.largestShare(map, others) <= Math.max(MOST_OTHER_ERROR, target);
                if (!admitted) {
                    refused = refused == null || error < refused.error ? new Tried(recipe, error) : refused;
                } else if (best == null || error < best.error) {
                    best = new Tried(recipe, error);
                }
            }
            if (best != null && best.error <= target) {
                return best;
            }
        }
        return best != null ? best : Objects.requireNonNull(refused);
    }

    /**
     * Returns the range of values for which a map must be good too, wider than that of the rows. Null if the sampled
     * rows show which values occur: dense rows with values of several magnitudes. Sparse rows, such as shares of words,
     * may have far smaller or larger values in later rows: those of longer or shorter texts.
     */
    private static @Nullable Interval otherValues(RowSample rows) {
        Interval range = rows.range();
        if (rows.rows() < 2
                || !range.hasPositive()
                || !(rows.block() instanceof SparseRows || range.high() < NARROW * range.low())) {
            return null;
        }
        return new Interval(range.low() / OTHER_VALUES, range.high() * OTHER_VALUES);
    }

    /** Returns the recipes with a number of features per column. */
    private static List<AdditiveRecipe> withFeaturesPerColumn(HomogeneousKernel kernel, int count) {
        List<AdditiveRecipe> recipes = new ArrayList<>();
        if (count >= 3 && count % 2 == 1) {
            recipes.add(new SampledRecipe(count / 2));
        }
        if (count >= 3 && count <= DesignRecipe.MOST_TRIED) {
            recipes.add(new DesignRecipe(count, ErrorWeight.ABSOLUTE));
            recipes.add(new DesignRecipe(count, ErrorWeight.DATA));
        }
        if (kernel instanceof Chi2 && count <= MOST_SERIES_TERMS) {
            for (Chi2Series series : Chi2Series.values()) {
                recipes.add(new SeriesRecipe(series, count));
            }
        }
        if (kernel instanceof Intersection && count >= 2) {
            // Piecewise codes have the smallest error of inner products. Unary codes have the smallest error of
            // distances: it
            // has either sign and cancels over the columns, while distances of piecewise codes are all too small.
            recipes.add(new BinnedRecipe(BinCode.PIECEWISE, count - 1));
            recipes.add(new BinnedRecipe(BinCode.UNARY, count - 1));
        }
        return recipes;
    }

    @Override
    public boolean needsData(Kernel kernel) {
        return MapAlgebra.leaves(kernel)
                .anyMatch(leaf -> !(leaf instanceof SeparableKernel)
                        && (leaf instanceof AdditiveKernel || leaf instanceof RadialKernel));
    }

    @Override
    public double bytesNeeded(int columns, int features) {
        return FourierRecipe.RANDOM.bytesNeeded(columns, features);
    }

    @Override
    public void requireFeatures(int features) {
        FourierRecipe.RANDOM.requireFeatures(features);
    }

    @Override
    public String toString() {
        return TermRecipe.spell(NAME, error == DEFAULT_ERROR ? "" : "error=" + Spelling.print(error));
    }
}
