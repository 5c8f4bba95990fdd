package org.bochner.design;

/** How much an error counts at a difference: absolute, relative or by the data. */
@FunctionalInterface
public interface ErrorWeight {
    /** The weight at a difference z where the signature has a value: 0 or more. */
    double at(double[] z, double signature);

    /** Errors count alike at all differences. */
    ErrorWeight ABSOLUTE = (z, signature) -> 1;

    /** Errors count relative to the signature, 1/|k|. */
    ErrorWeight RELATIVE = (z, signature) -> 1 / Math.abs(signature);

    /**
     * Returns the error weight of a homogeneous kernel's signature at log-ratios, exp(−degree·|λ|/2): the design error is
     * then the error of the kernel over all values of which the larger is 1.
     */
    static ErrorWeight ofRatios(double degree) {
        return new RatioWeight(degree);
    }
}
