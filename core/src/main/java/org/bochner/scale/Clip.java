package org.bochner.scale;

import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.State;
import org.bochner.scale.fit.ColumnAccumulator;

/**
 * Replaces values beyond two bounds per column by the nearer bound. The bounds are the quantiles at the levels {@code share}
 * and 1 − {@code share}, or the mean ± {@code deviations} standard deviations. Sparse rows stay sparse if the bounds of every
 * column enclose 0.
 *
 * @param by what the bounds are
 * @param bound the share, or the number of deviations
 */
record Clip(By by, double bound) implements LearnedScaling {
    /** The statistics of a column that give its bounds. */
    enum By {
        SHARE("share"),
        DEVIATIONS("deviations");

        private final String spelling;

        By(String spelling) {
            this.spelling = spelling;
        }
    }

    /** The share that is clipped at each end by default. */
    static final double SHARE = 0.01;

    Clip {
        if (by == By.SHARE) {
            Require.that(bound > 0 && bound < 0.5, "clip", "share must be above 0 and below 0.5, got " + bound);
        } else {
            Require.positive("clip", "deviations", bound);
        }
    }

    /** Reads {@code clip}, {@code clip(share=0.01)} or {@code clip(deviations=4)}. */
    static Clip read(Spelling spelling) {
        spelling.allow(By.SHARE.spelling, By.DEVIATIONS.spelling);
        boolean deviations = spelling.has(By.DEVIATIONS.spelling);
        Require.that(
                !deviations || !spelling.has(By.SHARE.spelling),
                "clip",
                "takes share or deviations, not both; clip(share=0.01) then clip(deviations=4) clips twice");
        return deviations
                ? new Clip(By.DEVIATIONS, spelling.number(By.DEVIATIONS.spelling))
                : new Clip(By.SHARE, spelling.share(By.SHARE.spelling, SHARE));
    }

    @Override
    public boolean needsQuantiles() {
        return by == By.SHARE;
    }

    @Override
    public AbstractScaler scaler(ColumnAccumulator seen, int from, int to) {
        return new ClipScaler(
                this,
                IntStream.range(from, to).mapToDouble(j -> bound(seen, j, -1)).toArray(),
                IntStream.range(from, to).mapToDouble(j -> bound(seen, j, 1)).toArray());
    }

    private double bound(ColumnAccumulator seen, int column, int side) {
        return by == By.SHARE
                ? seen.quantile(column, side < 0 ? bound : 1 - bound)
                : seen.mean(column) + side * bound * Math.sqrt(seen.variance(column));
    }

    @Override
    public Scaler load(State state) {
        int columns = state.count("columns");
        double[] lower = state.array("lower", columns);
        double[] upper = state.array("upper", columns);
        for (int j = 0; j < columns; j++) {
            if (!(lower[j] <= upper[j])) {
                throw new BochnerException("the saved bounds of column " + j + " are " + lower[j] + " and " + upper[j]
                        + ", not ascending");
            }
        }
        return new ClipScaler(this, lower, upper);
    }

    @Override
    public String toString() {
        return "clip(" + by.spelling + "=" + Spelling.print(bound) + ")";
    }
}
