package org.bochner.map.composed;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapLoader;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.jspecify.annotations.Nullable;

/**
 * A linear map of another map's features, {@code Vᵀφ(x) − c}: principal components or discriminant axes. Principal
 * components have a matrix V of orthonormal columns (for {@linkplain FeatureMap#whiten whitened} features) and offsets c
 * that centre the components on the training rows.
 *
 * <p>Components for learning may be those of each {@linkplain #parts part} of a concatenation, with a block-diagonal V.
 * They are not saved: a linear function of the components with weights w is replaced by a function of the features with
 * weights {@linkplain #unfold V·w}, whose intercept has {@linkplain #shifts −cᵀw} added. Components of the whole map
 * have known variances, and can be saved.
 *
 * <p>Cost: that of the map, and D·k multiplications per row. Memory: 12·D·k bytes. Threads: safe; immutable.
 */
public final class ComponentMap implements FeatureMap {
    static final String TYPE = "projected";

    private static final String OWNER = "ComponentMap";

    private final FeatureMap map;
    private final List<FeatureMap> parts;
    private final List<Basis> bases;
    private final int components;
    /** Null if the components are those of parts, which serve learning only. */
    private final @Nullable Variances variances;

    /**
     * The variances of components.
     *
     * @param each the variance of each component, descending
     * @param total the sum of the variances of all components, including those left out
     */
    @SuppressWarnings("ArrayRecordComponent") // private; never compared
    private record Variances(double[] each, double total) {}

    /**
     * The components of one part's features.
     *
     * <p>Threads: safe; immutable.
     */
    public static final class Basis {
        private final int features;
        private final int components;
        private final double[] vectors;
        private final float[] rounded;
        /** −c, which is added to the components. */
        private final double[] shifts;

        /**
         * Takes the arrays over.
         *
         * @param vectors V, features×components, row-major
         * @param offsets c, which is subtracted from the components
         */
        public Basis(int features, double[] vectors, double[] offsets) {
            this.features = features;
            components = offsets.length;
            Require.that(
                    vectors.length == (long) features * components,
                    OWNER,
                    features + " x " + components + " numbers make the vectors, got " + vectors.length);
            this.vectors = vectors;
            this.shifts = Arrays.stream(offsets).map(offset -> -offset).toArray();
            rounded = new float[vectors.length];
            for (int i = 0; i < vectors.length; i++) {
                rounded[i] = (float) vectors[i];
            }
        }
    }

    /** Reduces a map by one basis for each of its {@linkplain #parts parts}. */
    public ComponentMap(FeatureMap map, List<Basis> bases) {
        this(map, parts(map), bases, null);
    }

    /**
     * Projects the features of a whole map.
     *
     * @param variances the variance of each component, descending
     * @param totalVariance the sum of the variances of all components, including those left out
     */
    public ComponentMap(FeatureMap map, Basis basis, double[] variances, double totalVariance) {
        this(map, List.of(map), List.of(basis), new Variances(variances.clone(), totalVariance));
        Require.sameSize(OWNER, "number of variances", variances.length, components);
    }

    private ComponentMap(FeatureMap map, List<FeatureMap> parts, List<Basis> bases, @Nullable Variances variances) {
        this.map = map;
        this.parts = parts;
        this.bases = List.copyOf(bases);
        this.variances = variances;
        Require.sameSize(OWNER, "number of bases", bases.size(), parts.size());
        for (int p = 0; p < parts.size(); p++) {
            Require.sameSize(
                    OWNER,
                    "features of part " + p,
                    bases.get(p).features,
                    parts.get(p).outputDimension());
        }
        components = bases.stream().mapToInt(basis -> basis.components).sum();
        Require.atLeast(OWNER, "components", components, 1);
    }

    /** Returns the parts of a concatenation, or the map itself. */
    public static List<FeatureMap> parts(FeatureMap map) {
        if (!(map instanceof ConcatenatedMap sum)) {
            return List.of(map);
        }
        List<FeatureMap> parts = new ArrayList<>();
        sum.parts().forEach(part -> parts.addAll(parts(part)));
        return parts;
    }

    /** Returns the variance of each component, in a new array; empty if the variances are not known. */
    public double[] variances() {
        return variances == null ? new double[0] : variances.each.clone();
    }

    /** Returns the sum of the variances of all components, including those left out; 0 if it is not known. */
    public double totalVariance() {
        return variances == null ? 0 : variances.total;
    }

    /** Returns the map whose features are reduced. */
    public FeatureMap map() {
        return map;
    }

    @Override
    public int inputDimension() {
        return map.inputDimension();
    }

    /** Returns the number of components. */
    @Override
    public int outputDimension() {
        return components;
    }

    @Override
    public int dataRows() {
        return map.dataRows();
    }

    @Override
    public Kernel kernel() {
        return map.kernel();
    }

    @Override
    public void apply(double[] x, double[] out) {
        int start = 0;
        for (int p = 0; p < parts.size(); p++) {
            Basis basis = bases.get(p);
            double[] features = new double[basis.features];
            parts.get(p).apply(x, features);
            for (int c = 0; c < basis.components; c++) {
                double sum = basis.shifts[c];
                for (int j = 0; j < basis.features; j++) {
                    sum += features[j] * basis.vectors[j * basis.components + c];
                }
                out[start + c] = sum;
            }
            start += basis.components;
        }
    }

