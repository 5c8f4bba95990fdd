package org.bochner.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.bochner.base.AtomicFile;
import org.bochner.base.BochnerException;
import org.bochner.base.Json;
import org.bochner.base.Spelling;
import org.bochner.data.DataFiles;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Holdout;
import org.bochner.data.Labels;
import org.bochner.data.RowSource;
import org.bochner.data.Task;
import org.bochner.kernel.Kernels;
import org.bochner.learn.Ridge;
import org.bochner.learn.RidgePoint;
import org.bochner.map.FeatureMaps;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.bochner.model.Provenance;
import org.bochner.model.Trained;
import org.bochner.model.TrainingReport;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Trains a kernel machine and saves it. */
@Command(
        name = "train",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Train a kernel machine from a data file.",
        description = {
            "",
            "Reads DATA as a stream, maps each row to explicit features of the kernel, and fits a ridge regression to"
                    + " them. Memory depends on the number of features, never on the number of rows.",
            ""
        },
        footerHeading = "%nKernels%n",
        footer = {
            "  gaussian(sigma=S)  laplacian(sigma=S)  cauchy(sigma=S)  matern(nu=1.5, sigma=S)",
            "  rational-quadratic(alpha=A, sigma=S); sums k1 + 0.5*k2; channels k[0:64] of some columns;",
            "  k@log(c=1) of log(x + c). Without sigma it is the median distance of sampled rows.",
            "  One sigma a block of columns: gaussian(sigma=[0:64=2, 64:364=3]).",
            "",
            "Examples",
            "  bochner train digits.csv --holdout 0.2 --model digits.bochner",
            "  bochner train a9a --test a9a.t --columns 123 --kernel 'gaussian(sigma=3.16)' --features 2000",
            "  bochner train images.idx --labels labels.idx --scale 'divide(by=255)' --kernel 'gaussian(sigma=5)'",
            "  bochner train --channel shape=a.csv --channel colour=b.csv --labels y.csv"
                    + " --kernel 'gaussian[0:76] + gaussian[76:140]'"
        })
final class TrainCommand implements Callable<Integer> {
    @Parameters(
            arity = "0..1",
            paramLabel = "DATA",
            description = "LIBSVM, CSV, NPY or IDX file, gzipped or not; - is stdin.")
    private @Nullable String data;

    @Option(names = "--test", paramLabel = "DATA", description = "Evaluate on this file after training.")
    private @Nullable String test;

    @Option(
            names = "--holdout",
            paramLabel = "SHARE",
            description = "Hold this share of DATA out, by seed, and evaluate on it.")
    private @Nullable Double holdout;

    @Option(names = "--kernel", paramLabel = "K", description = "The kernel; gaussian by default.")
    private String kernel = "gaussian";

    @Option(
            names = "--map",
            paramLabel = "M",
            description = "The feature map: fourier (default), orthogonal, quasi or structured; each with (phase) for"
                    + " cosines with random phases instead of cosine and sine pairs.")
    private String map = "fourier";

    @Option(names = "--features", paramLabel = "D", description = "How many features to make; 1000 by default.")
    private int features = 1000;

    @Option(
            names = "--scale",
            paramLabel = "S",
            description = "none, standard, min-max, unit-l1, unit-l2 or divide(by=N). By default standard where DATA is"
                    + " dense and the bandwidth comes from the data, else none.")
    private @Nullable String scale;

    @Option(
            names = "--learner",
            paramLabel = "L",
            description = "ridge(lambda=auto), the default, or ridge(lambda=0.1).")
    private String learner = "ridge(lambda=auto)";

    @Option(
            names = "--task",
            paramLabel = "T",
            description =
                    "classify, regress or auto: text, two values, up to 10 whole numbers, or up to 100 that count from 0 or 1"
                            + " without a gap are classes.")
    private Task task = Task.AUTO;

    @Option(names = "--positive", paramLabel = "CLASS", description = "Tell this class from all others.")
    private @Nullable String positive;

    @Option(names = "--balanced", description = "Give every class the same total weight.")
    private boolean balanced;

