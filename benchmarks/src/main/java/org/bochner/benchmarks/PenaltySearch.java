package org.bochner.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import org.bochner.base.Notes;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.sample.Folds;
import org.bochner.learn.linear.LinearFit;
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
 * search without the final solution, and the final solution. Times are CPU times of all threads, because other programs
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
                .setParts(5, Folds.of(5, new Seed(1))::fold)
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
    }

    /** Returns the CPU time of the process. */
    private static double seconds() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                        .getProcessCpuTime()
                * 1e-9;
    }
}
