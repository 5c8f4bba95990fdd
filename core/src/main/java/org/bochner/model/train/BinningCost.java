package org.bochner.model.train;

import java.util.Locale;
import org.bochner.data.RowSource;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.map.binning.BinningRecipe;
import org.bochner.model.Progress;

/**
 * Reports the cost of random binning before it is paid: every iteration of the solver adds one number per row, grid and output.
 */
final class BinningCost {
    /** Fewer sums per iteration take seconds. */
    static final double MANY = 2e7;

    private BinningCost() {}

    /** Reports the cost if the map has random grids, and the rows were counted and make many sums. */
    static void report(TrainingSettings settings, RowSource source, Progress progress) {
        if (!(settings.map instanceof BinningRecipe map) || source.rows() < 0) {
            return;
        }
        BinningRecipe recipe = map.forRows(source.rows());
        int outputs = OutputCoding.of(source.labels()).count();
        double sums = (double) source.rows() * recipe.count() * outputs;
        if (sums >= MANY) {
            progress.cost(String.format(
                    Locale.ROOT,
                    "map %s: %,d rows x %d grids x %s make %,.0f million sums per iteration of the solver, and choosing"
                            + " length-scales and penalty takes hundreds of iterations; the time grows with all three"
                            + " numbers",
                    recipe,
                    source.rows(),
                    recipe.count(),
                    outputs == 1 ? "1 output" : outputs + " outputs",
                    sums * 1e-6));
        }
    }
}
