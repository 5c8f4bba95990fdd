package org.bochner.map.curve;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample.Interval;
import org.bochner.kernel.additive.Hellinger;
import org.bochner.kernel.columns.ColumnRanges;
import org.bochner.map.composed.MapAlgebra;
import org.bochner.map.layout.MapMemory;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Strips;
import org.jspecify.annotations.Nullable;

/**
 * Compiles an additive function into tables.
 *
 * @param function the function
 * @param form the form of the tables
 * @param knots the number of knots per column; the exact form has its own
 * @param seen the values of the columns in some rows; null if there are none
 * @param sample rows at whose values the error is made small by the choice of knots; may be empty
 */
public record CurveCompiler(
        AdditiveFunction function,
        CurveForm form,
        int knots,
        @Nullable ColumnRanges seen,
        List<double[]> sample) {
    private static final String OWNER = "compile";

    /** The crowdings of knots near the low end that are tried. */
    private static final double[] CROWDINGS = {0, 1, 3, 8, 20};

    /** Crowded knots take longer to find, so they are used only if they divide the error by at least this factor. */
    private static final double CROWDED_GAIN = 2;

    private static final double[] EQUISPACED = {0};

    /** Points at which the error of a curve is computed: many for straight pieces, fewer for sums over support vectors. */
    private static final int MOST_POINTS = 2000;

    private static final int MOST_CURVED_POINTS = 256;

    /** Columns that one worker takes. */
    private static final int STRIP = 16;

    public CurveCompiler {
        Require.that(knots >= 2 && knots <= 1_000_000, OWNER, "knots must be between 2 and 1000000, got " + knots);
    }

    /**
     * Compiles the function.
     *
     * @throws BochnerException if the range of a column is not known, or if the form is exact and a curve is not made of
     *     straight pieces
     */
    public CurveMap compile(Workers workers) {
        int[] used = function.used();
        CurveTable table = form == CurveForm.EXACT ? pieces(used, workers) : knots(used, workers);
        return new CurveMap(function.kernel(), function.columns(), table);
    }

    /**
     * Returns the largest and the root mean square difference between the function and compiled curves, of one column and
     * one output, in the middle between neighbouring knots.
     */
    public double[] errorBetweenKnots(CurveMap map, Workers workers) {
        int[] used = map.curveColumns();
        double[] largest = new double[used.length];
        double[] squares = new double[used.length];
        int[] counts = new int[used.length];
        Strips.each(workers, used.length, STRIP, (from, to) -> {
            for (int a = from; a < to; a++) {
                AdditiveFunction.Column curve = function.column(used[a]);
                double[] places = map.knots(a);
                for (int k = 1; k < places.length; k++) {
                    double middle = (places[k - 1] + places[k]) / 2;
                    double[] exact = curve.at(middle);
                    double[] values = map.at(a, middle);
                    for (int o = 0; o < exact.length; o++) {
                        double error = Math.abs(exact[o] - values[o]);
                        largest[a] = Math.max(largest[a], error);
                        squares[a] += error * error;
                        counts[a]++;
                    }
                }
            }
        });
        double sum = Arrays.stream(squares).sum();
        return new double[] {
            Arrays.stream(largest).max().orElse(0),
            Math.sqrt(sum / Math.max(1, Arrays.stream(counts).asLongStream().sum()))
        };
    }

    private CurveTable pieces(int[] used, Workers workers) {
        int outputs = function.outputs();
        double[][] breaks = new double[used.length][];
        double[][] lines = new double[used.length][];
        Strips.each(workers, used.length, STRIP, (from, to) -> {
            for (int a = from; a < to; a++) {
                AdditiveFunction.Column curve = function.column(used[a]);
                CurveTerm curved = curve.curved();
                if (curved != null) {
                    throw notPieces(curved.kernel());
                }
                breaks[a] = curve.breaks();
                lines[a] = curve.lines();
            }
        });
        int[] starts = new int[used.length + 1];
        long total = 0;
        for (int a = 0; a < used.length; a++) {
            total += lines[a].length;
            MapMemory.length(OWNER, "the pieces of the curves", total);
            starts[a + 1] = starts[a] + breaks[a].length + 1;
        }
        return new PieceTable(
                used, outputs, function.kernel() instanceof HomogeneousKernel, starts, joined(breaks), joined(lines));
    }

    private static double[] joined(double[][] parts) {
        int length = 0;
        for (double[] part : parts) {
            length += part.length;
        }
        double[] all = new double[length];
        int next = 0;
        for (double[] part : parts) {
            System.arraycopy(part, 0, all, next, part.length);
            next += part.length;
        }
        return all;
    }

    private static BochnerException notPieces(Kernel kernel) {
        return new BochnerException(
                "the exact form needs curves of straight pieces, which intersection and linear kernels and the maps piecewise and unary"
                        + " have; the curves of " + kernel + " are none",
                Remedy.advice("compile with the form linear"));
    }

    private CurveTable knots(int[] used, Workers workers) {
        int outputs = function.outputs();
        long size = (long) used.length * knots * outputs;
        MemoryBudget.whole()
                .require(
                        32.0 * size,
                        OWNER + ": " + knots + " knots of " + used.length + " columns and " + outputs + " outputs",
                        "take fewer knots");
        double[] values = new double[MapMemory.length(OWNER, "the values at the knots", size)];
        double[] slopes = new double[used.length * outputs * 2];
        double[] low = new double[used.length];
        double[] high = new double[used.length];
        double[] crowding = new double[used.length];
        double[] equispaced = new double[values.length];
        double[] errors = new double[used.length];
        double[] equispacedErrors = new double[used.length];
        boolean root = MapAlgebra.leaves(function.kernel()).allMatch(CurveCompiler::isSteep);
        Strips.each(workers, used.length, STRIP, (from, to) -> {
            for (int a = from; a < to; a++) {
                AdditiveFunction.Column curve = function.column(used[a]);
                double[] range = range(curve, used[a]);
                low[a] = range[0];
                high[a] = range[1];
                int most = curve.curved() == null ? MOST_POINTS : MOST_CURVED_POINTS;
                KnotFit fit = new KnotFit(curve, used[a], range, outputs, form == CurveForm.LINEAR, root, sample, most);
                for (double tried : fit.isEmpty() ? EQUISPACED : CROWDINGS) {
                    fit.add(tried, KnotTable.knots(range[0], range[1], knots, root, tried));
                    if (tried == 0) {
                        System.arraycopy(fit.values(), 0, equispaced, a * knots * outputs, knots * outputs);
                        equispacedErrors[a] = fit.error();
                    }
                }
                crowding[a] = fit.crowding();
                errors[a] = fit.error();
                System.arraycopy(fit.values(), 0, values, a * knots * outputs, knots * outputs);
                slopes(curve, range, slopes, a * outputs * 2);
            }
        });
        double crowdedError = Math.sqrt(Arrays.stream(errors).sum());
        boolean crowded = CROWDED_GAIN * crowdedError
                < Math.sqrt(Arrays.stream(equispacedErrors).sum());
        return new KnotTable(
                form,
                used,
                outputs,
                function.kernel() instanceof HomogeneousKernel,
                root,
                low,
                high,
                crowded ? crowding : new double[used.length],
                crowded ? values : equispaced,
                slopes);
    }

    /** Returns true if the curves of a kernel have no finite slope at 0. */
    private static boolean isSteep(Kernel kernel) {
        return kernel instanceof Hellinger
                || (kernel instanceof HomogeneousKernel homogeneous && homogeneous.degree() < 1);
    }

    private double[] range(AdditiveFunction.Column curve, int column) {
        double[] given = {};
        if (seen != null) {
            Optional<Interval> values = seen.of(column);
            given = values.map(interval -> new double[] {interval.low(), interval.high()})
                    .orElse(given);
        }
        double[] range = AdditiveFunction.union(curve.range(), given);
        if (range.length == 0 && curve.zero()) {
            return new double[] {0, 1};
        }
        if (range.length == 0) {
            throw new BochnerException(
                    "the model does not know the range of its columns",
                    Remedy.advice("give rows of the training data, or similar rows, from which the ranges are read"));
        }
        double from = curve.nonNegative() ? Math.max(0, range[0]) : range[0];
        double to = Math.max(range[1], from);
        // Rounding leaves no place for knots between values that are too close.
        double least = 1e-6 * Math.max(Math.abs(from), Math.abs(to));
        return to - from > least ? new double[] {from, to} : new double[] {from, from + Math.max(Math.abs(from), 1)};
    }

    /**
     * Writes the slopes outside the knots. Left of the knots, columns that must not be negative have the line to the
     * value at 0. All other ends have the slope of the linear part, so a curve without one is constant there.
     */
    private static void slopes(AdditiveFunction.Column curve, double[] range, double[] slopes, int at) {
        double[] linear = curve.slopes();
        boolean toZero = curve.nonNegative() && range[0] > 0;
        double[] first = curve.at(range[0]);
        double[] zero = toZero ? curve.at(0) : first;
        for (int o = 0; o < linear.length; o++) {
            slopes[at + 2 * o] = toZero ? (first[o] - zero[o]) / range[0] : linear[o];
            slopes[at + 2 * o + 1] = linear[o];
        }
    }
}
