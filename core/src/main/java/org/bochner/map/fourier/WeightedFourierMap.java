package org.bochner.map.fourier;

import java.util.Arrays;
import java.util.stream.Stream;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.MapTypes;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.map.layout.MapMemory;
import org.bochner.numeric.function.Turns;

/**
 * A map of a shift-invariant kernel by chosen frequencies, each with a weight, k(x, y) ≈ Σⱼ αⱼ cos(ωⱼ·(x − y)):
 *
 * <pre>√αⱼ · [cos(ωⱼ·x), sin(ωⱼ·x)],</pre>
 *
 * first all cosines, then all sines, and one constant feature √α₀ behind them where the frequency 0 is among those chosen.
 * Designs by linear programming are maps of this kind.
 *
 * <p>Accuracy: that of the sum of cosines, which its designer knows. Blocks agree with {@link #apply(double[], double[])}
 * within 2e-7 of a feature's amplitude in float32: ω·x is computed in float64 and loses its whole turns before it is
 * rounded, so rows far from 0 need not be moved to a centre, and at most three columns cost next to nothing beside the
 * cosines.
 *
 * <p>Threads: safe; immutable.
 */
public final class WeightedFourierMap implements FeatureMap {
    public static final String TYPE = "weighted-fourier";

    /** So many rows are projected before their cosines are taken, while they are in cache. */
    private static final int TILE_ROWS = 256;

    private final ShiftInvariantKernel kernel;
    private final double[] frequencies;
    private final double[] weights;

    /** On the frequencies that are not 0. */
    private final DenseProjection projection;

    /** √α of those, once for the cosines and once for the sines. */
    private final double[] amplitudes;

    private final float[] floatAmplitudes;

    /** √α of the frequency 0, or nothing. */
    private final double[] constant;

    /**
     * Makes the map of some frequencies.
     *
     * @param frequencies ω, one after the other, {@code columns} numbers each; at most one of them is 0 in all columns
     * @param weights α, all positive
     */
    public WeightedFourierMap(ShiftInvariantKernel kernel, int columns, double[] frequencies, double[] weights) {
        Require.atLeast(TYPE, "columns", columns, 1);
        Require.that(weights.length >= 1, TYPE, "needs a frequency");
        Require.sameSize(TYPE, "numbers of frequencies", frequencies.length, columns * weights.length);
        int zero = -1;
        for (int j = 0; j < weights.length; j++) {
            Require.positive(TYPE, "weight " + j, weights[j]);
            boolean isZero = true;
            for (int i = j * columns; i < (j + 1) * columns; i++) {
                isZero &= Require.finite(TYPE, "frequency " + j, frequencies[i]) == 0;
            }
            Require.that(!isZero || zero < 0, TYPE, "the frequency 0 is given twice");
            zero = isZero ? j : zero;
        }
        // Fails where the kernel's blocks do not cover just these columns.
        FourierMap.sigma(kernel, columns);
        this.kernel = kernel;
        this.frequencies = frequencies.clone();
        this.weights = weights.clone();
        int m = zero < 0 ? weights.length : weights.length - 1;
        double[] moving = new double[m * columns];
        amplitudes = new double[2 * m];
        int next = 0;
        for (int j = 0; j < weights.length; j++) {
            if (j != zero) {
                System.arraycopy(frequencies, j * columns, moving, next * columns, columns);
                amplitudes[next] = Math.sqrt(weights[j]);
                amplitudes[m + next] = amplitudes[next];
                next++;
            }
        }
        double[] sigma = new double[columns];
        Arrays.fill(sigma, 1);
        projection = new DenseProjection(moving, sigma, true);
        constant = zero < 0 ? new double[0] : new double[] {Math.sqrt(weights[zero])};
        floatAmplitudes = new float[amplitudes.length];
        for (int j = 0; j < amplitudes.length; j++) {
            floatAmplitudes[j] = (float) amplitudes[j];
        }
    }

    public static WeightedFourierMap load(State state) {
        int columns = state.count("columns");
        double[] weights = state.array("weights", state.count("count"));
        double[] frequencies = state.array("frequencies", MapMemory.size(TYPE, columns, weights.length));
        return new WeightedFourierMap(
                MapTypes.kernel(state, ShiftInvariantKernel.class), columns, frequencies, weights);
    }

