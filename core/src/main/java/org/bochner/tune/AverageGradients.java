package org.bochner.tune;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.data.sample.RowCount;
import org.bochner.learn.linear.LinearModel;
import org.bochner.map.FeatureMap;
import org.bochner.map.layout.RowGradients;
import org.bochner.model.KernelModel;
import org.bochner.model.file.ModelAccess;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.random.Seed;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.GradientProducts;
import org.bochner.stats.RowWeights;
import org.bochner.tune.folds.FoldedRows;

/** Average gradient outer products from one pass over the rows. */
final class AverageGradients {
    /** Matrices of more columns are not computed for a report. */
    private static final int MOST_COLUMNS = 2000;

    /** The most rows·outputs·columns·features of a report, a second of work; with more rows, a sample is averaged. */
    private static final double MOST_WORK = 2e9;

    /** The fewest rows of such a sample. */
    private static final double FEWEST_ROWS = 1000;

    /** The smallest share of the trace of a direction that is reported. */
    private static final double LEAST_SHARE = 0.01;

    private AverageGradients() {}

    /** The sums of one worker. */
    private record Bench(GradientProducts products, RowGradients gradients) {}

    /**
     * Returns the average gradient outer product over scaled rows, columns×columns in row-major order, or its diagonal.
     *
     * @param map a map with gradients
     * @param weights the linear functions, D×outputs
     * @param seen receives the rows, block by block, in order
     */
    static double[] of(
            FoldedRows rows,
            FeatureMap map,
            double[] weights,
            RowWeights rowWeights,
            boolean diagonal,
            Consumer<RowBlock> seen) {
        int columns = map.inputDimension();
        int outputs = weights.length / map.outputDimension();
        GradientProducts total = new GradientProducts(columns, diagonal);
        rows.pass(
                () -> new Bench(
                        new GradientProducts(columns, diagonal),
                        Objects.requireNonNull(RowGradients.of(map, weights, outputs))),
                (tile, bench) -> bench.products.add(tile.rows(), bench.gradients, outputs, rowWeights),
                (tile, bench) -> {
                    bench.products.moveInto(total);
                    seen.accept(tile.rows());
                });
        return total.average();
    }

    /**
     * Returns the average gradient outer product of a model's scores over rows, or over a sample of many rows; empty if the map
     * of the model has no gradients, or if there are very many columns. Gradients are those with respect to the scaled columns,
     * before a matrix of the scaling.
     */
    static LearnedKernel.Gradients of(KernelModel model, RowSource source, Workers workers) {
        FeatureMap map = model.map();
        int columns = map.inputDimension();
        LinearModel linear = ModelAccess.parts(model).requireLinear();
        double[] weights = linear.weights();
        if (columns > MOST_COLUMNS || RowGradients.of(map, weights, linear.outputs()) == null) {
            return LearnedKernel.Gradients.NONE;
        }
        double rowWork = (double) linear.outputs() * columns * map.outputDimension();
        double share = Math.max(FEWEST_ROWS, MOST_WORK / rowWork) / RowCount.of(source);
        Seed seed = model.training().seed().derive("gradients");
        FoldedRows rows = FoldedRows.read(
                source,
                model.scaler(),
                map.kernel(),
                (row, group) -> share >= 1 || seed.derive(row).unit() < share ? 0 : FoldedRows.NONE,
                1,
                0,
                workers);
        RowWeights rowWeights = new RowWeights(model.labels(), ClassWeights.none());
        double[] average = of(rows, map, weights, rowWeights, false, block -> {});
        double[][] matrix = model.scaler().matrix();
        return summary(matrix.length > 0 ? before(matrix, average) : average, columns);
    }

    /** Returns the shares and directions of an average gradient outer product, which is destroyed. */
    private static LearnedKernel.Gradients summary(double[] product, int columns) {
        double[] diagonal = new double[columns];
        Arrays.setAll(diagonal, l -> product[l * (columns + 1)]);
        double trace = Arrays.stream(diagonal).sum();
        if (!(trace > 0 && trace < Double.POSITIVE_INFINITY)) {
            return LearnedKernel.Gradients.NONE;
        }
        double[] values = Blas.get().eigen(columns, product);
        List<LearnedKernel.Direction> directions = new ArrayList<>();
        for (int v = columns - 1; v >= 0 && values[v] >= LEAST_SHARE * trace; v--) {
            double[] weights = Arrays.copyOfRange(product, v * columns, (v + 1) * columns);
            directions.add(new LearnedKernel.Direction(values[v] / trace, signed(weights)));
        }
        return new LearnedKernel.Gradients(
                Arrays.stream(diagonal).mapToObj(entry -> entry / trace).toList(), directions);
    }

    /** Returns the weights with the sign that makes the largest one positive. */
    private static List<Double> signed(double[] weights) {
        int largest = 0;
        for (int l = 1; l < weights.length; l++) {
            largest = Math.abs(weights[l]) > Math.abs(weights[largest]) ? l : largest;
        }
        double sign = Math.signum(weights[largest]);
        return Arrays.stream(weights).mapToObj(weight -> sign * weight).toList();
    }

    /** Returns AᵀGA: the product with respect to x, where G is with respect to Ax. */
    private static double[] before(double[][] matrix, double[] average) {
        int n = matrix.length;
        double[] flat = Arrays.stream(matrix).flatMapToDouble(Arrays::stream).toArray();
        double[] half = new double[n * n];
        double[] found = new double[n * n];
        Matrix<double[]> by = Matrix.of(flat, n, n);
        Blas.get().multiply(1, Matrix.of(average, n, n), by, 0, Matrix.of(half, n, n));
        Blas.get().multiply(1, by.transposed(), Matrix.of(half, n, n), 0, Matrix.of(found, n, n));
        return found;
    }
}
