package org.bochner.model.train;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.sample.RowCount;
import org.bochner.data.sample.ThinnedRows;
import org.bochner.kernel.Kernels;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.LinearModel;
import org.bochner.map.FeatureMaps;
import org.bochner.map.layout.RowGradients;
import org.bochner.model.Progress;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelParts;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.random.Seed;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FeaturePass;
import org.bochner.stats.GradientProducts;
import org.bochner.stats.RowWeights;

/**
 * Finds directions along which the targets of rows vary: from the average gradient outer product G of ridge regression with
 * few random features of a Gaussian kernel, fitted to a sample of the rows. Columns are scaled to the variance 1 before.
 *
 * <p>The directions of several columns are those of largest slope per standard deviation of the projection u·x: with the
 * covariance matrix C of the columns, {@code u = C^(−½)e} for the first eigenvectors e of {@code C^½GC^½}. Rare categories,
 * whose slopes per unit are steep and say little about most rows, therefore do not dominate.
 */
final class SplitDirections {
    /** The number of random features, whose gradients need to be right on average only. */
    private static final int FEATURES = 500;

    /** The length-scale, as a multiple of the square root of the number of columns: half the distance of usual rows. */
    private static final double SIGMA = 0.5;

    /** Matrices of more columns are not computed. */
    private static final int MOST_COLUMNS = 1000;

    /** The directions to try: a column with few values may not divide the rows. */
    private static final int MOST_EIGENVECTORS = 3;

    private static final int MOST_TRIED_COLUMNS = 100;

    /** The rows of a tile, whose gradients are held together. */
    private static final int MOST_TILE_ROWS = 256;

    private static final int MOST_TILE_VALUES = 1 << 20;

    /** The most rows·outputs·columns of the gradients, a few seconds of work; of more rows, a share is taken. */
    private static final double MOST_GRADIENTS = 1e8;

    /** Axes with less than this share of the largest variance are rounding, or repeat other columns. */
    private static final double LEAST_VARIANCE = 1e-3;

    /** Weights below this share of the largest one are rounding. */
    private static final double LEAST_WEIGHT = 1e-6;

    private final TreeRecipe.Direction kind;
    private final ClassWeights classWeights;
    private final TrainingSettings settings;
    private final Workers workers;

    /**
     * Creates a search.
     *
     * @param settings the class weighting, of all rows
     */
    SplitDirections(TreeRecipe.Direction kind, TrainingSettings settings, ClassWeights classWeights, Workers workers) {
        this.kind = kind;
        this.settings = settings;
        this.classWeights = classWeights;
        this.workers = workers;
    }

    /** Returns directions in the units of the data, the best first; none if all columns or the targets are constant. */
    List<double[]> of(RowSource sample, Seed seed) {
        int columns = sample.columns();
        Scaling scaling = sample.sparse() ? Scalings.uncentred() : Scalings.standard();
        Scaler scaler = scaling.fit(sample, workers);
        double[] spread = new double[columns];
        int varying = 0;
        for (int j = 0; j < columns; j++) {
            double unit = scaler.unscaled(j, 1) - scaler.unscaled(j, 0);
            spread[j] = unit > 0 && unit < Double.POSITIVE_INFINITY ? unit : Double.NaN;
            varying += spread[j] > 0 ? 1 : 0;
        }
        if (varying == 0) {
            return List.of();
        }
        boolean diagonal = kind == TreeRecipe.Direction.COLUMNS || columns > MOST_COLUMNS;
        double[] average = average(sample, scaler, SIGMA * Math.sqrt(varying), diagonal, seed);
        List<double[]> directions = new ArrayList<>();
        for (double[] scaled : diagonal ? columns(average) : eigenvectors(average, covariance(sample, scaler))) {
            double[] direction = new double[columns];
            boolean any = false;
            for (int j = 0; j < columns; j++) {
                if (spread[j] > 0 && scaled[j] != 0) {
                    // A split along one column is read in its units.
                    direction[j] = diagonal ? 1 : scaled[j] / spread[j];
                    any = true;
                }
            }
            if (any) {
                directions.add(direction);
            }
        }
        return directions;
    }

    /** The sums of one worker. */
    private record Bench(GradientProducts products, RowGradients gradients) {}

    /** Returns G or its diagonal. */
    private double[] average(RowSource sample, Scaler scaler, double sigma, boolean diagonal, Seed seed) {
        TrainingSettings small = new TrainingSettings(Kernels.recipe("gaussian(sigma=" + sigma + ")"));
        small.map = FeatureMaps.parse("fourier");
        small.features = OptionalInt.of(FEATURES);
        small.scaler = scaler;
        small.learner = Learner.ridge();
        small.precision = Precision.FLOAT32;
        small.classWeighting = settings.classWeighting;
        small.seed = seed;
        ModelParts parts = ModelAccess.parts(
                TrainingRun.train(small, sample, workers, Progress.NONE, null).model());
        LinearModel linear = parts.requireLinear();
        int columns = sample.columns();
        int outputs = linear.outputs();
        double[] weights = linear.weights();
        RowWeights rowWeights = new RowWeights(sample.labels(), classWeights);
        GradientProducts total = new GradientProducts(columns, diagonal);
        double share = MOST_GRADIENTS / ((double) RowCount.of(sample) * outputs * columns);
        RowSource some = share < 1 ? new ThinnedRows(sample, share, seed) : sample;
        new FeaturePass(some, scaler, List.of(parts.map()), Precision.FLOAT32, true, workers)
                .setTileRows(Math.max(1, Math.min(MOST_TILE_ROWS, MOST_TILE_VALUES / columns)))
                .run(
                        () -> new Bench(
                                new GradientProducts(columns, diagonal),
                                Objects.requireNonNull(RowGradients.of(parts.map(), weights, outputs))),
                        (block, bench) -> {
                            // Scaled rows have the targets and weights of the rows.
                            RowBlock scaled = block.scale();
                            bench.products.add(scaled, bench.gradients, outputs, rowWeights);
                        },
                        (done, bench) -> bench.products.moveInto(total));
        return total.average();
    }

