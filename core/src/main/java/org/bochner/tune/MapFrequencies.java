package org.bochner.tune;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.IntStream;
import org.bochner.learn.linear.LinearModel;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.ColumnRangeMap;
import org.bochner.map.composed.ConcatenatedMap;
import org.bochner.map.composed.ScaledMap;
import org.bochner.map.composed.TwoStageMap;
import org.bochner.map.fourier.FourierMap;
import org.bochner.map.fourier.WarpedMap;
import org.bochner.model.KernelModel;
import org.bochner.model.file.ModelAccess;
import org.bochner.numeric.optimise.Vectors;
import org.jspecify.annotations.Nullable;

/** The frequencies of all Fourier maps within a map, and how much a linear model uses each of them. */
final class MapFrequencies {
    /**
     * A Fourier map.
     *
     * @param from the first data column that it reads; -1 if it reads features of another map
     * @param factor the factor of its kernel
     * @param start the index of its first feature
     */
    private record Leaf(FourierMap map, int from, double factor, int start) {
        boolean reads(int column) {
            return from >= 0 && column >= from && column < from + map.inputDimension();
        }
    }

    /** A number of a frequency, and the use of the frequency. */
    private record Used(double value, double use) {}

    private final List<Leaf> leaves = new ArrayList<>();
    private final @Nullable LinearModel model;

    /** Creates the frequencies of a map; none of them is used. */
    MapFrequencies(FeatureMap map) {
        this(map, null);
    }

    /** Creates the frequencies of a model. */
    static MapFrequencies of(KernelModel model) {
        return new MapFrequencies(model.map(), ModelAccess.parts(model).requireLinear());
    }

    private MapFrequencies(FeatureMap map, @Nullable LinearModel model) {
        this.model = model;
        collect(map, 0, 1, 0);
    }

    private void collect(FeatureMap map, int from, double factor, int start) {
        if (map instanceof FourierMap fourier) {
            leaves.add(new Leaf(fourier, from, factor, start));
        } else if (map instanceof WarpedMap warped) {
            collect(warped.map(), from, factor, start);
        } else if (map instanceof ScaledMap scaled) {
            collect(scaled.map(), from, factor * scaled.factor(), start);
        } else if (map instanceof ColumnRangeMap columns) {
            collect(columns.map(), from < 0 ? from : from + columns.from(), factor, start);
        } else if (map instanceof ConcatenatedMap several) {
            int at = start;
            for (FeatureMap part : several.parts()) {
                collect(part, from, factor, at);
                at += part.outputDimension();
            }
        } else if (map instanceof TwoStageMap composed) {
            collect(composed.second(), -1, factor, start);
        }
    }

    /** Returns the lengths |ω|, ascending. */
    double[] lengths() {
        return values(ofLengths());
    }

    /** Returns the share of each frequency in the use of all, in the order of {@link #lengths}. */
    double[] lengthUse() {
        return shares(ofLengths());
    }

    /** Returns |ωⱼ| of all frequencies that read data column j, ascending. */
    double[] along(int column) {
        return values(ofColumn(column));
    }

    /** Returns the share of each frequency that reads a column in the use of all that do, in the order of {@link #along}. */
    double[] useAlong(int column) {
        return shares(ofColumn(column));
    }

    private List<Used> ofLengths() {
        return sorted(leaves, (leaf, omega) -> Math.sqrt(Vectors.dot(omega, omega)));
    }

    private List<Used> ofColumn(int column) {
        List<Leaf> reading = leaves.stream().filter(leaf -> leaf.reads(column)).toList();
        return sorted(reading, (leaf, omega) -> Math.abs(omega[column - leaf.from]));
    }

    private static double[] values(List<Used> frequencies) {
        return frequencies.stream().mapToDouble(Used::value).toArray();
    }

    private static double[] shares(List<Used> frequencies) {
        double total = frequencies.stream().mapToDouble(Used::use).sum();
        return frequencies.stream()
                .mapToDouble(used -> total > 0 ? used.use / total : 1.0 / frequencies.size())
                .toArray();
    }

    private List<Used> sorted(List<Leaf> of, ToDoubleBiFunction<Leaf, double[]> value) {
        List<Used> all = new ArrayList<>();
        for (Leaf leaf : of) {
            double[] frequencies = leaf.map.frequencies();
            double[] use = use(leaf);
            int columns = leaf.map.inputDimension();
            for (int i = 0; i < use.length; i++) {
                double[] omega = Arrays.copyOfRange(frequencies, i * columns, (i + 1) * columns);
                all.add(new Used(value.applyAsDouble(leaf, omega), use[i]));
            }
        }
        all.sort(Comparator.comparingDouble(Used::value));
        return all;
    }

    /**
     * Returns for each frequency the squared norm, over all outputs, of the wave that its features add to the predictions:
     * the squared weights of its cosine and sine times the squared size of the features.
     */
    private double[] use(Leaf leaf) {
        double[] use = new double[leaf.map.frequencyCount()];
        if (model == null) {
            return use;
        }
        int[] units = leaf.map.units();
        double size = leaf.factor * leaf.map.amplitude() * leaf.map.amplitude();
        for (int j = 0; j < leaf.map.outputDimension(); j++) {
            int feature = leaf.start + j;
            use[units[j]] += size
                    * IntStream.range(0, model.outputs())
                            .mapToDouble(o -> model.weight(feature, o) * model.weight(feature, o))
                            .sum();
        }
        return use;
    }
}
