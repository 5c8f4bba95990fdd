package org.bochner.map.composed;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ObjIntConsumer;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.composed.SumKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapLoader;
import org.bochner.map.MapParameters;
import org.bochner.map.ParameterKind;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.map.layout.MapMemory;
import org.bochner.map.layout.RowGradients;
import org.jspecify.annotations.Nullable;

/** The features of several maps side by side: the map of the sum of their kernels. */
public final class ConcatenatedMap implements FeatureMap, RowGradients.Source {
    public static final String TYPE = "concatenated";

    private final List<FeatureMap> parts;
    private final SumKernel kernel;
    private final int features;

    public ConcatenatedMap(List<? extends FeatureMap> parts) {
        this.parts = List.copyOf(parts);
        Require.that(parts.size() >= 2, TYPE, "needs at least two maps, got " + parts.size());
        for (FeatureMap part : parts) {
            Require.sameSize(TYPE, "columns of every part", part.inputDimension(), inputDimension());
        }
        kernel = new SumKernel(parts.stream().map(FeatureMap::kernel).toList());
        long total = parts.stream().mapToLong(FeatureMap::outputDimension).sum();
        features = MapMemory.length(TYPE, "the features of " + parts.size() + " maps", total);
    }

    public static ConcatenatedMap load(State state, MapLoader... own) {
        int count = state.count("parts");
        List<FeatureMap> parts = new ArrayList<>();
        for (int t = 0; t < count; t++) {
            parts.add(MapTypes.loadPart(state, String.valueOf(t), own));
        }
        return new ConcatenatedMap(parts);
    }

    /** Returns the maps whose features stand side by side, in order. */
    public List<FeatureMap> parts() {
        return parts;
    }

    @Override
    public int inputDimension() {
        return parts.get(0).inputDimension();
    }

    @Override
    public int outputDimension() {
        return features;
    }

    @Override
    public int dataRows() {
        return parts.stream().mapToInt(FeatureMap::dataRows).sum();
    }

    @Override
    public Kernel kernel() {
        return kernel;
    }

    /** Calls a function for each part, with the index of its first feature. */
    private void each(ObjIntConsumer<FeatureMap> work) {
        int start = 0;
        for (FeatureMap part : parts) {
            work.accept(part, start);
            start += part.outputDimension();
        }
    }

    @Override
    public void apply(double[] x, double[] out) {
        each((part, start) -> {
            double[] features = new double[part.outputDimension()];
            part.apply(x, features);
            System.arraycopy(features, 0, out, start, features.length);
        });
    }

    @Override
    public void apply(RowBlock rows, float[] out, int offset, int stride) {
        each((part, start) -> part.apply(rows, out, offset + start, stride));
    }

    @Override
    public void apply(RowBlock rows, double[] out, int offset, int stride) {
        each((part, start) -> part.apply(rows, out, offset + start, stride));
    }

    @Override
    public boolean keepsSparsity() {
        return parts.stream().allMatch(FeatureMap::keepsSparsity);
    }

    @Override
    public SparseRows apply(SparseRows rows) {
        List<SparseRows> mapped = parts.stream().map(part -> part.apply(rows)).toList();
        long total = mapped.stream().mapToLong(SparseRows::entries).sum();
        int entries = MapMemory.length(TYPE, "the non-zero features of " + rows.rows() + " rows", total);
        int[] starts = new int[rows.rows() + 1];
        int[] indices = new int[entries];
        float[] values = new float[entries];
        int next = 0;
        for (int i = 0; i < rows.rows(); i++) {
            int shift = 0;
            for (SparseRows part : mapped) {
                for (int e = part.starts()[i]; e < part.starts()[i + 1]; e++) {
                    indices[next] = part.indices()[e] + shift;
                    values[next++] = part.values()[e];
                }
                shift += part.columns();
            }
            starts[i + 1] = next;
        }
        return SparseRows.like(rows, outputDimension(), starts, indices, values);
    }

    @Override
    public boolean hasPlainPenalty() {
        return parts.stream().allMatch(FeatureMap::hasPlainPenalty);
    }

    @Override
    public boolean amplifiesRounding() {
        return parts.stream().anyMatch(FeatureMap::amplifiesRounding);
    }

    @Override
    public void whiten(double[] features, int at) {
        each((part, start) -> part.whiten(features, at + start));
    }

    @Override
    public void unwhiten(double[] weights, int at, int stride) {
        each((part, start) -> part.unwhiten(weights, at + stride * start, stride));
    }

    @Override
    public void whitenWeights(double[] weights, int at, int stride) {
        each((part, start) -> part.whitenWeights(weights, at + stride * start, stride));
    }

    @Override
    public MapParameters parameters(ParameterKind kind) {
        return new ConcatenatedParameters(parts, kind);
    }

    @Override
    public @Nullable RowGradients gradients(double[] weights, int outputs) {
        List<RowGradients> all = new ArrayList<>();
        int from = 0;
        for (FeatureMap part : parts) {
            int to = from + part.outputDimension() * outputs;
            RowGradients own = RowGradients.of(part, Arrays.copyOfRange(weights, from, to), outputs);
            if (own == null) {
                return null;
            }
            all.add(own);
            from = to;
        }
        return new RowGradients() {
            @Override
            public void take(RowBlock rows) {
                all.forEach(part -> part.take(rows));
            }

            @Override
            public void add(int output, double[] out, int offset, int stride) {
                all.forEach(part -> part.add(output, out, offset, stride));
            }
        };
    }

    @Override
    public int[] units() {
        return FeatureGroups.concatenate(parts.stream().map(FeatureMap::units));
    }

    @Override
    public int[] terms() {
        return FeatureGroups.concatenate(parts.stream().map(FeatureMap::terms));
    }

    /** Restricts every part, and drops parts without features. A single part that is left is returned itself. */
    @Override
    public FeatureMap restrict(int... kept) {
        FeatureGroups.unitsOf(this).groupsOf(kept);
        List<FeatureMap> left = new ArrayList<>();
        each((part, start) -> {
            int[] own = Arrays.stream(kept)
                    .map(feature -> feature - start)
                    .filter(feature -> feature >= 0 && feature < part.outputDimension())
                    .toArray();
            if (own.length > 0) {
                left.add(part.restrict(own));
            }
        });
        return left.size() == 1 ? left.get(0) : new ConcatenatedMap(left);
    }

    @Override
    public State state() {
        State state = State.of(TYPE).with("parts", parts.size());
        for (int t = 0; t < parts.size(); t++) {
            state.with(String.valueOf(t), parts.get(t).state());
        }
        return state;
    }

    @Override
    public String toString() {
        return "ConcatenatedMap" + parts;
    }
}
