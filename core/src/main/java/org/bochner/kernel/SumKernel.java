package org.bochner.kernel;

import java.util.List;
import java.util.stream.Collectors;
import org.bochner.base.Require;

/** k₁ + k₂ + …; its feature map is the concatenation of theirs. */
public record SumKernel(List<Kernel> terms) implements Kernel {
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
    public void requireValue(double x, int column) {
        terms.forEach(term -> term.requireValue(x, column));
    }

    @Override
    public boolean takesAnyValue() {
        return terms.stream().allMatch(Kernel::takesAnyValue);
    }

    @Override
    public boolean takesAnyUnit() {
        return terms.stream().allMatch(Kernel::takesAnyUnit);
    }

    @Override
    public int minimumColumns() {
        return terms.stream().mapToInt(Kernel::minimumColumns).max().orElse(1);
    }

    @Override
    public String toString() {
        return terms.stream().map(Kernel::toString).collect(Collectors.joining(" + "));
    }
}
