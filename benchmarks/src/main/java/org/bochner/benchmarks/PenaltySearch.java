package org.bochner.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import org.bochner.base.Notes;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.sample.Folds;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.ridge.GridWalk;
import org.bochner.learn.ridge.Ridge;
import org.bochner.map.layout.Penalty;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.model.train.GramPass;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FoldedStatistics;
import org.bochner.stats.GramAccumulator;

/**
 * The cost of choosing the ridge penalty, against the Gram pass over the rows, in one run: the pass with five folds, the
 * search without the final solution, and the final solution; then the penalty of a search with all folds and all
 * features, for comparison. Times are CPU times of all threads, because other programs
 * disturb them less than elapsed times.
 *
 * <p>Arguments: a file with the label last, the number of features, and the kernel.
 */
public final class PenaltySearch {
    private PenaltySearch() {}

    public static void main(String[] arguments) {
        FileSource source = FileSource.open(DataOptions.of(arguments[0]).withLabel("last"));
        int features = Integer.parseInt(arguments[1]);
        Workers workers = Workers.all();
        KernelMachine machine = KernelMachine.of(arguments[2]).withFeatures(features);
        Transformer transformer = machine.prepare(source, workers, Progress.NONE, new Notes());

        double start = seconds();
        List<GramAccumulator> parts = new GramPass(source, transformer, workers)
                .setFolds(Folds.of(5, new Seed(1)), 5)
                .accumulateParts(ClassWeights.none(), Precision.FLOAT32, Progress.NONE);
        double pass = seconds() - start;
        FoldedStatistics folds = FoldedStatistics.of(parts, 5, source.labels(), Penalty.PLAIN);
        start = seconds();
        LinearFit fit = Ridge.crossValidated(folds, Precision.FLOAT32, workers);
        double both = seconds() - start;
        start = seconds();
        Ridge.of(fit.chosen().lambda()).fit(folds.total(), Precision.FLOAT32, workers);
        double solution = seconds() - start;
        double search = both - solution;
        System.out.printf(
                Locale.ROOT,
                "%d rows, %d features: pass %.1f s, search %.1f s, solution %.1f s; search/pass %.2f; lambda"
                        + " %.4g, %s%n",
                folds.total().rows(),
                features,
                pass,
                search,
                solution,
                search / pass,
                fit.chosen().lambda(),
                fit.reason());
        compare(folds, fit.chosen().lambda(), workers);
    }

    /** Compares the chosen penalty with the best of all folds and features, which takes minutes. */
    private static void compare(FoldedStatistics folds, double lambda, Workers workers) {
        Map<Integer, PathPoint> points = new HashMap<>();
        IntFunction<PathPoint> at = step -> points.computeIfAbsent(
                step, key -> Ridge.validate(folds, lambda * StrictMath.pow(10, key / 2.0), workers));
        int best = new GridWalk(-8, 8, step -> at.apply(step).validationError()).best(0, 1);
        System.out.printf(
                Locale.ROOT,
                "5-fold cross-validation with all features: lambda %.4g; the error at the chosen penalty is %.2f%%"
                        + " larger%n",
                at.apply(best).lambda(),
                100 * (at.apply(0).validationError() / at.apply(best).validationError() - 1));
    }

    /** Returns the CPU time of the process. */
    private static double seconds() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                        .getProcessCpuTime()
                * 1e-9;
    }
}