    @Option(names = "--precision", paramLabel = "P", description = "float (default) or double.")
    private String precision = "float";

    @Option(names = "--model", paramLabel = "FILE", description = "Save the model here.")
    private @Nullable Path model;

    @Option(names = "--seed", paramLabel = "N", description = "Where randomness starts; 1 by default.")
    private long seed = 1;

    @Option(
            names = "--channel",
            paramLabel = "NAME=FILE",
            description = "A file whose columns are joined to the others row by row; repeat it.")
    private Map<String, String> channels = new LinkedHashMap<>();

    @Option(names = "--test-labels", paramLabel = "FILE", description = "The labels of --test, where they lie apart.")
    private @Nullable String testLabels;

    @Option(names = "--test-channel", paramLabel = "NAME=FILE", description = "The channels to test on.")
    private Map<String, String> testChannels = new LinkedHashMap<>();

    @Mixin
    private DataFlags dataFlags = new DataFlags();

    @Mixin
    private RunFlags run = new RunFlags();

    @Override
    public Integer call() {
        KernelMachine machine = machine();
        DataOptions options = dataFlags.options(data, channels).withTask(task).withPositive(positive);
        Workers workers = run.workers();
        boolean tested = test != null || !testChannels.isEmpty();
        if (holdout != null && tested) {
            throw new UsageException("--holdout and --test exclude each other");
        }
        if (model != null) {
            AtomicFile.checkWritable(model);
        }

        Talk talk = run.talk();
        long start = System.nanoTime();
        FileSource source = DataFiles.open(options);
        double readSeconds = (System.nanoTime() - start) * 1e-9;
        talk.say(describe(source));
        RowSource training = source;
        RowSource testing = null;
        if (holdout != null) {
            double share = holdout;
            Holdout split = UsageException.orUsage(() -> Holdout.split(source, share, new Seed(seed)));
            training = split.train();
            testing = split.test();
        } else if (tested) {
            testing = DataFiles.open(
                    dataFlags
                            .options(test, testChannels)
                            .withLabelsFile(testLabels)
                            .withPositive(positive),
                    source.encoding());
        }

        Trained trained = machine.fit(training, source.encoding(), about(source), workers, talk);
        Evaluation evaluation = testing == null ? null : Evaluation.of(trained.model(), testing, workers, talk);
        if (model != null) {
            trained.model().save(model);
        }
        talk.clear();
        trained.report().notes().forEach(note -> talk.say("note: " + note));
        if (run.json()) {
            System.out.println(Json.writePretty(toMap(source, trained, evaluation, readSeconds, workers)));
        } else {
            System.out.print(facts(trained, evaluation));
            if (evaluation == null) {
                talk.say("Add --holdout 0.2 or --test FILE to see how well it does on rows it was not trained on.");
            }
            if (model == null) {
                talk.say("Nothing was saved; add --model FILE to keep the model.");
            }
        }
        return 0;
    }

    private KernelMachine machine() {
        return UsageException.orUsage(() -> {
            KernelMachine machine = KernelMachine.of(Kernels.recipe(kernel))
                    .withMap(FeatureMaps.parse(map))
                    .withFeatures(features)
                    .withRidge(Ridge.parse(learner))
                    .withBalancedClasses(balanced)
                    .withPrecision(precision())
                    .withSeed(new Seed(seed));
            return scale == null || scale.equals("auto") ? machine : machine.withScaling(Scalings.parse(scale));
        });
    }

    private Precision precision() {
        return switch (precision.toLowerCase(Locale.ROOT)) {
            case "float", "float32", "single" -> Precision.FLOAT32;
            case "double", "float64" -> Precision.FLOAT64;
            default -> throw new UsageException("--precision must be float or double, got '" + precision + "'");
        };
    }

    /** One line about a source: its size, and what its labels were taken for. */
    static String describe(FileSource source) {
        String names = "";
        if (source.labels() instanceof Labels.Classes classes) {
            List<String> all = classes.names();
            names = ": " + String.join(", ", all.subList(0, Math.min(6, all.size()))) + (all.size() > 6 ? ", ..." : "");
        } else if (source.labels() instanceof Labels.Numbers numbers) {
            names = ": " + String.join(", ", numbers.names());
        }
        return String.format(
                Locale.ROOT,
                "%s: %,d rows, %,d %scolumns; %s%s",
                source.name(),
                source.rows(),
                source.columns(),
                source.sparse() ? "sparse " : "",
                source.taskReason(),
                names);
    }

