package org.bochner.model;

import java.util.ArrayList;
import java.util.List;
import org.bochner.data.DenseRows;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.map.FeatureMap;
import org.bochner.map.curve.CurveCompiler;
import org.bochner.map.curve.CurveMap;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelParts;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.bochner.stats.FeaturePass;
import org.bochner.stats.MappedRows;

/**
 * What was measured of compiled curves.
 *
 * @param rows the number of rows; 0 if there were none
 * @param largestError the largest difference of scores, or of curves without rows
 * @param rmsError the root mean square difference
 * @param deviation the standard deviation of the original scores; NaN without rows
 * @param agreement the share of rows with equal classes; NaN if there are none
 * @param originalNanos the time of a row of the original model; NaN if it was not measured
 * @param compiledNanos the time of a row of the compiled model; NaN if it was not measured
 * @param importances the importance of each curve
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record CurveMeasurement(
        long rows,
        double largestError,
        double rmsError,
        double deviation,
        double agreement,
        double originalNanos,
        double compiledNanos,
        double[] importances) {
    private static final int TIMED_ROWS = 64;
    private static final int TURNS = 4;
    private static final long LEAST_NANOS = 25_000_000;

    double importance(int curve) {
        return importances[curve];
    }

    /** Returns the importance of curves of a compiled model, whose original is not known. */
    static CurveMeasurement unknown(CurveMap map) {
        return new CurveMeasurement(
                0, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, importanceOverKnots(map));
    }

    /** Measures curves without rows. */
    static CurveMeasurement betweenKnots(
            KernelModel original, KernelModel compiled, CurveMap map, CurveCompiler compiler, Workers workers) {
        double[] errors = compiler.errorBetweenKnots(map, workers);
        // The speed does not depend on the scaling much, and rows between the knots are scaled already.
        KernelModel from = unscaled(original);
        KernelModel to = unscaled(compiled);
        double[] nanos = nanosPerRow(between(map), from, to);
        return new CurveMeasurement(
                0, errors[0], errors[1], Double.NaN, Double.NaN, nanos[0], nanos[1], importanceOverKnots(map));
    }

    private static KernelModel unscaled(KernelModel model) {
        ModelParts parts = ModelAccess.parts(model);
        FeatureMap map = model.map();
        return ModelAccess.model(new ModelParts(
                new Transformer(Scalings.identity(map.inputDimension()), map),
                parts.linear(),
                parts.labels(),
                parts.precision(),
                null,
                parts.training(),
                parts.calibration(),
                parts.axes(),
                false));
    }

    /** Returns rows of random values between the first and the last knot. */
    private static List<double[]> between(CurveMap map) {
        RandomStream random = new Seed(1).stream();
        int[] columns = map.curveColumns();
        List<double[]> rows = new ArrayList<>();
        for (int i = 0; i < TIMED_ROWS; i++) {
            double[] row = new double[map.inputDimension()];
            for (int a = 0; a < columns.length; a++) {
                double[] knots = map.knots(a);
                if (knots.length > 0) {
                    row[columns[a]] = knots[random.nextInt(knots.length)];
                }
            }
            rows.add(row);
        }
        return rows;
    }

    private static double[] importanceOverKnots(CurveMap map) {
        double[] importances = new double[map.curveColumns().length];
        for (int a = 0; a < importances.length; a++) {
            double[] knots = map.knots(a);
            double[] moments = new double[2 * map.outputDimension()];
            double[] first = map.at(a, knots.length == 0 ? 0 : knots[0]);
            for (double knot : knots) {
                double[] values = map.at(a, knot);
                for (int o = 0; o < values.length; o++) {
                    double difference = values[o] - first[o];
                    moments[2 * o] += difference;
                    moments[2 * o + 1] += difference * difference;
                }
            }
            importances[a] = ContributionSums.deviation(moments, 0, map.outputDimension(), Math.max(1, knots.length));
        }
        return importances;
    }

    /** The sums over rows. */
    private static final class Sums {
        private final int outputs;
        private final double[] means;
        private final double[] deviations;
        private final ContributionSums contributions;
        private double largest;
        private double squares;
        private long rows;
        private long agreeing;

        Sums(int outputs, ContributionSums contributions) {
            this.outputs = outputs;
            this.contributions = contributions;
            means = new double[outputs];
            deviations = new double[outputs];
        }

        void add(KernelModel model, Tile tile, int count) {
            boolean classes = model.labels() instanceof Labels.Classes;
            for (int i = 0; i < count; i++) {
                rows++;
                for (int o = 0; o < outputs; o++) {
                    double score = tile.original[i * outputs + o];
                    double error = Math.abs(score - tile.compiled[i * outputs + o]);
                    largest = Math.max(largest, error);
                    squares += error * error;
                    double step = score - means[o];
                    means[o] += step / rows;
                    deviations[o] += step * (score - means[o]);
                }
                agreeing += classes && model.classOf(tile.original, i) == model.classOf(tile.compiled, i) ? 1 : 0;
            }
            contributions.take(tile.contributions);
        }

        double deviation() {
            double sum = 0;
            for (double deviation : deviations) {
                sum += deviation / rows;
            }
            return Math.sqrt(sum / outputs);
        }
    }

    /** The scores of one block of rows. */
    private static final class Tile {
        private double[] original = {};
        private double[] compiled = {};
        private final ContributionSums contributions;
        private final MappedRows mapped;

        Tile(KernelModel compiled, ContributionSums contributions) {
            this.contributions = contributions;
            mapped = compiled.mapped();
        }
    }

    /** Measures curves on rows. */
    static CurveMeasurement on(
            RowSource given,
            KernelModel original,
            KernelModel compiled,
            CurveMap map,
            Workers workers,
            Progress progress) {
        int outputs = map.outputDimension();
        RowSource source = original.accept(given);
        RowBlock first = first(source);
        Sums sums = new Sums(
                outputs,
                ContributionSums.near(map, compiled.mapped().take(first).scale()));
        original.prepare(workers);
        new FeaturePass(source, original.scaler(), List.of(original.map()), original.precision(), true, workers)
                .run(
                        () -> new Tile(compiled, sums.contributions.empty()),
                        (block, tile) -> {
                            tile.original = original.score(block, tile.original);
                            tile.compiled = compiled.score(tile.mapped.take(block.rows()), tile.compiled);
                            tile.contributions.add(tile.mapped.scaled());
                        },
                        (done, tile) -> {
                            sums.add(original, tile, done.last().rows().rows());
                            progress.report("comparing", done.rows(), done.fraction());
                        });
        boolean classes = original.labels() instanceof Labels.Classes;
        double[] nanos = nanosPerRow(rows(first), original, compiled);
        return new CurveMeasurement(
                sums.rows,
                sums.largest,
                Math.sqrt(sums.squares / Math.max(1, sums.rows * outputs)),
                sums.deviation(),
                classes ? (double) sums.agreeing / sums.rows : Double.NaN,
                nanos[0],
                nanos[1],
                sums.contributions.deviations(sums.rows));
    }

    private static RowBlock first(RowSource source) {
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = source.open()) {
            return cursor.next(builder, TIMED_ROWS) ? builder.build() : DenseRows.of(0, source.columns(), new float[0]);
        }
    }

    private static List<double[]> rows(RowBlock block) {
        List<double[]> rows = new ArrayList<>();
        for (int i = 0; i < block.rows(); i++) {
            double[] row = new double[block.columns()];
            block.copyRow(i, row);
            rows.add(row);
        }
        return rows;
    }

    /** Returns the time of one row of two models, measured in turns on one thread; NaN without rows. */
    private static double[] nanosPerRow(List<double[]> rows, KernelModel first, KernelModel second) {
        double[] least = {Double.NaN, Double.NaN};
        for (int turn = 0; turn < TURNS && !rows.isEmpty(); turn++) {
            least[0] = Math.min(turn == 0 ? Double.POSITIVE_INFINITY : least[0], nanosPerRow(rows, first));
            least[1] = Math.min(turn == 0 ? Double.POSITIVE_INFINITY : least[1], nanosPerRow(rows, second));
        }
        return least;
    }

    private static double nanosPerRow(List<double[]> rows, KernelModel model) {
        long start = PredictionSpeed.nanos();
        long elapsed;
        long count = 0;
        do {
            double unused = model.score(rows.get((int) (count % rows.size())))[0];
            count++;
            elapsed = PredictionSpeed.nanos() - start;
        } while (elapsed < LEAST_NANOS);
        return (double) elapsed / count;
    }
}
