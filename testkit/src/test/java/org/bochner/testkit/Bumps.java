package org.bochner.testkit;

import java.util.List;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapGradient;
import org.bochner.map.MapParameters;
import org.bochner.map.ParameterKind;

/**
 * A map that the library does not know, as someone else would add it, with a number that can be learned: bumps
 * φⱼ(x) = √(Δ·s·√(2/π))·exp(−s²(x − cⱼ)²) around points cⱼ of distance Δ, for one column. Their inner products are the
 * trapezoid rule for ∫exp(−s²(x−c)² − s²(y−c)²)dc, which is the Gaussian of length-scale 1/s: for values in [0, 1] and s from 2
 * to 5 within 1e-10.
 */
record Bumps(double scale) implements FeatureMap, MapParameters {
    static final String TYPE = "bumps";
    private static final int COUNT = 91;
    private static final double FIRST = -4;
    private static final double SPACING = 0.1;

    Bumps {
        Require.positive(TYPE, "scale", scale);
    }

    @Override
    public int inputDimension() {
        return 1;
    }

    @Override
    public int outputDimension() {
        return COUNT;
    }

    @Override
    public ShiftInvariantKernel kernel() {
        return Kernels.gaussian(1 / scale);
    }

    private double bump(double x, int j) {
        double apart = scale * (x - FIRST - j * SPACING);
        return Math.sqrt(SPACING * scale * Math.sqrt(2 / Math.PI)) * Math.exp(-apart * apart);
    }

    /** By the scale: (1/(2s) − 2s(x − c)²)·φ. */
    private double slope(double x, int j) {
        double apart = x - FIRST - j * SPACING;
        return (0.5 / scale - 2 * scale * apart * apart) * bump(x, j);
    }

    @Override
    public void apply(double[] x, double[] out) {
        Require.sameSize(TYPE, "columns", x.length, 1);
        for (int j = 0; j < COUNT; j++) {
            out[j] = bump(x[0], j);
        }
    }

    @Override
    public State state() {
        return State.of(TYPE).with("scale", new double[] {scale});
    }

    @Override
    public MapParameters parameters(ParameterKind freedom) {
        return freedom == ParameterKind.SCALES ? this : MapParameters.NONE;
    }

    @Override
    public int count() {
        return 1;
    }

    @Override
    public double[] values() {
        return new double[] {scale};
    }

    @Override
    public Scope scope(int parameter) {
        return new Scope(0, 0, 1);
    }

    @Override
    public Bumps with(double... values) {
        return new Bumps(values[0]);
    }

    @Override
    public MapGradient gradient() {
        double[] sum = new double[1];
        return new MapGradient() {
            @Override
            public int features() {
                return COUNT;
            }

            @Override
            public void add(double[] x, double[] cotangent) {
                for (int j = 0; j < COUNT; j++) {
                    sum[0] += cotangent[j] * slope(x[0], j);
                }
            }

            @Override
            public List<double[]> sums() {
                return List.of(sum);
            }

            @Override
            public double[] values() {
                return sum.clone();
            }
        };
    }
}
