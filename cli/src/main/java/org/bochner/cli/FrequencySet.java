package org.bochner.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.ColumnRangeMap;
import org.bochner.map.composed.ConcatenatedMap;
import org.bochner.map.composed.ScaledMap;
import org.bochner.map.composed.TwoStageMap;
import org.bochner.map.fourier.FourierMap;
import org.bochner.map.fourier.WarpedMap;

/** The frequencies of a map, wherever in it they are, as samples of a distribution. */
final class FrequencySet {
    /** Those of one Fourier map, and the first column of the data that it sees; -1 where it sees no columns of the data. */
    private record Leaf(FourierMap map, int from) {}

    private final List<Leaf> leaves = new ArrayList<>();

    FrequencySet(FeatureMap map) {
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

    /** The lengths |ω|, ascending. */
    double[] lengths() {
        return leaves.stream()
                .flatMapToDouble(leaf -> {
                    double[] omega = leaf.map.frequencies();
                    int width = leaf.map.inputDimension();
                    return IntStream.range(0, leaf.map.frequencyCount()).mapToDouble(i -> {
                        double square = 0;
                        for (int j = i * width; j < (i + 1) * width; j++) {
                            square += omega[j] * omega[j];
                        }
                        return Math.sqrt(square);
                    });
                })
                .sorted()
                .toArray();
    }

    /** What stands for a column of the data in the frequencies, without signs, ascending; empty where there is nothing. */
    double[] along(int column) {
        return leaves.stream()
                .filter(leaf -> leaf.from >= 0 && column >= leaf.from && column < leaf.from + leaf.map.inputDimension())
                .flatMapToDouble(leaf -> {
                    double[] omega = leaf.map.frequencies();
                    int width = leaf.map.inputDimension();
                    return IntStream.range(0, leaf.map.frequencyCount())
                            .mapToDouble(i -> Math.abs(omega[i * width + column - leaf.from]));
                })
                .sorted()
                .toArray();
    }

    /** The middle of ascending numbers; NaN where there are none. */
    static double median(double[] ascending) {
        return quantile(ascending, 0.5);
    }

    /** The number below which this share of ascending numbers lies; NaN where there are none. */
    static double quantile(double[] ascending, double share) {
        return ascending.length == 0 ? Double.NaN : ascending[(int) (share * (ascending.length - 1))];
    }

    @Override
    public String toString() {
        return Arrays.toString(lengths());
    }
}
