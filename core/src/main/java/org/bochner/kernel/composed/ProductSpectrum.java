package org.bochner.kernel.composed;

import java.util.List;
import java.util.stream.IntStream;
import org.bochner.base.Require;
import org.bochner.kernel.Spectrum;
import org.bochner.kernel.composed.ProductKernel.Factor;
import org.bochner.random.RandomStream;

/**
 * The distribution of a product's frequencies: the columns of each factor have its distribution, independently of the
 * others.
 */
final class ProductSpectrum implements Spectrum {
    private final List<Factor> factors;
    private final List<Spectrum> laws;

    /** The index of each column's factor. */
    private final int[] lawOfColumn;

    ProductSpectrum(List<Factor> factors) {
        this.factors = factors;
        this.laws = factors.stream().map(factor -> factor.kernel().spectrum()).toList();
        this.lawOfColumn = IntStream.range(0, factors.size())
                .flatMap(f -> IntStream.range(
                                factors.get(f).from(), factors.get(f).to())
                        .map(column -> f))
                .toArray();
    }

    @Override
    public double quantile(int column, double u) {
        int law = lawOfColumn[column];
        return laws.get(law).quantile(column - factors.get(law).from(), u);
    }

    @Override
    public void scales(RandomStream stream, double[] scales) {
        Require.sameSize("product", "columns", scales.length, lawOfColumn.length);
        for (int f = 0; f < laws.size(); f++) {
            Factor factor = factors.get(f);
            double[] part = new double[factor.to() - factor.from()];
            laws.get(f).scales(stream, part);
            System.arraycopy(part, 0, scales, factor.from(), part.length);
        }
    }

    @Override
    public boolean rotationInvariant() {
        return false;
    }

    @Override
    public boolean heavyTailed() {
        return laws.stream().anyMatch(Spectrum::heavyTailed);
    }
}
