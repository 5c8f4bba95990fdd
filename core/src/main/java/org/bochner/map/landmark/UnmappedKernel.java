package org.bochner.map.landmark;

import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.kernel.Kernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapGradient;
import org.bochner.map.MapParameters;
import org.bochner.map.ParameterKind;

/**
 * A kernel in the place of a map, for kernel learning of exact machines: it has parameters, but no features, and cannot
 * be saved. Training with it makes an exact machine.
 *
 * @param kernel the kernel
 * @param inputDimension the columns of the rows
 */
public record UnmappedKernel(Kernel kernel, int inputDimension) implements FeatureMap {
    /** Returns the scales of the kernel. */
    public KernelScales scales() {
        return KernelScales.of(kernel, inputDimension);
    }

    @Override
    public MapParameters parameters(ParameterKind kind) {
        return kind == ParameterKind.SCALES ? new Parameters(scales(), inputDimension) : MapParameters.NONE;
    }

    @Override
    public int outputDimension() {
        return 0;
    }

    @Override
    public void apply(double[] x, double[] out) {
        throw NoMap.noFeatures();
    }

    @Override
    public State state() {
        throw NoMap.noFeatures();
    }

    private record Parameters(KernelScales scales, int columns) implements MapParameters {
        @Override
        public int count() {
            return scales.count();
        }

        @Override
        public double[] values() {
            return scales.values();
        }

        @Override
        public Scope scope(int parameter) {
            return scales.scope(parameter);
        }

        @Override
        public UnmappedKernel with(double... values) {
            Require.sameSize("kernel", "number of parameters", values.length, count());
            return new UnmappedKernel(scales.with(values), columns);
        }

        @Override
        public MapGradient gradient() {
            throw NoMap.noFeatures();
        }
    }
}