    /** The frequencies ω, one after the other, {@link #inputDimension} numbers each; a new array. */
    public double[] frequencies() {
        return frequencies.clone();
    }

    /** The weights α of the frequencies, a new array. */
    public double[] weights() {
        return weights.clone();
    }

    @Override
    public int inputDimension() {
        return projection.columns();
    }

    @Override
    public int outputDimension() {
        return amplitudes.length + constant.length;
    }

    @Override
    public Kernel kernel() {
        return kernel;
    }

    @Override
    public void apply(double[] x, double[] out) {
        Require.sameSize(TYPE, "columns", x.length, inputDimension());
        projection.turns(x, out);
        activate(out, 0);
    }

    @Override
    public void apply(RowBlock rows, float[] out, int offset, int stride) {
        checkColumns(rows);
        Projection.Pass pass = projection.over(RowReader.of(rows, null));
        for (int from = 0; from < rows.rows(); from += TILE_ROWS) {
            int to = Math.min(rows.rows(), from + TILE_ROWS);
            if (projection.frequencies() > 0) {
                pass.project(from, to, out, offset + from * stride, stride, false);
            }
            for (int i = from; i < to; i++) {
                activate(out, offset + i * stride);
            }
        }
    }

    @Override
    public void apply(RowBlock rows, double[] out, int offset, int stride) {
        checkColumns(rows);
        if (projection.frequencies() > 0) {
            Projection.Pass pass = projection.over(RowReader.of(rows, null));
            pass.project(0, rows.rows(), out, offset, stride, false);
        }
        for (int i = 0; i < rows.rows(); i++) {
            activate(out, offset + i * stride);
        }
    }

    /** Turns to features, in place, for the row that starts at the index. */
    private void activate(float[] out, int at) {
        Turns.cosSin(out, at, projection.frequencies(), 1);
        for (int j = 0; j < floatAmplitudes.length; j++) {
            out[at + j] *= floatAmplitudes[j];
        }
        for (double feature : constant) {
            out[at + amplitudes.length] = (float) feature;
        }
    }

    private void activate(double[] out, int at) {
        Turns.cosSin(out, at, projection.frequencies(), 1);
        for (int j = 0; j < amplitudes.length; j++) {
            out[at + j] *= amplitudes[j];
        }
        System.arraycopy(constant, 0, out, at + amplitudes.length, constant.length);
    }

    /** One per frequency, and one for the constant. */
    @Override
    public int[] units() {
        return FeatureGroups.concatenate(
                Stream.of(FeatureGroups.halves(projection.frequencies()), new int[constant.length]));
    }

    /** The map of some of the frequencies. */
    @Override
    public WeightedFourierMap restrict(int... kept) {
        int columns = inputDimension();
        int[] left = Arrays.stream(FeatureGroups.unitsOf(this).groupsOf(kept))
                .map(this::frequencyOf)
                .sorted()
                .toArray();
        double[] leftFrequencies = new double[left.length * columns];
        double[] leftWeights = new double[left.length];
        for (int j = 0; j < left.length; j++) {
            System.arraycopy(frequencies, left[j] * columns, leftFrequencies, j * columns, columns);
            leftWeights[j] = weights[left[j]];
        }
        return new WeightedFourierMap(kernel, columns, leftFrequencies, leftWeights);
    }

    /** The index of a unit's frequency among those given: the frequency 0, wherever it was given, is the last unit. */
    private int frequencyOf(int unit) {
        int zero = zero();
        return unit == projection.frequencies() ? zero : unit < zero ? unit : unit + (zero < weights.length ? 1 : 0);
    }

    /** The index of the frequency 0; behind all, where it is not among them. */
    private int zero() {
        int columns = inputDimension();
        int zero = 0;
        while (zero < weights.length
                && Arrays.stream(frequencies, zero * columns, (zero + 1) * columns)
                        .anyMatch(omega -> omega != 0)) {
            zero++;
        }
        return zero;
    }

    @Override
    public State state() {
        return State.of(TYPE)
                .with("kernel", kernel.toString())
                .with("columns", inputDimension())
                .with("count", weights.length)
                .with("frequencies", frequencies, weights.length, inputDimension())
                .with("weights", weights);
    }

    @Override
    public String toString() {
        return "WeightedFourierMap[" + kernel + ", " + inputDimension() + " columns, " + outputDimension()
                + " features]";
    }
}
