package org.bochner.map.composed;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.Require;
import org.bochner.data.RowBlock;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapGradient;
import org.bochner.map.MapParameters;
import org.bochner.map.ParameterKind;
import org.bochner.map.layout.FeatureGroups;

/** The parameters of several maps side by side, one map after the other. */
public final class ConcatenatedParameters implements MapParameters {
    private final List<FeatureMap> maps;
    private final List<MapParameters> parts;

    public ConcatenatedParameters(List<FeatureMap> maps, ParameterKind kind) {
        this.maps = maps;
        parts = maps.stream().map(map -> map.parameters(kind)).toList();
    }

    @Override
    public int count() {
        return parts.stream().mapToInt(MapParameters::count).sum();
    }

    @Override
    public double[] values() {
        return parts.stream()
                .flatMapToDouble(part -> Arrays.stream(part.values()))
                .toArray();
    }

    @Override
    public Scope scope(int parameter) {
        int left = parameter;
        for (int t = 0; t < parts.size(); t++) {
            int count = parts.get(t).count();
            if (left < count) {
                Scope own = parts.get(t).scope(left);
                return new Scope(t, own.from(), own.to());
            }
            left -= count;
        }
        throw new IndexOutOfBoundsException("there are " + count() + " parameters, asked for number " + parameter);
    }

    @Override
    public ConcatenatedMap with(double... values) {
        Require.sameSize(ConcatenatedMap.TYPE, "number of parameters", values.length, count());
        List<FeatureMap> moved = new ArrayList<>();
        int start = 0;
        for (int t = 0; t < parts.size(); t++) {
            int count = parts.get(t).count();
            double[] own = Arrays.copyOfRange(values, start, start + count);
            moved.add(count == 0 ? maps.get(t) : parts.get(t).with(own));
            start += count;
        }
        return new ConcatenatedMap(moved);
    }

    @Override
    public MapGradient gradient() {
        return new Gradient(parts.stream().map(MapParameters::gradient).toList(), FeatureGroups.starts(maps));
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Gradient(List<MapGradient> parts, int... starts) implements MapGradient {
        @Override
        public int features() {
            return starts[parts.size()];
        }

        @Override
        public void add(double[] x, double[] cotangent) {
            for (int t = 0; t < parts.size(); t++) {
                parts.get(t).add(x, Arrays.copyOfRange(cotangent, starts[t], starts[t + 1]));
            }
        }

        @Override
        public void add(RowBlock rows, float[] features, float[] cotangents, int offset, int stride) {
            for (int t = 0; t < parts.size(); t++) {
                parts.get(t).add(rows, features, cotangents, offset + starts[t], stride);
            }
        }

        @Override
        public void add(RowBlock rows, double[] features, double[] cotangents, int offset, int stride) {
            for (int t = 0; t < parts.size(); t++) {
                parts.get(t).add(rows, features, cotangents, offset + starts[t], stride);
            }
        }

        @Override
        public List<double[]> sums() {
            return parts.stream().flatMap(part -> part.sums().stream()).toList();
        }

        @Override
        public double[] values() {
            return parts.stream()
                    .flatMapToDouble(part -> Arrays.stream(part.values()))
                    .toArray();
        }
    }
}