    /** Returns the unit vectors of the columns with the largest entries. */
    private static List<double[]> columns(double[] diagonal) {
        return IntStream.range(0, diagonal.length)
                .boxed()
                .filter(j -> diagonal[j] > 0)
                .sorted(Comparator.comparingDouble(j -> -diagonal[j]))
                .limit(MOST_TRIED_COLUMNS)
                .map(j -> {
                    double[] unit = new double[diagonal.length];
                    unit[j] = 1;
                    return unit;
                })
                .toList();
    }

    /**
     * Returns the covariance matrix of the scaled columns. Each tile is centred before its products are taken, because columns of
     * sparse rows may be far from 0.
     */
    static double[] covariance(RowSource sample, Scaler scaler) {
        int n = sample.columns();
        double[] products = new double[n * n];
        double[] mean = new double[n];
        double[] ofTile = new double[n];
        double[] tile = {};
        double[] row = new double[n];
        double count = 0;
        UnaryOperator<RowBlock> scaling = scaler.forBlocks();
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = sample.open()) {
            while (cursor.next(builder, MOST_TILE_ROWS)) {
                RowBlock scaled = scaling.apply(builder.build());
                int rows = scaled.rows();
                tile = tile.length < rows * n ? new double[rows * n] : tile;
                Arrays.fill(ofTile, 0);
                for (int i = 0; i < rows; i++) {
                    scaled.copyRow(i, row);
                    System.arraycopy(row, 0, tile, i * n, n);
                    Vectors.add(1.0 / rows, row, 0, ofTile, 0, n);
                }
                for (int i = 0; i < rows; i++) {
                    Vectors.add(-1, ofTile, 0, tile, i * n, n);
                }
                Blas.get().gram(1, Matrix.of(tile, rows, n), 1, Matrix.of(products, n, n));
                // Merges the sums about two means (Chan, Golub and LeVeque, 1983).
                Vectors.add(-1, mean, 0, ofTile, 0, n);
                double share = rows / (count + rows);
                for (int j = 0; j < n; j++) {
                    Vectors.add(count * share * ofTile[j], ofTile, j, products, j * n + j, n - j);
                }
                Vectors.add(share, ofTile, 0, mean, 0, n);
                count += rows;
            }
        }
        for (int j = 0; j < n; j++) {
            for (int l = j; l < n; l++) {
                products[j * n + l] /= count;
                products[l * n + j] = products[j * n + l];
            }
        }
        return products;
    }

    /** Returns the first directions of largest slope per standard deviation. Their largest entry is positive. */
    private static List<double[]> eigenvectors(double[] average, double[] covariance) {
        int n = (int) Math.sqrt(average.length);
        double[] axes = covariance.clone();
        double[] variances = Blas.get().eigen(n, axes);
        double least = LEAST_VARIANCE * variances[n - 1];
        // Row k of the whitening is axis k divided by its standard deviation; that of the colouring is the product.
        double[] whitening = new double[n * n];
        double[] colouring = new double[n * n];
        for (int k = 0; k < n; k++) {
            if (variances[k] > least) {
                double deviation = Math.sqrt(variances[k]);
                for (int j = 0; j < n; j++) {
                    whitening[k * n + j] = axes[k * n + j] / deviation;
                    colouring[k * n + j] = axes[k * n + j] * deviation;
                }
            }
        }
        double[] half = new double[n * n];
        double[] slopes = new double[n * n];
        Matrix<double[]> colours = Matrix.of(colouring, n, n);
        Blas.get().multiply(1, colours, Matrix.of(average, n, n), 0, Matrix.of(half, n, n));
        Blas.get().multiply(1, Matrix.of(half, n, n), colours.transposed(), 0, Matrix.of(slopes, n, n));
        double[] values = Blas.get().eigen(n, slopes);
        List<double[]> vectors = new ArrayList<>();
        for (int k = n - 1; k >= Math.max(0, n - MOST_EIGENVECTORS) && values[k] > 0; k--) {
            double[] vector = new double[n];
            for (int m = 0; m < n; m++) {
                Vectors.add(slopes[k * n + m], whitening, m * n, vector, 0, n);
            }
            double largest = 0;
            for (double entry : vector) {
                largest = Math.abs(entry) > Math.abs(largest) ? entry : largest;
            }
            for (int j = 0; j < n; j++) {
                double entry = vector[j] * Math.signum(largest);
                vector[j] = Math.abs(entry) > LEAST_WEIGHT * Math.abs(largest) ? entry : 0;
            }
            vectors.add(vector);
        }
        return vectors;
    }
}