    private Map<String, String> about(FileSource source) {
        Map<String, String> about = Provenance.ofFiles(source.identity());
        if (holdout != null) {
            about.put("holdout", Spelling.print(holdout));
        }
        return about;
    }

    private String facts(Trained trained, @Nullable Evaluation evaluation) {
        TrainingReport report = trained.report();
        RidgePoint chosen = report.ridge().chosen();
        Facts facts = new Facts()
                .add("rows", String.format(Locale.ROOT, "%,d", report.rows()))
                .add("kernel", report.kernel())
                .add("map", map + ", " + features + " features")
                .add("scaling", trained.model().scaler())
                .add(
                        "lambda",
                        String.format(
                                Locale.ROOT,
                                "%.4g: %s",
                                chosen.lambda(),
                                report.ridge().reason()))
                .add(
                        "time",
                        String.format(
                                Locale.ROOT,
                                "%.2f s: map %.2f, statistics %.2f, solve %.2f",
                                report.fitSeconds(),
                                report.mapSeconds(),
                                report.gramSeconds(),
                                report.solveSeconds()));
        if (evaluation != null) {
            facts.add(holdout != null ? "holdout" : "test", Results.headline(evaluation));
        }
        if (model != null) {
            facts.add("model", model + String.format(Locale.ROOT, " (%,d bytes)", size(model)));
        }
        return facts.toString();
    }

    private static long size(Path path) {
        try {
            return Files.size(path);
        } catch (java.io.IOException e) {
            throw new BochnerException(path + ": " + e.getMessage(), e);
        }
    }

    private Map<String, Object> toMap(
            FileSource source, Trained trained, @Nullable Evaluation evaluation, double readSeconds, Workers workers) {
        TrainingReport report = trained.report();
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("data", source.name());
        map.put("rows", report.rows());
        map.put("columns", source.columns());
        map.put("task", source.labels() instanceof Labels.Classes ? "classify" : "regress");
        if (source.labels() instanceof Labels.Classes classes) {
            map.put("classes", classes.names());
        }
        map.put("kernel", report.kernel().toString());
        map.put("map", this.map);
        map.put("features", features);
        map.put("scaling", trained.model().scaler().toString());
        map.put("learner", learner);
        map.put("lambda", report.ridge().chosen().lambda());
        map.put("lambdaReason", report.ridge().reason());
        map.put(
                "lambdaPath",
                report.ridge().path().stream().map(TrainCommand::point).toList());
        map.put("precision", trained.model().precision().name().toLowerCase(Locale.ROOT));
        map.put("seed", seed);
        map.put("threads", workers.threads());
        if (evaluation != null) {
            map.put("testRows", evaluation.rows());
            Map<String, Object> scores = evaluation.toMap();
            scores.remove("rows");
            map.putAll(scores.containsKey("error") ? withoutClasses(scores) : scores);
        }
        map.put("readSeconds", readSeconds);
        map.put("fitSeconds", report.fitSeconds());
        map.put("mapSeconds", report.mapSeconds());
        map.put("gramSeconds", report.gramSeconds());
        map.put("solveSeconds", report.solveSeconds());
        map.put("memoryNeededBytes", report.bytesNeeded());
        map.put("peakMemoryBytes", Memory.peakBytes());
        map.put("model", model == null ? null : model.toString());
        map.put("notes", report.notes());
        return map;
    }

    private static Map<String, Object> withoutClasses(Map<String, Object> scores) {
        scores.remove("classes");
        return scores;
    }

    private static Map<String, Object> point(RidgePoint point) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("lambda", point.lambda());
        map.put("degreesOfFreedom", point.degreesOfFreedom());
        map.put("trainingError", point.trainingError());
        map.put("score", point.score());
        return map;
    }
}
