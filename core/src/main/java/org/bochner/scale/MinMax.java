package org.bochner.scale;

/**
 * Columns in [0, 1]: (xⱼ − minⱼ)/(maxⱼ − minⱼ), with the range of the rows it is fitted to. A constant column becomes 0.
 * Later rows may lie outside the range; they are mapped by the same line, below 0 or above 1.
 *
 * <p>Sparse rows stay sparse where no column has values below 0, and none is without zeros; otherwise they become dense.
 */
public record MinMax() implements ColumnScaling {
    @Override
    public Scaler scaler(ColumnAccumulator seen, int from, int to) {
        double[] shift = new double[to - from];
        double[] factor = new double[to - from];
        for (int j = from; j < to; j++) {
            double range = seen.largest(j) - seen.smallest(j);
            shift[j - from] = seen.smallest(j);
            factor[j - from] = range == 0 ? 0 : 1 / range;
        }
        return new ColumnScaler(this, shift, factor);
    }

    @Override
    public String toString() {
        return "min-max";
    }
}