    @Override
    public void apply(RowBlock rows, float[] out, int offset, int stride) {
        int start = offset;
        for (int p = 0; p < parts.size(); p++) {
            Basis basis = bases.get(p);
            if (basis.components > 0) {
                float[] features = new float[Math.multiplyExact(rows.rows(), basis.features)];
                parts.get(p).apply(rows, features, 0, basis.features);
                for (int i = 0; i < rows.rows(); i++) {
                    for (int c = 0; c < basis.components; c++) {
                        out[start + i * stride + c] = (float) basis.shifts[c];
                    }
                }
                Blas.get()
                        .multiply(
                                1f,
                                Matrix.of(features, rows.rows(), basis.features),
                                Matrix.of(basis.rounded, basis.features, basis.components),
                                1f,
                                Matrix.of(out, start, rows.rows(), basis.components, stride));
            }
            start += basis.components;
        }
    }

    @Override
    public void apply(RowBlock rows, double[] out, int offset, int stride) {
        int start = offset;
        for (int p = 0; p < parts.size(); p++) {
            Basis basis = bases.get(p);
            if (basis.components > 0) {
                double[] features = new double[Math.multiplyExact(rows.rows(), basis.features)];
                parts.get(p).apply(rows, features, 0, basis.features);
                for (int i = 0; i < rows.rows(); i++) {
                    System.arraycopy(basis.shifts, 0, out, start + i * stride, basis.components);
                }
                Blas.get()
                        .multiply(
                                1.0,
                                Matrix.of(features, rows.rows(), basis.features),
                                Matrix.of(basis.vectors, basis.features, basis.components),
                                1.0,
                                Matrix.of(out, start, rows.rows(), basis.components, stride));
            }
            start += basis.components;
        }
    }

    /** Returns the components of each part that has any. */
    @Override
    public int[] terms() {
        return FeatureGroups.concatenate(bases.stream().map(basis -> new int[basis.components]));
    }

    /**
     * Returns V·w, the weights of the map's features (D×outputs, row-major) for weights of the components (k×outputs).
     */
    public double[] unfold(double[] weights, int outputs) {
        Require.sameSize(OWNER, "number of weights", weights.length, components * outputs);
        double[] unfolded = new double[Math.multiplyExact(map.outputDimension(), outputs)];
        int from = 0;
        int to = 0;
        for (Basis basis : bases) {
            Blas.get()
                    .multiply(
                            1.0,
                            Matrix.of(basis.vectors, basis.features, basis.components),
                            Matrix.of(weights, from, basis.components, outputs, outputs),
                            0.0,
                            Matrix.of(unfolded, to, basis.features, outputs, outputs));
            from += basis.components * outputs;
            to += basis.features * outputs;
        }
        return unfolded;
    }

    /** Returns −cᵀw, the change of the intercepts for weights of the components (k×outputs). */
    public double[] shifts(double[] weights, int outputs) {
        Require.sameSize(OWNER, "number of weights", weights.length, components * outputs);
        double[] shifts = new double[outputs];
        int from = 0;
        for (Basis basis : bases) {
            for (double shift : basis.shifts) {
                for (int o = 0; o < outputs; o++) {
                    shifts[o] += shift * weights[from++];
                }
            }
        }
        return shifts;
    }

    /**
     * Returns the saved form. Components of parts, without variances, serve learning only: their saved form is for other
     * processes, and models are saved with the map itself and {@linkplain #unfold unfolded} weights.
     */
    @Override
    public State state() {
        if (variances == null) {
            State state = State.of(TYPE).with("map", map.state());
            for (int p = 0; p < bases.size(); p++) {
                Basis basis = bases.get(p);
                state.with("components." + p, basis.components)
                        .with("vectors." + p, basis.vectors, basis.features, basis.components)
                        .with("shifts." + p, basis.shifts);
            }
            return state;
        }
        Basis basis = bases.get(0);
        return State.of(TYPE)
                .with("map", map.state())
                .with("components", components)
                .with("vectors", basis.vectors, basis.features, components)
                .with("shifts", basis.shifts)
                .with("variances", variances.each)
                .with("totalVariance", variances.total);
    }

    /** Loads components from their {@link #state}. */
    static ComponentMap load(State state, MapLoader... own) {
        FeatureMap map = MapTypes.loadPart(state, "map", own);
        if (!state.has("variances")) {
            List<FeatureMap> parts = parts(map);
            List<Basis> bases = new ArrayList<>();
            for (int p = 0; p < parts.size(); p++) {
                bases.add(basis(state, parts.get(p).outputDimension(), "." + p));
            }
            return new ComponentMap(map, bases);
        }
        int components = state.count("components");
        return new ComponentMap(
                map,
                basis(state, map.outputDimension(), ""),
                state.array("variances", components),
                state.number("totalVariance"));
    }

    private static Basis basis(State state, int features, String suffix) {
        int components = state.count("components" + suffix);
        double[] offsets = state.array("shifts" + suffix, components);
        Arrays.setAll(offsets, c -> -offsets[c]);
        return new Basis(features, state.array("vectors" + suffix, Math.multiplyExact(features, components)), offsets);
    }

    @Override
    public String toString() {
        return OWNER + "[" + components + " of " + map + ", by part "
                + Arrays.toString(
                        bases.stream().mapToInt(basis -> basis.components).toArray()) + "]";
    }
}
