package org.bochner.tune;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernels;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.ridge.Ridge;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapParameters;
import org.bochner.map.landmark.UnmappedKernel;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.bochner.stats.BlockGram;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.MappedRows;
import org.bochner.tune.exact.ExactCriterion;
import org.bochner.tune.exact.ExactFolds;
import org.bochner.tune.folds.FoldedRows;
import org.bochner.tune.scales.Parametrization;
import org.bochner.tune.scales.RidgeCriterion;
import org.bochner.tune.scales.ScaleCriterion;
import org.bochner.tune.scales.ScaleObjective;
import org.bochner.tune.scales.ScalePenalty;

/** A kernel to be learned on 60 rows of 4 columns, small enough that everything can be computed in another way too. */
record SmallProblem(RowSource source, FeatureMap map, ClassWeights classWeights, double lambda) {
    static final int ROWS = 60;
    static final int COLUMNS = 4;
    static final Workers ONE_THREAD = new Workers(1);
    private static final int FEATURES = 12;

    /** Rows in [0, 1), of which every seventh value is 0, with weights between 0.5 and 2, and once 0. */
    private static MemorySource rows() {
        RandomStream stream = new Seed(5).stream();
        float[] values = new float[ROWS * COLUMNS];
        for (int i = 0; i < values.length; i++) {
            values[i] = i % 7 == 0 ? 0 : (float) stream.nextUniform();
        }
        double[] weights = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            weights[i] = i == 7 ? 0 : 0.5 + 1.5 * stream.nextUniform();
        }
        return MemorySource.of(COLUMNS, values).withRowWeights(weights);
    }

    /** Two numbers a row: smooth functions of its first columns, and noise. */
    static MemorySource numbers() {
        MemorySource rows = rows();
        RandomStream stream = new Seed(6).stream();
        double[] x = new double[COLUMNS];
        double[] targets = new double[2 * ROWS];
        RowBlock block = block(rows);
        for (int i = 0; i < ROWS; i++) {
            block.copyRow(i, x);
            targets[2 * i] = 3 + Math.sin(3 * x[0]) + x[1] * x[2] + 0.3 * stream.nextUniform();
            targets[2 * i + 1] = Math.cos(4 * x[1]) - x[3] + 0.3 * stream.nextUniform();
        }
        return rows.withTargets(List.of("a", "b"), targets);
    }

    /** Three classes: which column is the largest of the first three, with noise. */
    static MemorySource classes() {
        MemorySource rows = rows();
        RandomStream stream = new Seed(7).stream();
        double[] x = new double[COLUMNS];
        int[] labels = new int[ROWS];
        RowBlock block = block(rows);
        for (int i = 0; i < ROWS; i++) {
            block.copyRow(i, x);
            double most = 0;
            for (int c = 0; c < 3; c++) {
                double value = x[c] + 0.5 * stream.nextUniform();
                if (value > most) {
                    most = value;
                    labels[i] = c;
                }
            }
        }
        return rows.withClasses(List.of("p", "q", "r"), labels);
    }

    /** All rows of a small source. */
    static RowBlock block(RowSource source) {
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = source.open()) {
            cursor.next(builder, 10_000);
            return builder.build();
        }
    }

    static SmallProblem of(RowSource source, String map, String kernel) {
        return new SmallProblem(source, map(map, kernel), ClassWeights.none(), 0.2);
    }

    /** The map {@code none} is the kernel itself. */
    static FeatureMap map(String map, String kernel) {
        if (map.equals("none")) {
            return new UnmappedKernel(Kernels.parse(kernel), COLUMNS);
        }
        return FeatureMaps.parse(map).build(Kernels.parse(kernel), COLUMNS, FEATURES, new Seed(3));
    }

    SmallProblem withClassWeights(double... factors) {
        return new SmallProblem(source, map, ClassWeights.of(factors), lambda);
    }

    /** Rows in turn go to one fold after the other; of three, one is set aside for validation. */
    static FoldedRows.FoldOf folds(Criterion criterion) {
        return (row, group) -> switch (criterion.kind()) {
            case VALIDATION -> row % 3 == 1 ? 1 : 0;
            case CROSS_VALIDATION -> (int) (row % criterion.foldCount());
            default -> 0;
        };
    }

    FoldedRows folded(Criterion criterion, long budget, Workers workers) {
        return FoldedRows.read(
                source,
                Scalings.identity(COLUMNS),
                map.kernel(),
                folds(criterion),
                criterion.foldCount(),
                budget,
                workers);
    }

    /** With two blocks of columns, {0, 1} and {2, 3}. */
    Parametrization moves(Sharing sharing, Parametrization.Form form) {
        MapParameters parameters = map.parameters(sharing.kind());
        int[] coordinates = new int[parameters.count()];
        Map<Object, Integer> known = new HashMap<>();
        for (int p = 0; p < coordinates.length; p++) {
            MapParameters.Scope scope = parameters.scope(p);
            Object key =
                    switch (sharing) {
                        case ONE -> scope.term();
                        case RANGE -> List.of(scope.term(), scope.from() / 2);
                        case COLUMN, FREQUENCY -> p;
                    };
            coordinates[p] = known.computeIfAbsent(key, unused -> known.size());
        }
        return Parametrization.of(form, parameters, coordinates);
    }

    /** The criterion as a function of the coordinates and, behind them, the logarithm of the penalty. */
    ScaleObjective objective(Criterion criterion, Parametrization moves, ScalePenalty penalty) {
        return objective(folded(criterion, Long.MAX_VALUE, ONE_THREAD), criterion, moves, penalty, Precision.FLOAT64);
    }

    ScaleObjective objective(
            FoldedRows rows, Criterion criterion, Parametrization moves, ScalePenalty penalty, Precision precision) {
        ScaleCriterion ridge = map instanceof UnmappedKernel
                ? new ExactCriterion(
                        criterion.kind(), ExactFolds.load(rows, criterion.foldCount(), classWeights), rows.workers())
                : new RidgeCriterion(criterion.kind(), rows, classWeights, precision);
        return new ScaleObjective(moves, penalty, ridge, criterion.choosesPenalty() ? Double.NaN : lambda);
    }

    /** The criterion at the start, by the code under test. */
    double value(Criterion criterion) {
        Parametrization moves = moves(Sharing.ONE, Parametrization.Form.LOGARITHM);
        ScaleObjective objective = objective(criterion, moves, ScalePenalty.NONE);
        return objective.at(origin(objective, moves), new double[objective.size()]);
    }

    double[] origin(ScaleObjective objective, Parametrization moves) {
        double[] origin = new double[objective.size()];
        System.arraycopy(moves.origin(), 0, origin, 0, moves.count());
        if (origin.length > moves.count()) {
            origin[moves.count()] = Math.log(lambda);
        }
        return origin;
    }

    /** The statistics of some of the rows. */
    GramStatistics statistics(IntPredicate learned) {
        RowBlock all = block(source);
        RowBlockBuilder builder = new RowBlockBuilder();
        builder.beginDense(0, COLUMNS, all.targets(), true);
        for (int i = 0; i < all.rows(); i++) {
            if (learned.test(i)) {
                builder.addRow(all, i);
            }
        }
        BlockGram gram = new BlockGram(map.outputDimension(), source.labels(), classWeights);
        gram.add(new MappedRows(map, Precision.FLOAT64).take(builder.build()), 0);
        GramAccumulator total = new GramAccumulator(map.outputDimension(), source.labels());
        total.add(gram);
        return total.freeze();
    }

    /** What ridge regression learns from some of the rows. */
    LinearModel fit(IntPredicate learned) {
        return Ridge.of(lambda)
                .fit(statistics(learned), Precision.FLOAT64, ONE_THREAD)
                .model();
    }

    double weight(RowBlock rows, int row) {
        return rows.rowWeight(row) * (outputs().classes() ? classWeights.factor((int) rows.target(row, 0)) : 1);
    }

    OutputCoding outputs() {
        return OutputCoding.of(source.labels());
    }

    /** Σ w(y − f)² over all outputs of a row. */
    double squaredError(LinearModel model, RowBlock rows, int row) {
        double[] x = new double[COLUMNS];
        rows.copyRow(row, x);
        double[] features = new double[map.outputDimension()];
        map.apply(x, features);
        double[] scores = model.apply(features);
        double sum = 0;
        for (int o = 0; o < scores.length; o++) {
            double residual = outputs().target(rows, row, o) - scores[o];
            sum += residual * residual;
        }
        return weight(rows, row) * sum;
    }

    /** The same with the weighted means of some rows' targets for predictions. */
    double squaredErrorOfNothing() {
        RowBlock rows = block(source);
        double sum = 0;
        for (int o = 0; o < outputs().count(); o++) {
            double weight = 0;
            double mean = 0;
            for (int i = 0; i < rows.rows(); i++) {
                weight += weight(rows, i);
                mean += weight(rows, i) * outputs().target(rows, i, o);
            }
            mean /= weight;
            for (int i = 0; i < rows.rows(); i++) {
                double residual = outputs().target(rows, i, o) - mean;
                sum += weight(rows, i) * residual * residual;
            }
        }
        return sum;
    }
}
