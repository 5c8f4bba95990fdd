package org.bochner.map.curve;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.RowBlock;
import org.bochner.kernel.AdditiveKernel;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.kernel.composed.ScaledKernel;
import org.bochner.kernel.composed.SumKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.additive.AdditiveMap;
import org.bochner.map.composed.ColumnRangeMap;
import org.bochner.map.composed.ConcatenatedMap;
import org.bochner.map.composed.ScaledMap;
import org.bochner.map.composed.SelectedColumnsMap;
import org.bochner.map.composed.SelectedFeaturesMap;
import org.bochner.map.landmark.LandmarkForm;
import org.bochner.map.landmark.LandmarkMap;
import org.jspecify.annotations.Nullable;

/**
 * A function of rows that is a sum of one function per column, with one or several outputs: the linear functions of a
 * model whose map, or whose kernel, is a sum over columns.
 *
 * <p>Threads: safe; immutable.
 */
public final class AdditiveFunction {
    private final Kernel kernel;
    private final int columns;
    private final int outputs;
    private final List<CurveTerm> terms = new ArrayList<>();

    /**
     * Takes the linear functions of a map apart.
     *
     * @param weights features × outputs, row-major
     * @throws BochnerException if the functions are not sums over columns
     */
    public AdditiveFunction(FeatureMap map, double[] weights, int outputs) {
        kernel = map.kernel();
        columns = map.inputDimension();
        this.outputs = outputs;
        add(map, weights, CurveTerm.Place.all(columns));
    }

    Kernel kernel() {
        return kernel;
    }

    int columns() {
        return columns;
    }

    int outputs() {
        return outputs;
    }

    private void add(FeatureMap map, double[] weights, CurveTerm.Place place) {
        if (map instanceof ConcatenatedMap sum) {
            int start = 0;
            for (FeatureMap part : sum.parts()) {
                int end = start + part.outputDimension();
                add(part, Arrays.copyOfRange(weights, start * outputs, end * outputs), place);
                start = end;
            }
        } else if (map instanceof ScaledMap scaled) {
            add(scaled.map(), times(Math.sqrt(scaled.factor()), weights), place);
        } else if (map instanceof ColumnRangeMap channel) {
            add(channel.map(), weights, place.range(channel.from(), channel.to()));
        } else if (map instanceof SelectedColumnsMap some) {
            add(some.map(), weights, place.select(some.selected()));
        } else if (map instanceof SelectedFeaturesMap some) {
            double[] all = new double[Math.multiplyExact(some.map().outputDimension(), outputs)];
            int[] kept = some.kept();
            for (int j = 0; j < kept.length; j++) {
                System.arraycopy(weights, j * outputs, all, kept[j] * outputs, outputs);
            }
            add(some.map(), all, place);
        } else if (map instanceof AdditiveMap additive) {
            terms.add(new MapTerm(place, outputs, additive, weights));
        } else if (map instanceof LandmarkMap landmarks) {
            addSupport(landmarks.kernel(), landmarks.landmarks(), coefficients(landmarks, weights), place);
        } else if (map.inputDimension() == 1) {
            terms.add(new SingleColumnTerm(place, outputs, map, weights));
        } else {
            throw notAdditive(map.kernel());
        }
    }

    private static double[] times(double factor, double[] weights) {
        return Arrays.stream(weights).map(weight -> factor * weight).toArray();
    }

    /** Returns the coefficients of the kernel values k(x, hᵢ). */
    private double[] coefficients(LandmarkMap map, double[] weights) {
        if (map.form() != LandmarkForm.WHITENED) {
            return weights;
        }
        LandmarkMap values = map.withForm(LandmarkForm.KERNEL);
        double[] coefficients = weights.clone();
        for (int o = 0; o < outputs; o++) {
            values.unwhiten(coefficients, o, outputs);
        }
        return coefficients;
    }

    private void addSupport(Kernel of, RowBlock support, double[] coefficients, CurveTerm.Place place) {
        if (of instanceof SumKernel sum) {
            sum.terms().forEach(term -> addSupport(term, support, coefficients, place));
        } else if (of instanceof ScaledKernel scaled) {
            addSupport(scaled.kernel(), support, times(scaled.factor(), coefficients), place);
        } else if (of instanceof ChannelKernel channel) {
            addSupport(
                    channel.kernel(),
                    support.columns(channel.from(), channel.to()),
                    coefficients,
                    place.range(channel.from(), channel.to()));
        } else if (of instanceof AdditiveKernel additive) {
            terms.add(new SupportTerm(place, outputs, additive, support, coefficients));
        } else if (support.columns() == 1) {
            LandmarkMap values = new LandmarkMap(of, support, LandmarkForm.RAW);
            terms.add(new SingleColumnTerm(place, outputs, values, coefficients));
        } else {
            throw notAdditive(of);
        }
    }

