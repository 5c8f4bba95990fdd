package org.bochner.scale;

import org.bochner.base.DataException;
import org.bochner.base.State;
import org.bochner.data.RowSource;
import org.bochner.numeric.Workers;

/**
 * Columns of mean 0 and variance 1: (xⱼ − μⱼ)/σⱼ, with the mean and the standard deviation of the rows it is fitted to.
 * A constant column is only centred.
 *
 * <p>Centring turns zeros into −μⱼ/σⱼ, so sparse rows become dense. {@code standard(uncentred)} divides by the same σⱼ
 * and does not centre: sparse rows stay sparse, and kernels of differences x − y, such as the Gaussian, cannot tell.
 */
public record Standard(boolean centred) implements Scaling {
    /** Sparse rows wider than this are not made dense: a block of a few thousand would take gigabytes. */
    static final int WIDEST_DENSE = 1 << 17;

    @Override
    public Scaler fit(RowSource rows, Workers workers) {
        int columns = rows.columns();
        if (centred) {
            refuseToMakeDense(rows, "use standard(uncentred), which keeps zeros");
        }
        ColumnAccumulator seen = ColumnAccumulator.of(rows, workers);
        double[] shift = new double[columns];
        double[] factor = new double[columns];
        for (int j = 0; j < columns; j++) {
            // Rounding may leave a constant column a tiny variance, which must not become a huge factor.
            boolean constant = seen.smallest(j) == seen.largest(j) || !(seen.variance(j) > 0);
            shift[j] = centred ? (constant ? seen.smallest(j) : seen.mean(j)) : 0;
            factor[j] = constant ? 1 : 1 / Math.sqrt(seen.variance(j));
        }
        return new ColumnScaler(this, shift, factor);
    }

    static void refuseToMakeDense(RowSource rows, String remedy) {
        if (rows.sparse() && rows.columns() > WIDEST_DENSE) {
            throw DataException.in(
                    rows.name(),
                    "scaling would make sparse rows of " + rows.columns() + " columns dense, "
                            + rows.columns() * 4L / 1024 + " kB a row; " + remedy);
        }
    }

    @Override
    public Scaler load(State state) {
        return ColumnScaler.load(this, state);
    }

    @Override
    public String toString() {
        return centred ? "standard" : "standard(uncentred)";
    }
}
