package org.bochner.design;

/** The error weight exp(−degree·|λ|/2) at the log-ratio λ; see {@link ErrorWeight#ofRatios}. */
record RatioWeight(double degree) implements ErrorWeight {
    @Override
    public double at(double[] z, double signature) {
        return StrictMath.exp(-degree * Math.abs(z[0]) / 2);
    }
}
