package org.bochner.tune;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.IntStream;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.ColumnRangeMap;
import org.bochner.map.composed.ConcatenatedMap;
import org.bochner.map.composed.ScaledMap;
import org.bochner.map.composed.TwoStageMap;
import org.bochner.map.fourier.FourierMap;
import org.bochner.map.fourier.WarpedMap;
import org.bochner.numeric.optimise.Vectors;

/** The frequencies of all Fourier maps within a map. */
final class MapFrequencies {
    /** A Fourier map and the first data column that it reads; -1 if it reads features of another map. */
    private record Leaf(FourierMap map, int from) {
        boolean reads(int column) {
            return from >= 0 && column >= from && column < from + map.inputDimension();
        }
    }

    private final List<Leaf> leaves = new ArrayList<>();

    MapFrequencies(FeatureMap map) {
        collect(map, 0);
    }

    private void collect(FeatureMap map, int from) {
        if (map instanceof FourierMap fourier) {
            leaves.add(new Leaf(fourier, from));
        } else if (map instanceof WarpedMap warped) {
            collect(warped.map(), from);
        } else if (map instanceof ScaledMap scaled) {
            collect(scaled.map(), from);
        } else if (map instanceof ColumnRangeMap columns) {
            collect(columns.map(), from < 0 ? from : from + columns.from());
        } else if (map instanceof ConcatenatedMap several) {
            several.parts().forEach(part -> collect(part, from));
        } else if (map instanceof TwoStageMap composed) {
            collect(composed.second(), -1);
        }
    }

    /** Returns the lengths |ω|, ascending. */
    double[] lengths() {
        return sorted(leaves, (leaf, omega) -> Math.sqrt(Vectors.dot(omega, omega)));
    }

    /** Returns |ωⱼ| of all frequencies that read data column j, ascending. */
    double[] along(int column) {
        List<Leaf> reading = leaves.stream().filter(leaf -> leaf.reads(column)).toList();
        return sorted(reading, (leaf, omega) -> Math.abs(omega[column - leaf.from]));
    }

    private static double[] sorted(List<Leaf> leaves, ToDoubleBiFunction<Leaf, double[]> value) {
        return leaves.stream()
                .flatMapToDouble(leaf -> {
                    double[] all = leaf.map.frequencies();
                    int columns = leaf.map.inputDimension();
                    return IntStream.range(0, leaf.map.frequencyCount())
                            .mapToDouble(i ->
                                    value.applyAsDouble(leaf, Arrays.copyOfRange(all, i * columns, (i + 1) * columns)));
                })
                .sorted()
                .toArray();
    }
}
