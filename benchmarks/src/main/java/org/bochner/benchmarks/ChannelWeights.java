package org.bochner.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.bochner.data.ColumnRange;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Holdout;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.random.law.Laws;
import org.bochner.scale.Scalings;
import org.bochner.tune.Criterion;
import org.bochner.tune.KernelLearning;
import org.bochner.tune.LearnedSum;
import org.bochner.tune.MultipleKernels;
import org.bochner.tune.Sharing;

/**
 * Weights of channels, on objects that are described in several ways: block-l1 against each channel alone (with as many
 * features as all of them have together), against the average of the kernels, with scales that are learned too, and beside
 * six channels of noise. After the names of Fourier Kernel Learning (2012): block-l1 is RFF-SQL-MKL, the average
 * RFF-SQL-SQR-MKL, one kernel of all columns RFF-SQL-SKL. Its joint models learn scales and weights in one objective.
 */
final class ChannelWeights {
    private static final int NOISE_CHANNELS = 6;
    private static final int NOISE_COLUMNS = 20;
    private static final double TESTED = 0.3;

    private ChannelWeights() {}

    private record Task(String name, List<String> channels) {}

    private static final List<Task> TASKS = List.of(
            new Task("mfeat", List.of("mfeat-fac", "mfeat-fou", "mfeat-kar", "mfeat-mor", "mfeat-pix", "mfeat-zer")),
            new Task("msrc_v1", List.of("cm24", "hog576", "gist512", "lbp256", "centrist254")),
            new Task("scene15", List.of("view1_20", "view2_59", "view3_40")),
            new Task("landuse21", List.of("view1_20", "view2_59", "view3_40")));

    private static final List<String> METHODS = List.of(
            "best single (test)",
            "one kernel of all (SKL)",
            "one kernel, learned scale",
            "one kernel, SKL-JOINT",
            "average (SQR-MKL)",
            "block-l1 (MKL)",
            "block-l1, plain",
            "l2-norm of weights",
            "average, learned scales",
            "block-l1, learned scales",
            "average, joint",
            "block-l1, MKL-JOINT",
            "block-l1, joint, plain",
            "block-l1, joint, no prior",
            "block-l1, with noise");

    /** The method that the others are compared with. */
    private static final int COMPARED = METHODS.indexOf("block-l1 (MKL)");

    /**
     * Measures.
     *
     * @param only the name of the one task to run; empty for all
     */
    static void run(Path folder, int features, int seeds, String only) {
        System.out.printf(
                Locale.ROOT,
                "gaussian kernels, %d features a channel, %.0f%% of the rows tested on; error in %%, means and standard errors"
                        + " over %d seeds%n",
                features,
                100 * TESTED,
                seeds);
        for (Task task : TASKS) {
            if (!only.isEmpty() && !only.equals(task.name)) {
                continue;
            }
            MemorySource rows = read(folder.resolve(task.name), task.channels);
            List<ColumnRange> channels = ranges(folder.resolve(task.name), task.channels);
            List<double[]> errors = new ArrayList<>();
            int[] noise = new int[1];
            for (int seed = 1; seed <= seeds; seed++) {
                errors.add(measure(rows, channels, features, new Seed(seed), noise));
            }
            System.out.printf(
                    Locale.ROOT,
                    "%s: %d rows, %d channels; noise channels with a weight, of %d: %d%n",
                    task.name,
                    rows.rows(),
                    channels.size(),
                    seeds * NOISE_CHANNELS,
                    noise[0]);
            for (int m = 0; m < METHODS.size(); m++) {
                System.out.printf(
                        Locale.ROOT,
                        "    %-26s %s   block-l1 is better by %s%n",
                        METHODS.get(m),
                        LearnedScales.mean(errors, m, -1, 100),
                        LearnedScales.mean(errors, m, COMPARED, 100));
            }
        }
    }

