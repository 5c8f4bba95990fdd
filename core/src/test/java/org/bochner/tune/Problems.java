package org.bochner.tune;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.bochner.base.Notes;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapParameters;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.numeric.optimise.SmoothFunction;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.bochner.tune.folds.FoldedRows;
import org.bochner.tune.scales.Parametrization;

/** Small random problems, and finite differences. */
final class Problems {
    /** What is different from column to column: the targets depend on the first two of them alone. */
    static final int COLUMNS = 4;

    private Problems() {}

    /** Values in [0, 1), which every kernel takes. */
    private static float[] values(int rows, RandomStream stream) {
        float[] values = new float[rows * COLUMNS];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) stream.nextUniform();
        }
        return values;
    }

    private static double function(float[] values, int row) {
        double x = values[row * COLUMNS];
        double y = values[row * COLUMNS + 1];
        return Math.sin(7 * x) + 2 * y * y;
    }

    /** Rows with a number each, a function of the first two columns with noise; weights from 1/2 to 3/2. */
    static RowSource numbers(int rows, long seed) {
        RandomStream stream = new Seed(seed).stream();
        float[] values = values(rows, stream);
        double[] targets = new double[rows];
        double[] weights = new double[rows];
        for (int i = 0; i < rows; i++) {
            targets[i] = 3 + 2 * function(values, i) + 0.5 * (stream.nextUniform() - 0.5);
            weights[i] = 0.5 + stream.nextUniform();
        }
        return MemorySource.of(COLUMNS, values).withTargets(targets).withRowWeights(weights);
    }

    /** Rows with a class each, by the same function, of which a tenth is drawn anew. */
    static RowSource classes(int rows, int classes, long seed) {
        RandomStream stream = new Seed(seed).stream();
        float[] values = values(rows, stream);
        int[] labels = new int[rows];
        for (int i = 0; i < rows; i++) {
            double level = Math.max(0, Math.min(0.999, (function(values, i) + 1) / 4));
            labels[i] = stream.nextUniform() < 0.1 ? stream.nextInt(classes) : (int) (classes * level);
        }
        List<String> names =
                IntStream.range(0, classes).mapToObj(c -> "class " + c).toList();
        return MemorySource.of(COLUMNS, values).withClasses(names, labels);
    }

    static KernelMachine machine(String kernel, int features, String learner) {
        return KernelMachine.of(kernel)
                .withMap(FeatureMaps.parse("fourier"))
                .withFeatures(features)
                .withScaling(Scalings.parse("none"))
                .withPrecision(Precision.FLOAT64)
                .withLearner(learner);
    }

    static Transformer prepare(KernelMachine machine, RowSource source) {
        return machine.prepare(source, new Workers(1), Progress.NONE, new Notes());
    }

    /** All rows in one part, or those of an odd index set aside in a second one. */
    static FoldedRows rows(RowSource source, Transformer transformer, int parts) {
        return FoldedRows.read(
                source,
                transformer.scaler(),
                transformer.map().kernel(),
                (row, group) -> (int) (row % parts),
                parts,
                Long.MAX_VALUE,
                new Workers(1));
    }

    /** One coordinate for all scales, one for the first two columns and one for the others, or one each. */
    static Parametrization moves(FeatureMap map, Sharing sharing) {
        MapParameters parameters = map.parameters(sharing.kind());
        int[] coordinates = new int[parameters.count()];
        Arrays.setAll(coordinates, p -> switch (sharing) {
            case ONE -> 0;
            case RANGE -> p < parameters.count() / 2 ? 0 : 1;
            case COLUMN, FREQUENCY -> p;
        });
        Parametrization.Form form =
                sharing == Sharing.FREQUENCY ? Parametrization.Form.VALUE : Parametrization.Form.LOGARITHM;
        if (parameters.count() == 1) {
            coordinates[0] = 0;
        }
        return Parametrization.of(form, parameters, coordinates);
    }

    /**
     * The largest difference between a gradient and central differences, relative to the largest entry of the gradient. With
     * steps of 10⁻⁴ and four values each, the error of the differences is of the order step⁴.
     */
    static double gradientError(SmoothFunction function, double[] point, int coordinates) {
        double[] gradient = new double[point.length];
        function.at(point, gradient);
        double step = 1e-4;
        double worst = 0;
        double largest = 0;
        double[] unused = new double[point.length];
        for (int c = 0; c < coordinates; c++) {
            double[] at = new double[4];
            double[] steps = {-2, -1, 1, 2};
            for (int k = 0; k < 4; k++) {
                double[] moved = point.clone();
                moved[c] += steps[k] * step;
                at[k] = function.at(moved, unused);
            }
            double slope = (8 * (at[2] - at[1]) - (at[3] - at[0])) / (12 * step);
            worst = Math.max(worst, Math.abs(slope - gradient[c]));
            largest = Math.max(largest, Math.abs(gradient[c]));
        }
        return worst / largest;
    }
}
