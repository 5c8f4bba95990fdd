package org.bochner.benchmarks;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Holdout;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.map.FeatureMap;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.random.Seed;

/**
 * Kernel errors and test errors of learned landmarks and of the centres of k-means, at equal numbers of landmarks. The
 * kernel error is the Frobenius norm of the difference between the kernel matrix and its approximation, divided by that
 * of the kernel matrix.
 */
public final class LearnedLandmarkErrors {
    private static final List<String> CHOICES = List.of("k-means", "learned");
    private static final int[] COUNTS = {50, 100, 200};

    /** Rows whose kernel matrix is compared. */
    private static final int COMPARED = 1000;

    /** The features of the map with which the bandwidth is chosen. */
    private static final int FEATURES = 500;

    private LearnedLandmarkErrors() {}

    /** Arguments: the folder of the data sets, and the number of seeds. */
    public static void main(String[] arguments) {
        Path folder = Path.of(arguments[0]);
        int seeds = Integer.parseInt(arguments[1]);
        System.out.printf(
                Locale.ROOT,
                "means of %d seeds: relative kernel error of %d training rows, of %d test rows; test error in percent;"
                        + " seconds of a fit%n",
                seeds,
                COMPARED,
                COMPARED);
        FileSource digits = FileSource.open(
                DataOptions.of(folder.resolve("optdigits/optdigits.tra.csv.gz").toString()));
        RowSource testDigits = FileSource.open(
                DataOptions.of(folder.resolve("optdigits/optdigits.tes.csv.gz").toString()), digits.encoding());
        measure("optdigits", "gaussian", MemorySource.load(digits), MemorySource.load(testDigits), seeds);
        Path scenes = folder.resolve("scene15");
        Holdout split = Holdout.split(
                FileSource.open(DataOptions.channelled()
                        .withChannel("a", scenes.resolve("view1_20.csv.gz").toString())
                        .withChannel("b", scenes.resolve("view2_59.csv.gz").toString())
                        .withChannel("c", scenes.resolve("view3_40.csv.gz").toString())
                        .withLabel("none")
                        .withLabelsFile(scenes.resolve("labels.csv.gz").toString())),
                0.3,
                new Seed(1));
        MemorySource training = MemorySource.load(split.train());
        MemorySource tests = MemorySource.load(split.test());
        for (String kernel : List.of("gaussian", "exp-chi2", "chi2")) {
            measure("scene15", kernel, training, tests, seeds);
        }
    }

    private static void measure(String name, String recipe, MemorySource training, MemorySource tests, int seeds) {
        KernelMachine machine = KernelMachine.of(recipe).withScaling("none");
        boolean additive = recipe.equals("chi2");
        Kernel kernel = (additive ? machine : machine.withFeatures(FEATURES))
                .fit(training)
                .model()
                .map()
                .kernel();
        double[][] fitted = rows(training);
        double[][] heldOut = rows(tests);
        double[] exactFitted = exact(kernel, fitted);
        double[] exactHeldOut = exact(kernel, heldOut);
        System.out.printf(Locale.ROOT, "%s, %d rows, %s%n", name, training.rows(), kernel);
        for (int count : COUNTS) {
            for (String choice : CHOICES) {
                double[] sums = new double[4];
                for (int s = 0; s < seeds; s++) {
                    long start = System.nanoTime();
                    KernelModel model = KernelMachine.of(Kernels.parse(kernel.toString()))
                            .withScaling("none")
                            .withMap("landmarks(features=" + count + ", by=" + choice + ", whitened)")
                            .withLearner("ridge")
                            .withSeed(new Seed(s + 1))
                            .fit(training)
                            .model();
                    sums[3] += 1e-9 * (System.nanoTime() - start);
                    sums[0] += error(model.map(), fitted, exactFitted);
                    sums[1] += error(model.map(), heldOut, exactHeldOut);
                    sums[2] += 100 * Evaluation.of(model, tests).error();
                }
                System.out.printf(
                        Locale.ROOT,
                        "    %4d %-8s %8.5f %8.5f %6.2f%% %6.2f s%n",
                        count,
                        choice,
                        sums[0] / seeds,
                        sums[1] / seeds,
                        sums[2] / seeds,
                        sums[3] / seeds);
            }
        }
    }

    private static double[][] rows(MemorySource source) {
        RowSample sample = RowSample.of(source, new Seed(1));
        double[][] rows = new double[Math.min(COMPARED, sample.rows())][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = sample.row(i);
        }
        return rows;
    }

    private static double[] exact(Kernel kernel, double[][] rows) {
        double[] values = new double[rows.length * rows.length];
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j <= i; j++) {
                values[i * rows.length + j] = kernel.value(rows[i], rows[j]);
                values[j * rows.length + i] = values[i * rows.length + j];
            }
        }
        return values;
    }

    private static double error(FeatureMap map, double[][] rows, double[] exact) {
        double[][] features = new double[rows.length][map.outputDimension()];
        for (int i = 0; i < rows.length; i++) {
            map.apply(rows[i], features[i]);
        }
        double squares = 0;
        double total = 0;
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < rows.length; j++) {
                double value = exact[i * rows.length + j];
                double product = 0;
                for (int f = 0; f < features[i].length; f++) {
                    product += features[i][f] * features[j][f];
                }
                squares += (value - product) * (value - product);
                total += value * value;
            }
        }
        return Math.sqrt(squares / total);
    }
}
