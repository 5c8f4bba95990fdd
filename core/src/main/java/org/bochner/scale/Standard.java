package org.bochner.scale;

/**
 * Columns of mean 0 and variance 1: (xⱼ − μⱼ)/σⱼ, with the mean and the standard deviation of the rows it is fitted to.
 * A constant column is only centred.
 *
 * <p>Centring turns zeros into −μⱼ/σⱼ, so sparse rows become dense. {@code standard(uncentred)} divides by the same σⱼ
 * and does not centre: sparse rows stay sparse, and kernels of differences x − y, such as the Gaussian, cannot tell.
 */
public record Standard(boolean centred) implements ColumnScaling {
    @Override
    public Scaler scaler(ColumnAccumulator seen, int from, int to) {
        double[] shift = new double[to - from];
        double[] factor = new double[to - from];
        for (int j = from; j < to; j++) {
            // Rounding may leave a constant column a tiny variance, which must not become a huge factor.
            boolean constant = seen.smallest(j) == seen.largest(j) || !(seen.variance(j) > 0);
            shift[j - from] = centred ? (constant ? seen.smallest(j) : seen.mean(j)) : 0;
            factor[j - from] = constant ? 1 : 1 / Math.sqrt(seen.variance(j));
        }
        return new ColumnScaler(this, shift, factor);
    }

    @Override
    public String toString() {
        return centred ? "standard" : "standard(uncentred)";
    }
}
