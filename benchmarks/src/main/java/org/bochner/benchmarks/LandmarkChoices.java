package org.bochner.benchmarks;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Holdout;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernels;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.random.Seed;

/** Test errors of all ways to choose landmarks, at equal numbers of landmarks, as means over seeds. */
public final class LandmarkChoices {
    private static final List<String> CHOICES =
            List.of("uniform", "k-means", "k-medoids", "projected", "leverage", "pivots", "random-pivots");
    private static final double TESTED = 0.2;

    /** The features of the Fourier map with which the bandwidth is chosen. */
    private static final int FEATURES = 500;

    /**
     * A set of data.
     *
     * @param test the file of test rows, or empty to hold out a share of the rows
     */
    private record Task(String name, String file, String test, String kernel, String scaling) {}

    private static final List<Task> TASKS = List.of(
            new Task("a9a", "a9a/a9a.gz", "a9a/a9a.t.gz", "gaussian(sigma=3.1623)", "none"),
            new Task("cpu_act", "cpu_act/cpu_act.csv.gz", "", "gaussian", "standard"),
            new Task("cal_housing", "cal_housing/cal_housing.csv.gz", "", "gaussian", "standard"),
            new Task("letter", "letter/letter.csv.gz", "", "gaussian", "standard"),
            new Task(
                    "optdigits",
                    "optdigits/optdigits.tra.csv.gz",
                    "optdigits/optdigits.tes.csv.gz",
                    "gaussian",
                    "none"),
            new Task("covtype.first20k", "covtype/covtype.first20k.csv.gz", "", "gaussian", "standard"));

    private LandmarkChoices() {}

    /** Arguments: the folder of the data sets, the number of landmarks, and the number of seeds. */
    public static void main(String[] arguments) {
        Path folder = Path.of(arguments[0]);
        int count = Integer.parseInt(arguments[1]);
        int seeds = Integer.parseInt(arguments[2]);
        System.out.printf(
                Locale.ROOT,
                "%d landmarks, ridge with the penalty chosen by cross-validation, means of %d seeds (standard errors)%n",
                count,
                seeds);
        int[] wins = new int[CHOICES.size()];
        for (Task task : TASKS) {
            measure(task, folder, count, seeds, wins);
        }
        for (int c = 1; c < wins.length; c++) {
            System.out.printf(
                    Locale.ROOT, "%s beats uniform on %d of %d sets%n", CHOICES.get(c), wins[c], TASKS.size());
        }
    }

    private static void measure(Task task, Path folder, int count, int seeds, int[] wins) {
        FileSource file =
                FileSource.open(DataOptions.of(folder.resolve(task.file).toString()));
        Holdout split = Holdout.split(file, TESTED, new Seed(1));
        MemorySource training = MemorySource.load(task.test.isEmpty() ? split.train() : file);
        KernelMachine machine = KernelMachine.of(task.kernel).withScaling(task.scaling);
        KernelModel first = machine.withFeatures(FEATURES).fit(training).model();
        RowSource testing = task.test.isEmpty()
                ? split.test()
                : FileSource.open(DataOptions.of(folder.resolve(task.test).toString()), file.encoding());
        MemorySource tests = MemorySource.load(testing);
        String kernel = first.map().kernel().toString();
        System.out.printf(Locale.ROOT, "%s, %d rows, %s%n", task.name, training.rows(), kernel);
        double uniform = 0;
        for (int c = 0; c < CHOICES.size(); c++) {
            KernelMachine landmarks = KernelMachine.of(Kernels.parse(kernel))
                    .withScaling(task.scaling)
                    .withMap("landmarks(features=" + count + ", by=" + CHOICES.get(c) + ")")
                    .withLearner("ridge");
            double[] errors = new double[seeds];
            for (int s = 0; s < seeds; s++) {
                KernelModel model =
                        landmarks.withSeed(new Seed(s + 1)).fit(training).model();
                Evaluation evaluation = Evaluation.of(model, tests);
                errors[s] = model.labels() instanceof Labels.Classes ? 100 * evaluation.error() : evaluation.rmse();
            }
            double mean = Arrays.stream(errors).average().orElseThrow();
            double variance =
                    Arrays.stream(errors).map(e -> (e - mean) * (e - mean)).sum() / (seeds - 1);
            System.out.printf(
                    Locale.ROOT, "    %-14s %10.5g (%.2g)%n", CHOICES.get(c), mean, Math.sqrt(variance / seeds));
            uniform = c == 0 ? mean : uniform;
            wins[c] += mean < uniform ? 1 : 0;
        }
    }
}
