package org.bochner.map.binning;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.bochner.base.Notes;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.ColumnRange;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.MapAlgebra;
import org.bochner.map.composed.TermRecipe;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;

/**
 * A recipe for random binning maps, {@code binning} or {@code binning(grids=128)}. It takes the Laplacian kernel, stable kernels
 * with p of at most 1 and q of at least 0.2, products of them over the columns, and sums, whose terms share one map. In a product,
 * a Gaussian factor is for columns of zeros and ones, such as one-hot encoded categories.
 *
 * <p>The features are the cells that the training rows lie in, so their number is known after a pass over the rows.
 *
 * @param grids the number of grids R; empty for a number that depends on the rows; the kernel error has the variance k(1 − k)/R
 * @param least cells with fewer training rows are left out of the map
 */
public record BinningRecipe(OptionalInt grids, int least) implements TermRecipe {
    public static final String NAME = "binning";

    private static final int FEWEST_GRIDS = 128;

    private static final int MOST_GRIDS = 512;

    /** With few rows, more grids cost little. */
    private static final long USUAL_CELLS_OF_ROWS = 1 << 21;

    public BinningRecipe {
        grids.ifPresent(number -> Require.atLeast(NAME, "grids", number, 1));
        Require.that(
                least >= 1 && least <= CellCounter.MOST,
                NAME + ": least must be from 1 to " + CellCounter.MOST + ", got " + least);
    }

    /** Keeps all cells of training rows. */
    public BinningRecipe(int grids) {
        this(OptionalInt.of(grids), 1);
    }

    public static BinningRecipe parse(Spelling spelling) {
        spelling.allow("grids", "least");
        OptionalInt grids = spelling.has("grids") ? OptionalInt.of(spelling.integer("grids", 1)) : OptionalInt.empty();
        return new BinningRecipe(grids, spelling.integer("least", 1));
    }

    /** Returns the number of grids; fails if it is not chosen. */
    public int count() {
        return grids.orElseThrow(
                () -> new IllegalArgumentException(NAME + ": the number of grids is not chosen yet; call forRows"));
    }

    /** Returns a recipe that leaves out the same cells, with another number of grids. */
    public BinningRecipe withGrids(int number) {
        return new BinningRecipe(OptionalInt.of(number), least);
    }

    /** Returns a recipe with a number of grids: the given one, or one for a number of rows. */
    public BinningRecipe forRows(long rows) {
        if (grids.isPresent()) {
            return this;
        }
        long affordable = Long.highestOneBit(USUAL_CELLS_OF_ROWS / Math.max(1, rows));
        return withGrids((int) Math.max(FEWEST_GRIDS, Math.min(MOST_GRIDS, affordable)));
    }

    /**
     * Returns the columns of a kernel that must hold zeros and ones, and therefore must not be scaled: those of the Gaussian
     * factors of products.
     */
    public static List<ColumnRange> flags(Kernel kernel, int columns) {
        return MapAlgebra.terms(kernel).stream()
                .flatMap(term -> GridLaw.of(term, columns).stream())
                .flatMap(List::stream)
                .filter(GridLaw.OfFlags.class::isInstance)
                .map(law -> new ColumnRange("", law.from(), law.to()))
                .distinct()
                .toList();
    }

    @Override
    public boolean takesFeatures() {
        return false;
    }

    @Override
    public boolean takesFeatures(Kernel leaf) {
        return false;
    }

    @Override
    public boolean joinsTerms() {
        return true;
    }

    @Override
    public boolean needsData(Kernel kernel) {
        return true;
    }

    @Override
    public double bytesNeeded(int columns, int features) {
        return 16.0 * columns * grids.orElse(MOST_GRIDS) + 16.0 * features;
    }

    /** Starts a map of the cells of all rows, in as many passes as the memory needs. */
    public CellAccumulator fit(Kernel kernel, int columns, Seed seed, Workers workers) {
        return fit(kernel, columns, seed, MemoryBudget.kept(), workers);
    }

    CellAccumulator fit(Kernel kernel, int columns, Seed seed, MemoryBudget budget, Workers workers) {
        Require.that(
                kernel.minimumColumns() <= columns,
                kernel.toString() + ": needs " + kernel.minimumColumns() + " columns, the rows have " + columns);
        requireGridPerTerm(kernel);
        Grids drawn = Grids.draw(kernel, laws(kernel, columns), columns, count(), seed);
        return new CellAccumulator(kernel, this, drawn, flags(kernel, columns), budget, workers);
    }

    /** Returns this recipe with a grid for each term of a kernel, if it has fewer. */
    public BinningRecipe withTermsOf(Kernel kernel) {
        return withGrids(Math.max(count(), MapAlgebra.terms(kernel).size()));
    }

    private void requireGridPerTerm(Kernel kernel) {
        int terms = MapAlgebra.terms(kernel).size();
        if (terms > grids.orElse(FEWEST_GRIDS)) {
            throw new SpellingException(
                    "map '" + this + "': a sum of " + terms + " kernels needs at least " + terms + " grids");
        }
    }

    /** Fails if a term of the kernel has no random grids, or if there are fewer grids than terms. */
    public void requireGrids(Kernel kernel, int columns) {
        requireGridPerTerm(kernel);
        MapAlgebra.terms(kernel).forEach(term -> requireGrids(GridLaw.of(term, columns), term));
    }

    private List<List<GridLaw>> laws(Kernel kernel, int columns) {
        return MapAlgebra.terms(kernel).stream()
                .map(term -> requireGrids(GridLaw.of(term, columns), term))
                .toList();
    }

    private List<GridLaw> requireGrids(Optional<List<GridLaw>> laws, Kernel term) {
        return laws.orElseThrow(() -> noGrids(term));
    }

    private SpellingException noGrids(Kernel term) {
        return new SpellingException(
                "map '" + this + "' is for laplacian, stable(p=P, q=Q) with P of at most 1 and Q of at least "
                        + GridLaw.SMALLEST_INDEX + ", products and sums of them, not for " + MapAlgebra.leaf(term)
                        + "; take the kernel laplacian, or the map fourier or landmarks");
    }

    /** Builds a map of the cells of sampled rows, with which kernel errors between these rows are measured. */
    @Override
    public FeatureMap build(Kernel kernel, RowSample rows, OptionalInt asked, Seed seed, Notes notes, Workers workers) {
        if (asked.isPresent()) {
            throw new SpellingException("map '" + this + "': the features are the cells of the rows, so no number of"
                    + " features can be asked for; give a number of grids, as in " + NAME + "(grids=64)");
        }
        return forRows(rows.rows())
                .fit(kernel, rows.columns(), seed, workers)
                .run(blocks -> blocks.accept(rows.block()));
    }

    @Override
    public FeatureMap map(Kernel leaf, RowSample rows, int features, Seed seed, Notes notes) {
        throw new SpellingException(
                "map '" + this + "' is one map for all terms of a kernel; give it alone, without other maps");
    }

    @Override
    public String toString() {
        return TermRecipe.spell(NAME, grids.isPresent() ? "grids=" + count() : "", least == 1 ? "" : "least=" + least);
    }
}
