package org.bochner.numeric.optimise;

import java.util.ArrayList;
import java.util.List;

/**
 * The limited-memory BFGS model of a Hessian: the last pairs of steps s and gradient changes y.
 *
 * <p>Products with the inverse use Nocedal's two-loop recursion. Products with the matrix itself use the unrolled form
 * {@code γI + Σ (bᵢbᵢᵀ − aᵢaᵢᵀ)}, {@code bᵢ = yᵢ/√(yᵢᵀsᵢ)}, {@code aᵢ = Bᵢsᵢ/√(sᵢᵀBᵢsᵢ)} (Nocedal and Wright, Numerical
 * Optimization, section 7.2). This form solves no indefinite system; it costs m² vector operations per new pair.
 */
public final class Curvature {
    /** Pairs with a smaller cosine between s and y are dominated by rounding and are skipped. */
    private static final double SMALLEST_COSINE = 1e-10;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Pair(double[] step, double[] change, double product) {}

    private final int memory;
    private final List<Pair> pairs = new ArrayList<>();
    private final List<double[]> added = new ArrayList<>();
    private final List<double[]> takenOff = new ArrayList<>();
    private double scale = 1;

    Curvature(int memory) {
        this.memory = memory;
    }

    boolean isEmpty() {
        return pairs.isEmpty();
    }

    /** Drops all pairs; the model becomes the identity times the scale. */
    void reset(double newScale) {
        pairs.clear();
        added.clear();
        takenOff.clear();
        scale = newScale;
    }

    /** Adds a pair; returns false if the pair was skipped because it has no positive curvature. */
    boolean add(double[] step, double[] change) {
        double product = Vectors.dot(step, change);
        double steps = Vectors.dot(step, step);
        double changes = Vectors.dot(change, change);
        if (!(product > SMALLEST_COSINE * Math.sqrt(steps) * Math.sqrt(changes))
                || !Vectors.finite(changes / product)) {
            return false;
        }
        if (pairs.size() == memory) {
            pairs.remove(0);
        }
        pairs.add(new Pair(step, change, product));
        scale = changes / product;
        added.clear();
        takenOff.clear();
        return true;
    }

    /** Computes v ← H·v, where H is the inverse of the model. */
    void inverseTimes(double[] v) {
        double[] shares = new double[pairs.size()];
        for (int i = pairs.size() - 1; i >= 0; i--) {
            Pair pair = pairs.get(i);
            shares[i] = Vectors.dot(pair.step, v) / pair.product;
            Vectors.add(-shares[i], pair.change, v);
        }
        Vectors.scale(1 / scale, v);
        for (int i = 0; i < pairs.size(); i++) {
            Pair pair = pairs.get(i);
            Vectors.add(shares[i] - Vectors.dot(pair.change, v) / pair.product, pair.step, v);
        }
    }

    /** Computes out ← B·v, where B is the model. */
    void times(double[] v, double[] out) {
        if (added.size() != pairs.size()) {
            unroll();
        }
        unrolledTimes(v, out);
    }

    private void unrolledTimes(double[] v, double[] out) {
        System.arraycopy(v, 0, out, 0, v.length);
        Vectors.scale(scale, out);
        for (int i = 0; i < added.size(); i++) {
            Vectors.add(Vectors.dot(added.get(i), v), added.get(i), out);
            Vectors.add(-Vectors.dot(takenOff.get(i), v), takenOff.get(i), out);
        }
    }

    private void unroll() {
        for (Pair pair : pairs) {
            double[] a = new double[pair.step.length];
            unrolledTimes(pair.step, a);
            Vectors.scale(1 / Math.sqrt(Vectors.dot(pair.step, a)), a);
            double[] b = pair.change.clone();
            Vectors.scale(1 / Math.sqrt(pair.product), b);
            added.add(b);
            takenOff.add(a);
        }
    }
}
