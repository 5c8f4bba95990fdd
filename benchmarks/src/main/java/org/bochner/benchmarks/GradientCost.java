package org.bochner.benchmarks;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.bochner.base.Notes;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.MemorySource;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.numeric.Workers;
import org.bochner.tune.Criterion;
import org.bochner.tune.KernelLearning;
import org.bochner.tune.LearnedKernel;
import org.bochner.tune.Sharing;

/**
 * What the derivatives by all scales cost: one evaluation of a criterion with them, in ridge fits of the same rows and
 * features with a penalty that is given. Scales move together here, so that a run is short; derivatives are those by the
 * scale of every column all the same. In turns; the least of some rounds, because a busy machine only
 * adds.
 */
final class GradientCost {
    private static final int ROUNDS = 2;
    private static final int ITERATIONS = 1;

    private GradientCost() {}

    static void run(Path folder) {
        List<String> criteria = List.of("train", "validation", "cv(folds=5)", "gcv", "loo");
        System.out.printf(Locale.ROOT, "%-18s %9s %10s", "rows", "features", "ridge fit");
        criteria.forEach(criterion -> System.out.printf(Locale.ROOT, " %12s", criterion));
        System.out.println();
        for (String file : List.of("protein_tertiary/protein_tertiary.csv.gz", "a9a/a9a.gz")) {
            MemorySource rows = MemorySource.load(
                    FileSource.open(DataOptions.of(folder.resolve(file).toString())));
            for (int features : new int[] {1000, 2000}) {
                measure(rows, file.substring(0, file.indexOf('/')), features, criteria);
            }
        }
    }

    private static void measure(MemorySource rows, String name, int features, List<String> criteria) {
        KernelMachine machine =
                KernelMachine.of("gaussian").withFeatures(features).withLearner("ridge(lambda=1)");
        Transformer prepared = machine.prepare(rows, Workers.all(), Progress.NONE, new Notes());
        double fit = Double.POSITIVE_INFINITY;
        double[] evaluations = new double[criteria.size()];
        Arrays.fill(evaluations, Double.POSITIVE_INFINITY);
        for (int round = 0; round < ROUNDS; round++) {
            fit = Math.min(
                    fit,
                    machine.fit(rows, prepared, Workers.all(), Progress.NONE)
                            .report()
                            .fitSeconds());
            for (int c = 0; c < evaluations.length; c++) {
                evaluations[c] = Math.min(evaluations[c], evaluation(machine, rows, criteria.get(c)));
            }
        }
        System.out.printf(Locale.ROOT, "%-18s %9d %8.2f s", name, features, fit);
        for (double seconds : evaluations) {
            System.out.printf(Locale.ROOT, " %11.2fx", seconds / fit);
        }
        System.out.println();
    }

    /** Seconds of one evaluation with the derivatives by all scales. */
    private static double evaluation(KernelMachine machine, MemorySource rows, String criterion) {
        LearnedKernel learned = KernelLearning.of(machine)
                .withCriterion(Criterion.parse(criterion))
                .withSharing(Sharing.ONE)
                .withSampling(false)
                .withIterations(ITERATIONS)
                .withTolerance(0)
                .learn(rows);
        return learned.evaluationSeconds();
    }
}
