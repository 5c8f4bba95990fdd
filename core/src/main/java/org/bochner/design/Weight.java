package org.bochner.design;

/** What an error at a difference counts. */
@FunctionalInterface
public interface Weight {
    /** The weight at a difference z where the signature has a value: 0 or more. */
    double at(double[] z, double signature);

    /** Errors count alike at all differences. */
    Weight ABSOLUTE = Common.ABSOLUTE;

    /** Errors count relative to the signature, 1/|k|. */
    Weight RELATIVE = Common.RELATIVE;

    /**
     * The weight of a homogeneous kernel's signature at log-ratios, exp(−degree·|λ|/2): its error is then that of the kernel
     * over all values of which the larger is 1.
     */
    static Weight ofRatios(double degree) {
        return new OfRatios(degree);
    }

    /** Weights without parameters. */
    enum Common implements Weight {
        ABSOLUTE {
            @Override
            public double at(double[] z, double signature) {
                return 1;
            }
        },
        RELATIVE {
            @Override
            public double at(double[] z, double signature) {
                return 1 / Math.abs(signature);
            }
        }
    }

    /** See {@link Weight#ofRatios}. */
    record OfRatios(double degree) implements Weight {
        @Override
        public double at(double[] z, double signature) {
            return StrictMath.exp(-degree * Math.abs(z[0]) / 2);
        }
    }
}
