package org.bochner.testkit;

import java.util.List;
import java.util.Optional;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;

/**
 * A kernel of histograms that the library does not know, the mean of {@code chi2} and {@code intersection}, as someone else
 * would add it: its value at ratios and its density are all there is to say.
 */
record Blend(double degree) implements HomogeneousKernel {
    private static final HomogeneousKernel CHI2 = Kernels.chi2();
    private static final HomogeneousKernel INTERSECTION = Kernels.intersection();

    Blend {
        Require.positive("blend", "degree", degree);
    }

    @Override
    public String name() {
        return "blend";
    }

    @Override
    public double atRatio(double ratio) {
        return (CHI2.atRatio(ratio) + INTERSECTION.atRatio(ratio)) / 2;
    }

    @Override
    public double distanceAtRatio(double ratio) {
        return (CHI2.distanceAtRatio(ratio) + INTERSECTION.distanceAtRatio(ratio)) / 2;
    }

    @Override
    public double density(double omega) {
        return (CHI2.density(omega) + INTERSECTION.density(omega)) / 2;
    }

    @Override
    public Blend withDegree(double degree) {
        return new Blend(degree);
    }

    @Override
    public String toString() {
        return HomogeneousKernel.spell(name(), degree);
    }

    /** The kernel by its name. Found by its own name in META-INF/services. */
    public static final class Family extends Delegate {
        public Family() {
            super(KernelFamily.of(new Blend(1)));
        }
    }

    /** The kernel {@code exp-blend} of its distance. */
    public static final class Exponential extends Delegate {
        public Exponential() {
            super(KernelFamily.exponential(new Blend(1)));
        }
    }

    private abstract static class Delegate implements KernelFamily {
        private final KernelFamily family;

        Delegate(KernelFamily family) {
            this.family = family;
        }

        @Override
        public String name() {
            return family.name();
        }

        @Override
        public List<String> parameters() {
            return family.parameters();
        }

        @Override
        public Optional<String> scale() {
            return family.scale();
        }

        @Override
        public double measure(Spelling spelling, RowSample rows) {
            return family.measure(spelling, rows);
        }

        @Override
        public Kernel kernel(Spelling spelling) {
            return family.kernel(spelling);
        }
    }
}
