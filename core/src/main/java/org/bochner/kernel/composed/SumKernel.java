package org.bochner.kernel.composed;

import java.util.List;
import java.util.stream.Collectors;
import org.bochner.base.Require;
import org.bochner.kernel.ComposedKernel;
import org.bochner.kernel.Kernel;

/** The sum k₁ + k₂ + …; its feature map is the concatenation of the maps of its terms. */
public record SumKernel(List<Kernel> terms) implements ComposedKernel {
    public SumKernel {
        terms = List.copyOf(terms);
        Require.that(terms.size() >= 2, "sum", "needs at least two kernels");
        Require.that(terms.stream().noneMatch(SumKernel.class::isInstance), "sum", "write nested sums as one");
    }

    @Override
    public double value(double[] x, double[] y) {
        double sum = 0;
        for (Kernel term : terms) {
            sum += term.value(x, y);
        }
        return sum;
    }

    @Override
    public List<Kernel> parts() {
        return terms;
    }

    @Override
    public String toString() {
        return terms.stream().map(Kernel::toString).collect(Collectors.joining(" + "));
    }
}
