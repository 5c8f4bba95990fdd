package org.bochner.model.train;

import java.util.Locale;
import java.util.OptionalInt;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.SpellingException;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.RowSource;
import org.bochner.data.sample.RowCount;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.learn.Learner;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapRecipe;
import org.bochner.map.additive.AutoRecipe;
import org.bochner.map.binning.BinningRecipe;
import org.bochner.map.composed.MapAlgebra;
import org.bochner.map.fourier.FourierRecipe;
import org.bochner.map.landmark.LandmarkChoice;
import org.bochner.map.landmark.LandmarkRecipe;
import org.bochner.numeric.Workers;
import org.bochner.stats.DualAccumulator;
import org.bochner.stats.ExactRows;
import org.bochner.stats.Statistics;

/**
 * Chooses how a machine with a rough kernel and the map {@code auto} is trained, by the number of rows and the memory:
 * exactly, with landmarks, or with random features.
 *
 * <p>A kernel is rough if its frequencies have heavy tails: laplacian, stable, and matern with nu below 1.5. Random features
 * of rough kernels have large errors, because few draws have the high frequencies that carry the details. Landmarks and
 * exact machines have no such error; docs/defaults.md has the measurements.
 */
public final class RoughMap {
    /** The most rows of an exact machine, whose time grows with the cube of the rows. */
    static final long MOST_EXACT_ROWS = 10_000;

    /** The most rows with landmarks. With more, a pass over the rows is cheaper with random features. */
    static final long MOST_LANDMARK_ROWS = 100_000;

    /** The number of landmarks if none is given. */
    static final int LANDMARKS = 2000;

    private final TrainingSettings settings;
    private final RowSource source;
    private final Workers workers;

    private RoughMap(TrainingSettings settings, RowSource source, Workers workers) {
        this.settings = settings;
        this.source = source;
        this.workers = workers;
    }

    /** Returns true if random features of every term of the kernel have frequencies with heavy tails, or cannot be drawn. */
    public static boolean isRough(Kernel kernel) {
        return MapAlgebra.leaves(kernel)
                .allMatch(leaf -> leaf instanceof ShiftInvariantKernel shiftInvariant && heavyTailed(shiftInvariant));
    }

    private static boolean heavyTailed(ShiftInvariantKernel kernel) {
        try {
            return kernel.spectrum().heavyTailed();
        } catch (BochnerException e) {
            // The kernel is so rough that it has no random features.
            return true;
        }
    }

    /**
     * Returns the settings with random features if the map is open and the kernel is shift-invariant: the map that
     * {@code auto} stands for where the number of rows does not matter.
     */
    static TrainingSettings random(TrainingSettings settings) {
        Kernel kernel = settings.kernel.withUnitScales();
        if (!(settings.map instanceof AutoRecipe)
                || !(isRough(kernel) || MapAlgebra.leaves(kernel).allMatch(ShiftInvariantKernel.class::isInstance))) {
            return settings;
        }
        TrainingSettings random = settings.copy();
        random.map = FourierRecipe.RANDOM;
        return random;
    }

    /** Returns the settings with the chosen map, and notes the choice; the settings themselves if there is none to make. */
    static TrainingSettings choose(TrainingSettings settings, RowSource source, Workers workers, Notes notes) {
        boolean open = settings.map instanceof AutoRecipe
                && settings.start == null
                && settings.landmarks == null
                && settings.components == null
                && !settings.learner.sparse()
                && !source.ofSets()
                && !source.sparse();
        return open && isRough(settings.kernel.withUnitScales())
                ? new RoughMap(settings, source, workers).chosen(notes)
                : settings;
    }

    private TrainingSettings chosen(Notes notes) {
        long count = RowCount.upTo(source, MOST_LANDMARK_ROWS + 1);
        TrainingSettings chosen = settings.copy();
        if (exact(count)) {
            chosen.map = FeatureMaps.none();
            notes.choice(
                    String.format(
                            Locale.ROOT,
                            "map none: the kernel is rough, and an exact machine of %,d rows fits into memory",
                            count),
                    Remedy.set(Setting.MAP, "fourier", "is faster, with a larger error"));
            return chosen;
        }
        int landmarks = (int) Math.min(settings.features.orElse(LANDMARKS), count);
        boolean asked = settings.features.isPresent();
        if (count <= MOST_LANDMARK_ROWS
                && (!asked || landmarks == settings.features.getAsInt())
                && landmarks >= 1
                && fits(LandmarkRecipe.of(landmarks, LandmarkChoice.UNIFORM), landmarks)) {
            // A number that was given stays a setting of its own.
            chosen.map = asked ? new LandmarkRecipe() : LandmarkRecipe.of(landmarks, LandmarkChoice.UNIFORM);
            notes.choice(
                    String.format(
                            Locale.ROOT, "map %s: the kernel is rough, and there are %,d rows", chosen.map, count),
                    remedies());
        } else if (count > MOST_LANDMARK_ROWS && settings.learner.isRidge()) {
            notes.choice(
                    String.format(
                            Locale.ROOT,
                            "the kernel is rough, and there are more than %,d rows, so random features are used, which"
                                    + " have large errors with rough kernels",
                            MOST_LANDMARK_ROWS),
                    cells());
        }
        return chosen;
    }

    /** Returns the alternatives to landmarks. */
    private Remedy[] remedies() {
        Remedy random = Remedy.set(Setting.MAP, "fourier", "is faster, with a larger error");
        return settings.learner.isRidge() ? new Remedy[] {cells(), random} : new Remedy[] {random};
    }

    /** Returns the advice to take the cells of random grids, with another kernel if this one has no grids. */
    private Remedy cells() {
        return Remedy.set(
                Setting.MAP,
                BinningRecipe.NAME,
                (hasGrids() ? "" : "with the kernel laplacian ") + "often has a smaller error on tables");
    }

    private boolean hasGrids() {
        try {
            ((BinningRecipe) FeatureMaps.parse(BinningRecipe.NAME))
                    .requireGrids(settings.kernel.withUnitScales(), source.columns());
            return true;
        } catch (SpellingException e) {
            return false;
        }
    }

    private boolean exact(long count) {
        Learner learner = settings.learner;
        return count <= MOST_EXACT_ROWS
                && settings.features.isEmpty()
                && learner.isRidge()
                && !learner.hasSolver()
                && MemoryBudget.whole()
                        .holds(DualAccumulator.bytesNeeded(
                                        count, 0, 0, Statistics.targets(source.labels()), workers.threads())
                                + ExactRows.bytes(count, (double) count * source.columns(), false));
    }

    /** Returns true if the statistics of landmarks fit into memory. */
    private boolean fits(MapRecipe map, int landmarks) {
        TrainingSettings trial = settings.copy();
        trial.map = map;
        trial.features = OptionalInt.empty();
        return MemoryCheck.of(trial, source.columns(), Statistics.targets(source.labels()), workers)
                        .obstacle(landmarks, settings.precision, MemoryBudget.whole())
                == null;
    }
}
