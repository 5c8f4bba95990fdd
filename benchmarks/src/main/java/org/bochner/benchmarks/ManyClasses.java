package org.bochner.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.bochner.data.MemorySource;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.TrainingResult;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/**
 * What a thousand classes cost: ridge regression of 10 and of 1,000 on generated rows, from the same number of rows and
 * features, in turns. All classes share the products of the features and the factorisation, so that each adds but D² to the
 * solution and D for each of its rows.
 *
 * <p>Processor time is printed beside wall time because it hardly depends on what else the machine does.
 */
public final class ManyClasses {
    private static final int COLUMNS = 32;
    private static final int FEATURES = 2000;
    private static final int FEW = 10;
    private static final int MANY = 1000;
    private static final int ROUNDS = 5;

    private ManyClasses() {}

    /** Seconds of one fit. */
    private record Times(double wall, double processor) {}

    /** Argument: the number of rows. */
    public static void main(String[] arguments) {
        int rows = Integer.parseInt(arguments[0]);
        MemorySource few = rows(rows, FEW);
        MemorySource many = rows(rows, MANY);
        System.out.printf(
                Locale.ROOT,
                "Linear algebra: %s; Java %s; %,d rows, %d columns, %d features; medians of %d rounds in turns%n",
                Blas.get().name(),
                System.getProperty("java.specification.version"),
                rows,
                COLUMNS,
                FEATURES,
                ROUNDS);
        System.out.printf(
                Locale.ROOT,
                "%-22s %12s %12s %9s %16s%n",
                "learner",
                FEW + " classes",
                MANY + " classes",
                "ratio",
                "processor ratio");
        compare("ridge(lambda=1)", few, many);
        compare("ridge(lambda=auto)", few, many);
        answers(many);
    }

    private static void compare(String learner, MemorySource few, MemorySource many) {
        KernelMachine machine = machine(learner);
        time(machine, few);
        time(machine, many);
        List<Times> fewTimes = new ArrayList<>();
        List<Times> manyTimes = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            fewTimes.add(time(machine, few));
            manyTimes.add(time(machine, many));
        }
        System.out.printf(
                Locale.ROOT,
                "%-22s %10.2f s %10.2f s %9.2f %16.2f%n",
                learner,
                median(fewTimes.stream().map(Times::wall).toList()),
                median(manyTimes.stream().map(Times::wall).toList()),
                median(IntStream.range(0, ROUNDS)
                        .mapToObj(i -> manyTimes.get(i).wall() / fewTimes.get(i).wall())
                        .toList()),
                median(IntStream.range(0, ROUNDS)
                        .mapToObj(i ->
                                manyTimes.get(i).processor() / fewTimes.get(i).processor())
                        .toList()));
    }

    /** That something was learned: errors on rows drawn anew, with the first five answers. */
    private static void answers(MemorySource many) {
        KernelModel model = machine("ridge(lambda=auto)").fit(many).model();
        Evaluation evaluation = Evaluation.of(model, generate(5000, MANY, 2), Workers.all(), Progress.NONE, 5);
        System.out.printf(
                Locale.ROOT,
                "%d classes: error %.1f%%, of the first 5 answers %.1f%%%n",
                MANY,
                100 * evaluation.error(),
                100 * evaluation.topError());
    }

    private static KernelMachine machine(String learner) {
        return KernelMachine.of("gaussian(sigma=2)").withFeatures(FEATURES).withLearner(learner);
    }

    private static MemorySource rows(int rows, int classes) {
        return generate(rows, classes, 1);
    }

    /** Rows spread round the centres of their classes, which are the same for every seed. */
    private static MemorySource generate(int rows, int classes, long seed) {
        RandomStream places = new Seed(0).stream();
        float[] centres = new float[classes * COLUMNS];
        for (int i = 0; i < centres.length; i++) {
            centres[i] = (float) places.nextUniform();
        }
        RandomStream stream = new Seed(seed).stream();
        float[] values = new float[rows * COLUMNS];
        int[] labels = new int[rows];
        for (int i = 0; i < rows; i++) {
            labels[i] = stream.nextInt(classes);
            for (int j = 0; j < COLUMNS; j++) {
                values[i * COLUMNS + j] = centres[labels[i] * COLUMNS + j] + (float) (0.8 * stream.nextUniform());
            }
        }
        List<String> names =
                IntStream.range(0, classes).mapToObj(Integer::toString).toList();
        return MemorySource.of(COLUMNS, values).withClasses(names, labels);
    }

    private static Times time(KernelMachine machine, MemorySource rows) {
        double processor = processorSeconds();
        long start = System.nanoTime();
        TrainingResult trained = machine.fit(rows);
        double wall = (System.nanoTime() - start) * 1e-9;
        if (trained.report().rows() != rows.rows()) {
            throw new IllegalStateException("rows are missing");
        }
        return new Times(wall, processorSeconds() - processor);
    }

    private static double processorSeconds() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime() * 1e-9;
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }
}
