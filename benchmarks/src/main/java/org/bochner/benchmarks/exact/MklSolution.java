package org.bochner.benchmarks.exact;

import java.util.ArrayList;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.composed.ScaledKernel;
import org.bochner.kernel.composed.SumKernel;
import org.bochner.numeric.optimise.Minimum;

/** What {@link GeneralizedMkl} found: weights of kernels and coefficients of rows. Immutable. */
public final class MklSolution {
    private final double[] coefficients;
    private final Minimum minimum;

    MklSolution(double[] coefficients, Minimum minimum) {
        this.coefficients = coefficients;
        this.minimum = minimum;
    }

    /** The weights d of the kernels, many of them exactly 0: a copy. */
    public double[] weights() {
        return minimum.point();
    }

    /** The coefficients a of the rows: the machine is {@code Σⱼ dⱼ Σᵢ aᵢ·kⱼ(xᵢ, ·)}. A copy. */
    public double[] coefficients() {
        return coefficients.clone();
    }

    /** The objective (18) of the paper. */
    public double objective() {
        return minimum.value();
    }

    /** Where the optimiser ended, and why. */
    public Minimum minimum() {
        return minimum;
    }

    /** The kernel {@code Σⱼ dⱼkⱼ}, without those of weight 0. */
    public Kernel kernel(List<Kernel> kernels) {
        double[] weights = weights();
        Require.sameSize("MklSolution", "number of kernels", kernels.size(), weights.length);
        List<Kernel> terms = new ArrayList<>();
        for (int j = 0; j < weights.length; j++) {
            if (weights[j] > 0) {
                addScaled(weights[j], kernels.get(j), terms);
            }
        }
        if (terms.isEmpty()) {
            throw new BochnerException("all kernels have weight 0; a larger C gives them some");
        }
        return terms.size() == 1 ? terms.get(0) : new SumKernel(terms);
    }

    private static void addScaled(double factor, Kernel kernel, List<Kernel> terms) {
        if (kernel instanceof SumKernel sum) {
            sum.terms().forEach(term -> addScaled(factor, term, terms));
        } else if (kernel instanceof ScaledKernel scaled) {
            terms.add(Kernels.scaled(factor * scaled.factor(), scaled.kernel()));
        } else {
            terms.add(Kernels.scaled(factor, kernel));
        }
    }

    /** The machine of these kernels and the rows whose Gram matrices were given; it has no intercept. */
    public ExactModel model(List<Kernel> kernels, RowSource rows) {
        ExactRows read = ExactRows.read(rows);
        Require.sameSize("MklSolution", "number of rows", read.count(), coefficients.length);
        return new ExactModel(kernel(kernels), read, coefficients, new double[1], minimum);
    }
}
