package org.bochner.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.bochner.base.Notes;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Holdout;
import org.bochner.data.Labels;
import org.bochner.data.RowSource;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.map.fourier.FourierMap;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.model.TrainingResult;
import org.bochner.model.Transformer;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.tune.KernelLearning;
import org.bochner.tune.LearnedKernel;

/**
 * A learned length-scale a column against the best single one of twelve, with the same number of features, by the same
 * ridge regression. Of the twelve, from an eighth to 5.7 times the median distance, two are shown: the one with the least
 * error on the test rows, which nobody could choose, and the one that generalised cross-validation chooses.
 */
final class LearnedScales {
    private static final int POINTS = 12;

    private LearnedScales() {}

    /** A data set; where it has no test rows, a fifth is held out. */
    private record Task(String name, String training, String testing) {}

    private static final List<Task> TASKS = List.of(
            new Task("cpu_act", "cpu_act/cpu_act.csv.gz", ""),
            new Task("cal_housing", "cal_housing/cal_housing.csv.gz", ""),
            new Task("protein_tertiary", "protein_tertiary/protein_tertiary.csv.gz", ""),
            new Task("a9a", "a9a/a9a.gz", "a9a/a9a.t.gz"),
            new Task("satimage", "satimage/sat.trn.csv.gz", "satimage/sat.tst.csv.gz"),
            new Task("letter", "letter/letter.csv.gz", ""));

    static void run(Path folder, int features, int seeds) {
        System.out.printf(
                Locale.ROOT,
                "%d features, means and standard errors over %d seeds; rmse, or error in %%%n%-17s %19s %19s %19s %17s %9s"
                        + " %9s%n",
                features,
                seeds,
                "",
                "best of 12 on test",
                "12 by gcv",
                "learned",
                "gain over best",
                "12 fits",
                "learning");
        for (Task task : TASKS) {
            FileSource rows =
                    FileSource.open(DataOptions.of(folder.resolve(task.training).toString()));
            List<double[]> results = new ArrayList<>();
            for (int seed = 1; seed <= seeds; seed++) {
                results.add(measure(folder, task, rows, features, new Seed(seed)));
            }
            double unit = rows.labels() instanceof Labels.Classes ? 100 : 1;
            System.out.printf(
                    Locale.ROOT,
                    "%-17s %s %s %s %s %7.1f s %7.1f s%n",
                    task.name,
                    mean(results, 0, -1, unit),
                    mean(results, 1, -1, unit),
                    mean(results, 2, -1, unit),
                    mean(results, 0, 2, unit),
                    results.stream().mapToDouble(r -> r[3]).average().orElseThrow(),
                    results.stream().mapToDouble(r -> r[4]).average().orElseThrow());
        }
    }

    /** Errors of the best single scale, of the one chosen, of the learned ones; seconds of the search and of learning. */
    private static double[] measure(Path folder, Task task, FileSource rows, int features, Seed seed) {
        RowSource training = rows;
        RowSource testing;
        if (task.testing.isEmpty()) {
            Holdout split = Holdout.split(rows, 0.2, seed);
            training = split.train();
            testing = split.test();
        } else {
            testing = FileSource.open(
                    DataOptions.of(folder.resolve(task.testing).toString()).withColumns(rows.columns()));
        }
        KernelMachine machine =
                KernelMachine.of("gaussian").withFeatures(features).withSeed(seed);
        Transformer prepared = machine.prepare(training, Workers.all(), Progress.NONE, new Notes());
        FourierMap map = (FourierMap) prepared.map();
        double median = ((ShiftInvariantKernel) map.kernel()).sigma().at(0);
        double best = Double.POSITIVE_INFINITY;
        double leastScore = Double.POSITIVE_INFINITY;
        double chosen = Double.NaN;
        double searching = 0;
        for (int i = 0; i < POINTS; i++) {
            Bandwidth sigma = Bandwidth.of(median * Math.pow(2, 0.5 * i - 3));
            long start = System.nanoTime();
            TrainingResult trained = machine.fit(
                    training, new Transformer(prepared.scaler(), map.withSigma(sigma)), Workers.all(), Progress.NONE);
            searching += (System.nanoTime() - start) * 1e-9;
            double error = error(trained, testing);
            best = Math.min(best, error);
            double score = trained.report().chosen().validationError();
            if (score < leastScore) {
                leastScore = score;
                chosen = error;
            }
        }
        LearnedKernel learned = KernelLearning.of(machine).learn(training);
        return new double[] {best, chosen, error(learned.trained(), testing), searching, learned.seconds()};
    }

    private static double error(TrainingResult trained, RowSource testing) {
        Evaluation evaluation = Evaluation.of(trained.model(), testing);
        return testing.labels() instanceof Labels.Classes ? evaluation.error() : evaluation.rmse();
    }

    /** The mean of a column, less that of another if one is given, with its standard error. */
    static String mean(List<double[]> results, int column, int less, double unit) {
        double[] values = results.stream()
                .mapToDouble(result -> unit * (result[column] - (less < 0 ? 0 : result[less])))
                .toArray();
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        double mean = sum / values.length;
        double squares = 0;
        for (double value : values) {
            squares += (value - mean) * (value - mean);
        }
        double error = values.length < 2 ? Double.NaN : Math.sqrt(squares / (values.length - 1) / values.length);
        return String.format(Locale.ROOT, "%9.4g +- %-6.2g", mean, error);
    }
}
