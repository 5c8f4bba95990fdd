package org.bochner.learn.solve;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Loss;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scalings;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FeatureStore;
import org.bochner.stats.FeatureStream;
import org.bochner.stats.Fixtures;
import org.bochner.stats.MappedSource;

/** Rows whose features are their values, for tests of solvers: the arrays are there to be computed with directly. */
final class SmallData {
    final int rows;
    final int columns;
    final float[] values;
    final double[] weights;
    /** Numbers, or indices of classes. */
    final double[] targets;

    private final int classes;

    private SmallData(int rows, int columns, int classes) {
        this.rows = rows;
        this.columns = columns;
        this.classes = classes;
        values = new float[rows * columns];
        weights = new double[rows];
        targets = new double[rows];
        Arrays.fill(weights, 1);
    }

    /** Noisy classes: each has a centre of its own at about the distance 1 from the offset, with noise of the given size. */
    static SmallData classes(int rows, int columns, int classes, double offset, double noise, long seed) {
        SmallData data = new SmallData(rows, columns, classes);
        RandomStream stream = new Seed(seed).stream();
        double[] centres = new double[classes * columns];
        for (int j = 0; j < centres.length; j++) {
            centres[j] = 2 * stream.nextUniform() - 1;
        }
        for (int i = 0; i < rows; i++) {
            int label = stream.nextInt(classes);
            data.targets[i] = label;
            for (int j = 0; j < columns; j++) {
                double value = centres[label * columns + j] + noise * (2 * stream.nextUniform() - 1);
                data.values[i * columns + j] = (float) (offset + value);
            }
        }
        return data;
    }

    /** Numbers scale·(aᵀx + noise + level), where a is 1, −1, 1, …. */
    static SmallData numbers(int rows, int columns, double level, double noise, double scale, long seed) {
        SmallData data = new SmallData(rows, columns, 0);
        RandomStream stream = new Seed(seed).stream();
        for (int i = 0; i < rows; i++) {
            double target = level + noise * (2 * stream.nextUniform() - 1);
            for (int j = 0; j < columns; j++) {
                float value = (float) (2 * stream.nextUniform() - 1);
                data.values[i * columns + j] = value;
                target += j % 2 == 0 ? value : -value;
            }
            data.targets[i] = scale * target;
        }
        return data;
    }

    /** Each row twice: as it is, and mirrored at the origin with the other class, or the negative number. */
    SmallData mirrored() {
        SmallData data = new SmallData(2 * rows, columns, classes);
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                data.values[2 * i * columns + j] = values[i * columns + j];
                data.values[(2 * i + 1) * columns + j] = -values[i * columns + j];
            }
            data.targets[2 * i] = targets[i];
            data.targets[2 * i + 1] = classes > 0 ? 1 - targets[i] : -targets[i];
        }
        return data;
    }

    /** The same rows, sorted by their targets. */
    SmallData sorted() {
        SmallData data = new SmallData(rows, columns, classes);
        int[] order = IntStream.range(0, rows)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> targets[i]))
                .mapToInt(i -> i)
                .toArray();
        for (int i = 0; i < rows; i++) {
            System.arraycopy(values, order[i] * columns, data.values, i * columns, columns);
            data.targets[i] = targets[order[i]];
            data.weights[i] = weights[order[i]];
        }
        return data;
    }

    double value(int row, int column) {
        return values[row * columns + column];
    }

    /** The target of an output: ±1 for a class. */
    double target(int row, int output) {
        return classes == 0 ? targets[row] : targets[row] == (classes == 2 ? 1 : output) ? 1 : -1;
    }

    MemorySource source() {
        MemorySource source = MemorySource.of(columns, values).withRowWeights(weights);
        if (classes == 0) {
            return source.withTargets(targets);
        }
        List<String> names =
                IntStream.range(0, classes).mapToObj(Integer::toString).toList();
        int[] labels = Arrays.stream(targets).mapToInt(t -> (int) t).toArray();
        return source.withClasses(names, labels);
    }

    FeatureStore store() {
        return store(Precision.FLOAT64, Long.MAX_VALUE, 1);
    }

    FeatureStore store(Precision precision, long budget, int threads) {
        return store(source(), Fixtures.identity(columns), precision, budget, threads);
    }

    static FeatureStore store(RowSource source, FeatureMap map, Precision precision, long budget, int threads) {
        Workers workers = new Workers(threads);
        return FeatureStore.map(
                new MappedSource(source, scaler(source), map, ClassWeights.none(), precision, workers),
                budget,
                (rows, fraction) -> {});
    }

    static FeatureStream stream(RowSource source, int threads) {
        return FeatureStream.open(new MappedSource(
                source,
                scaler(source),
                Fixtures.identity(source.columns()),
                ClassWeights.none(),
                Precision.FLOAT64,
                new Workers(threads)));
    }

    private static Scaler scaler(RowSource source) {
        return Scalings.parse("none").fit(source, new Workers(1));
    }

    /** l2/2·|β|² + Σ w·ℓ of a model, summed directly over the rows. */
    double objective(LinearModel model, Loss.PerScore loss, double l2) {
        double sum = 0;
        for (int o = 0; o < model.outputs(); o++) {
            sum += objective(model, loss, l2, o);
        }
        return sum;
    }

    double objective(LinearModel model, Loss.PerScore loss, double l2, int output) {
        double sum = 0;
        for (int j = 0; j < columns; j++) {
            sum += l2 / 2 * model.weight(j, output) * model.weight(j, output);
        }
        for (int i = 0; i < rows; i++) {
            double score = model.intercept(output);
            for (int j = 0; j < columns; j++) {
                score += model.weight(j, output) * value(i, j);
            }
            sum += weights[i] * loss.value(score, target(i, output));
        }
        return sum;
    }
}
