package org.bochner.learn.solve;

import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.bochner.base.State;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.learn.linear.Loss;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.bochner.stats.BlockGram;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FeatureStore;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.MappedRows;
import org.bochner.stats.MappedSource;

/** Rows whose features are their columns times a factor each, in float64: small problems for solvers. */
record Mapped(MemorySource rows, FeatureMap map) {
    static final Workers WORKERS = new Workers(2);

    static Mapped of(MemorySource rows, IntToDoubleFunction factors) {
        return new Mapped(rows, scaling(rows.columns(), factors));
    }

    static Mapped of(MemorySource rows) {
        return of(rows, j -> 1);
    }

    /**
     * Correlated rows around an offset, of which a few columns say what the targets are: each output is a sum of two
     * columns and noise.
     */
    static Mapped numbers(int rows, int columns, int outputs, Seed seed) {
        RandomStream stream = seed.stream();
        float[] x = columns(rows, columns, stream);
        double[] y = new double[rows * outputs];
        for (int i = 0; i < rows; i++) {
            for (int o = 0; o < outputs; o++) {
                y[i * outputs + o] = 2 * x[i * columns + o] - x[i * columns + o + 1] + stream.nextUniform() - 0.5;
            }
        }
        List<String> names = IntStream.range(0, outputs).mapToObj(o -> "y" + o).toList();
        return of(MemorySource.of(columns, x).withTargets(names, y));
    }

    /** The same kind of rows with classes: the largest of as many sums of columns and noise. */
    static Mapped classes(int rows, int columns, int count, Seed seed) {
        RandomStream stream = seed.stream();
        float[] x = columns(rows, columns, stream);
        int[] labels = new int[rows];
        for (int i = 0; i < rows; i++) {
            double most = Double.NEGATIVE_INFINITY;
            for (int c = 0; c < count; c++) {
                double value = 2 * x[i * columns + c] - x[i * columns + c + 1] + 2 * stream.nextUniform();
                if (value > most) {
                    most = value;
                    labels[i] = c;
                }
            }
        }
        List<String> names = IntStream.range(0, count).mapToObj(c -> "c" + c).toList();
        return of(MemorySource.of(columns, x).withClasses(names, labels));
    }

    private static float[] columns(int rows, int columns, RandomStream stream) {
        float[] x = new float[rows * columns];
        for (int i = 0; i < rows; i++) {
            double common = stream.nextUniform();
            for (int j = 0; j < columns; j++) {
                x[i * columns + j] = (float) (3 + common + 2 * stream.nextUniform() - 1);
            }
        }
        return x;
    }

    FeatureStore store() {
        return store(WORKERS);
    }

    FeatureStore store(Workers workers) {
        return FeatureStore.map(
                new MappedSource(
                        rows, Scalings.identity(rows.columns()), map, ClassWeights.none(), Precision.FLOAT64, workers),
                1L << 28,
                (done, fraction) -> {});
    }

    Objective objective(Loss loss) {
        return new Objective(store(), loss);
    }

    GramStatistics statistics() {
        GramAccumulator total = new GramAccumulator(map.outputDimension(), rows.labels());
        BlockGram block = new BlockGram(map.outputDimension(), rows.labels(), ClassWeights.none());
        MappedRows mapped = new MappedRows(map, Precision.FLOAT64);
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = rows.open()) {
            while (cursor.next(builder, 100)) {
                block.clear();
                block.add(mapped.take(builder.build()), 0);
                total.add(block);
            }
        }
        return total.freeze();
    }

    private static FeatureMap scaling(int columns, IntToDoubleFunction factors) {
        return new FeatureMap() {
            @Override
            public int inputDimension() {
                return columns;
            }

            @Override
            public int outputDimension() {
                return columns;
            }

            @Override
            public Kernel kernel() {
                return new Gaussian(1);
            }

            @Override
            public void apply(double[] x, double[] out) {
                for (int j = 0; j < columns; j++) {
                    out[j] = x[j] * factors.applyAsDouble(j);
                }
            }

            @Override
            public State state() {
                return State.of("scaling");
            }
        };
    }
}