    private static double[] measure(
            MemorySource rows, List<ColumnRange> channels, int features, Seed seed, int[] noise) {
        Holdout split = Holdout.split(rows, TESTED, seed);
        RowSource training = split.train();
        RowSource testing = split.test();
        int all = features * channels.size();
        double single = Double.POSITIVE_INFINITY;
        for (ColumnRange channel : channels) {
            String kernel = "gaussian[" + channel.from() + ":" + channel.to() + "]";
            single = Math.min(
                    single, error(machine(kernel, all, seed).fit(training).model(), testing));
        }
        MultipleKernels sum = MultipleKernels.of(channels, "gaussian")
                .withFeatures(features)
                .withScaling(Scalings.parse("standard"))
                .withSeed(seed);
        double[] errors = {
            single,
            error(machine("gaussian", all, seed).fit(training).model(), testing),
            error(
                    KernelLearning.of(machine("gaussian", all, seed))
                            .withSharing(Sharing.ONE)
                            .withCriterion(Criterion.usual())
                            .learn(training)
                            .trained()
                            .model(),
                    testing),
            error(
                    MultipleKernels.of(List.of(new ColumnRange("all", 0, rows.columns())), "gaussian")
                            .withNorm("average")
                            .withJointScales(true)
                            .withFeatures(all)
                            .withScaling(Scalings.parse("standard"))
                            .withSeed(seed)
                            .fit(training)
                            .model(),
                    testing),
            error(sum.withNorm("average").fit(training).model(), testing),
            error(sum.fit(training).model(), testing),
            error(sum.withPlainSolution(true).fit(training).model(), testing),
            error(sum.withNorm(2).fit(training).model(), testing),
            error(sum.withNorm("average").withLearnedScales(true).fit(training).model(), testing),
            error(sum.withLearnedScales(true).fit(training).model(), testing),
            error(sum.withNorm("average").withJointScales(true).fit(training).model(), testing),
            error(sum.withJointScales(true).fit(training).model(), testing),
            error(
                    sum.withJointScales(true)
                            .withPlainSolution(true)
                            .fit(training)
                            .model(),
                    testing),
            error(sum.withJointScales(true).withScalePenalty(0, 0).fit(training).model(), testing),
            noisy(rows, channels, features, seed, noise)
        };
        return errors;
    }

    private static KernelMachine machine(String kernel, int features, Seed seed) {
        return KernelMachine.of(kernel)
                .withFeatures(features)
                .withScaling(Scalings.parse("standard"))
                .withSeed(seed);
    }

    /** The error beside channels of noise; counts those that get a weight. */
    private static double noisy(MemorySource rows, List<ColumnRange> channels, int features, Seed seed, int[] noise) {
        int columns = rows.columns();
        int width = columns + NOISE_CHANNELS * NOISE_COLUMNS;
        RandomStream stream = seed.derive("noise").stream();
        float[] values = new float[(int) rows.rows() * width];
        int[] labels = new int[(int) rows.rows()];
        double[] row = new double[columns];
        EachRow.of(rows, (block, i, at) -> {
            block.copyRow(i, row);
            for (int l = 0; l < width; l++) {
                values[at * width + l] = (float) (l < columns ? row[l] : Laws.gaussianQuantile(stream.nextUniform()));
            }
            labels[at] = (int) block.target(i, 0);
        });
        List<ColumnRange> more = new ArrayList<>(channels);
        for (int n = 0; n < NOISE_CHANNELS; n++) {
            int from = columns + n * NOISE_COLUMNS;
            more.add(new ColumnRange("noise" + n, from, from + NOISE_COLUMNS));
        }
        MemorySource wider =
                MemorySource.of(width, values).withClasses(((Labels.Classes) rows.labels()).names(), labels);
        Holdout split = Holdout.split(wider, TESTED, seed);
        LearnedSum learned = MultipleKernels.of(more, "gaussian")
                .withFeatures(features)
                .withScaling(Scalings.parse("standard"))
                .withSeed(seed)
                .fit(split.train());
        for (LearnedSum.Channel channel : learned.channels()) {
            noise[0] += channel.columns().name().startsWith("noise") && channel.kernelWeight() > 0 ? 1 : 0;
        }
        return error(learned.model(), split.test());
    }

    private static MemorySource read(Path folder, List<String> channels) {
        return MemorySource.load(open(folder, channels));
    }

    private static List<ColumnRange> ranges(Path folder, List<String> channels) {
        return open(folder, channels).channels();
    }

    private static FileSource open(Path folder, List<String> channels) {
        DataOptions options = DataOptions.channelled();
        for (String channel : channels) {
            options = options.withChannel(
                    channel, folder.resolve(channel + ".csv.gz").toString());
        }
        return FileSource.open(
                options.withLabelsFile(folder.resolve("labels.csv.gz").toString()));
    }

    private static double error(KernelModel model, RowSource testing) {
        return Evaluation.of(model, testing).error();
    }
}
