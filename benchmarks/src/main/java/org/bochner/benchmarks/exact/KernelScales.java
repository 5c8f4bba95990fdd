package org.bochner.benchmarks.exact;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.row.RowException;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.Warp;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.kernel.composed.WarpedKernel;
import org.bochner.kernel.shift.Gaussian;
import org.jspecify.annotations.Nullable;

/**
 * The scales of an exact kernel that can be learned: the frequency scale s = 1/σ of every group of columns (for skewed
 * kernels the power), or the scale γ of a radial kernel of histograms, which is one number.
 */
abstract class KernelScales {
    private static final String OWNER = "scales";

    /** How many numbers there are. */
    abstract int count();

    /** The scales of the kernel as it was given. */
    abstract double[] start();

    /** The kernel with other scales. */
    abstract Kernel with(double[] scales);

    /** The kernel at unit scales. */
    abstract Unit unit(double[] scales);

    /** A row as {@link Unit} wants it: warped. */
    abstract double[] prepared(double[] row);

    /** Whether {@link Unit} is exp(−½|x − y|²) of rows in units of the scales. */
    abstract boolean gaussian();

    /** What the derivatives by the columns' scales add up to by scale. */
    abstract double[] byScale(double[] byColumn);

    /** The kernel with its scales taken into the rows. Scratch space of its own: one a thread. */
    abstract static class Unit {
        /** Puts a prepared row into units of the scales. */
        abstract void scale(double[] row);

        abstract double value(double[] x, double[] y);

        /** Adds weight·dk(x, y)/d log of each column's scale. */
        abstract void addSlope(double weight, double[] x, double[] y, double[] byColumn);
    }

    /**
     * The scales of a kernel.
     *
     * @param groups the number of the group of every column, from 0 without a gap; the columns of a group share a scale
     * @throws BochnerException where the kernel has no scale
     */
    static KernelScales of(Kernel kernel, int columns, int[] groups) {
        Require.sameSize(OWNER, "number of grouped columns", groups.length, columns);
        int count = Arrays.stream(groups).max().orElse(-1) + 1;
        boolean[] seen = new boolean[count];
        for (int group : groups) {
            Require.that(group >= 0, OWNER, "a group has the number " + group + "; count from 0");
            seen[group] = true;
        }
        for (int g = 0; g < count; g++) {
            Require.that(seen[g], OWNER, "group " + g + " of " + count + " has no column");
        }
        if (kernel instanceof ShiftInvariantKernel shift) {
            return new OfColumns(kernel, shift, null, groups, count);
        }
        if (kernel instanceof WarpedKernel warped) {
            return new OfColumns(kernel, warped.kernel(), warped.warp(), groups, count);
        }
        if (kernel instanceof RadialKernel radial) {
            Require.that(count == 1, OWNER, radial + " has one scale for all columns, not " + count);
            return new OfDistance(radial);
        }
        throw new BochnerException(
                kernel + " has no scale to learn; take a kernel with one, such as gaussian, skewed-chi2"
                        + " or exp-chi2, of all columns");
    }

    private static final class OfColumns extends KernelScales {
        private final Kernel kernel;
        private final ShiftInvariantKernel inner;
        private final @Nullable Warp warp;
        private final int[] groups;
        private final int count;

        OfColumns(Kernel kernel, ShiftInvariantKernel inner, @Nullable Warp warp, int[] groups, int count) {
            this.kernel = kernel;
            this.inner = inner;
            this.warp = warp;
            this.groups = groups.clone();
            this.count = count;
        }

        @Override
        int count() {
            return count;
        }

        @Override
        double[] start() {
            double[] scales = new double[count];
            for (int l = 0; l < groups.length; l++) {
                double scale = 1 / inner.sigma().at(l);
                Require.that(scale > 0, OWNER, "column " + l + " does not count; leave it out of the rows");
                double before = scales[groups[l]];
                Require.that(
                        before == 0 || before == scale,
                        OWNER,
                        "the columns of a group start from one scale, but column " + l + " has 1/sigma = " + scale
                                + " and one before it " + before);
                scales[groups[l]] = scale;
            }
            return scales;
        }

        @Override
        Kernel with(double[] scales) {
            double[] sigmas = new double[groups.length];
            for (int l = 0; l < sigmas.length; l++) {
                sigmas[l] = 1 / scales[groups[l]];
            }
            Bandwidth sigma = Bandwidth.ofColumns(sigmas);
            return kernel instanceof WarpedKernel warped ? warped.withSigma(sigma) : inner.withSigma(sigma);
        }

        @Override
        double[] prepared(double[] row) {
            return warp == null ? row.clone() : warp.applyToRow(row);
        }

        @Override
        boolean gaussian() {
            return inner instanceof Gaussian;
        }

        @Override
        double[] byScale(double[] byColumn) {
            double[] sums = new double[count];
            for (int l = 0; l < groups.length; l++) {
                sums[groups[l]] += byColumn[l];
            }
            return sums;
        }

        @Override
        Unit unit(double[] scales) {
            ShiftInvariantKernel atOne = inner.withSigma(Bandwidth.of(1));
            double[] delta = new double[groups.length];
            double[] slope = new double[groups.length];
            return new Unit() {
                @Override
                void scale(double[] row) {
                    for (int l = 0; l < row.length; l++) {
                        row[l] *= scales[groups[l]];
                    }
                }

                @Override
                double value(double[] x, double[] y) {
                    subtract(x, y);
                    return atOne.atOffset(delta);
                }

                @Override
                void addSlope(double weight, double[] x, double[] y, double[] byColumn) {
                    subtract(x, y);
                    double unused = atOne.slope(delta, slope);
                    for (int l = 0; l < delta.length; l++) {
                        byColumn[l] += weight * delta[l] * slope[l];
                    }
                }

                private void subtract(double[] x, double[] y) {
                    for (int l = 0; l < delta.length; l++) {
                        delta[l] = x[l] - y[l];
                    }
                }
            };
        }
    }

    /** The scale of a kernel of a distance; its column 0 stands for all. */
    private static final class OfDistance extends KernelScales {
        private final RadialKernel kernel;

        OfDistance(RadialKernel kernel) {
            this.kernel = kernel;
        }

        @Override
        int count() {
            return 1;
        }

        @Override
        double[] start() {
            return new double[] {kernel.scale()};
        }

        @Override
        RadialKernel with(double[] scales) {
            return new RadialKernel(kernel.profile(), kernel.additive(), scales[0]);
        }

        @Override
        double[] prepared(double[] row) {
            for (int l = 0; l < row.length; l++) {
                try {
                    kernel.requireValue(row[l], l);
                } catch (BochnerException e) {
                    throw RowException.at(l, e);
                }
            }
            return row.clone();
        }

        @Override
        boolean gaussian() {
            return false;
        }

        @Override
        double[] byScale(double[] byColumn) {
            return new double[] {byColumn[0]};
        }

        @Override
        Unit unit(double[] scales) {
            RadialKernel scaled = with(scales);
            return new Unit() {
                @Override
                void scale(double[] row) {}

                @Override
                double value(double[] x, double[] y) {
                    return scaled.value(x, y);
                }

                @Override
                void addSlope(double weight, double[] x, double[] y, double[] byColumn) {
                    byColumn[0] +=
                            weight * scaled.slopeByLogScale(scaled.additive().squaredDistance(x, y));
                }
            };
        }
    }
}