    private static BochnerException notAdditive(Kernel kernel) {
        return new BochnerException(
                "the model is not a sum of one curve per column: the kernel " + kernel
                        + " compares several columns together",
                Remedy.set(
                        Setting.KERNEL,
                        "intersection",
                        "trains a model that is (also chi2, jensen-shannon, hellinger, linear)"),
                Remedy.advice("give each column a kernel of its own, as in gaussian[0:1] + gaussian[1:2]"));
    }

    /** Returns the columns whose functions are not 0, ascending; the first column if there are none. */
    int[] used() {
        BitSet used = new BitSet();
        for (CurveTerm term : terms) {
            for (int l = 0; l < term.place.count(); l++) {
                if (term.uses(l)) {
                    used.set(term.place.column(l));
                }
            }
        }
        return used.isEmpty() ? new int[] {0} : used.stream().toArray();
    }

    /** Returns the function of one column. */
    Column column(int column) {
        return new Column(column);
    }

    /**
     * The function of one column.
     *
     * <p>Threads: not safe.
     */
    final class Column {
        private final List<CurveTerm> parts = new ArrayList<>();
        private final List<Integer> places = new ArrayList<>();

        /** Terms without straight pieces. */
        private final List<CurveTerm> curved = new ArrayList<>();

        private final List<Integer> curvedPlaces = new ArrayList<>();

        /** The breaks and lines of the other terms. */
        private final double[] breaks;

        private final double[] lines;

        private Column(int column) {
            Breaks pieces = new Breaks(outputs);
            for (CurveTerm term : terms) {
                int own = term.place.own(column);
                if (own < 0) {
                    continue;
                }
                parts.add(term);
                places.add(own);
                if (!term.addPieces(own, pieces)) {
                    curved.add(term);
                    curvedPlaces.add(own);
                }
            }
            breaks = pieces.places();
            lines = pieces.lines(breaks);
        }

        /** Returns a term without straight pieces; null if all have them. */
        @Nullable
        CurveTerm curved() {
            return curved.isEmpty() ? null : curved.get(0);
        }

        double[] breaks() {
            return breaks;
        }

        double[] lines() {
            return lines;
        }

        /** Returns the values of the function, one per output; a new array. */
        double[] at(double x) {
            int place = Arrays.binarySearch(breaks, x + 0.0);
            int piece = place >= 0 ? place + 1 : -place - 1;
            double[] values = new double[outputs];
            for (int o = 0; o < outputs; o++) {
                int line = 2 * (piece * outputs + o);
                values[o] = lines[line] + x * lines[line + 1];
            }
            for (int t = 0; t < curved.size(); t++) {
                curved.get(t).add(curvedPlaces.get(t), x, values);
            }
            return values;
        }

        /** Returns true if the column must not be negative. */
        boolean nonNegative() {
            return parts.stream().anyMatch(term -> term.kernel() instanceof HomogeneousKernel);
        }

        /** Returns true if the function is 0 everywhere. */
        boolean zero() {
            for (int t = 0; t < parts.size(); t++) {
                if (parts.get(t).uses(places.get(t))) {
                    return false;
                }
            }
            return true;
        }

        /** Returns the range of values that the model was made for; empty if it is not known. */
        double[] range() {
            double[] range = {};
            for (int t = 0; t < parts.size(); t++) {
                double[] own = parts.get(t).range(places.get(t));
                range = own == null ? range : union(range, own);
            }
            return range;
        }

        /** Returns the slope of the linear part, one per output; a new array. */
        double[] slopes() {
            double[] slopes = new double[outputs];
            for (int t = 0; t < parts.size(); t++) {
                parts.get(t).addSlopes(places.get(t), slopes);
            }
            return slopes;
        }
    }

    /** Returns the smallest range that contains two ranges, which may be empty. */
    static double[] union(double[] a, double[] b) {
        if (a.length == 0 || b.length == 0) {
            return a.length == 0 ? b : a;
        }
        return new double[] {Math.min(a[0], b[0]), Math.max(a[1], b[1])};
    }
}
