package org.bochner.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.bochner.base.AtomicFile;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Spelling;
import org.bochner.data.DataFiles;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Holdout;
import org.bochner.data.Labels;
import org.bochner.data.RowSource;
import org.bochner.data.Task;
import org.bochner.learn.Ridge;
import org.bochner.learn.RidgePoint;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.bochner.model.Trained;
import org.bochner.model.TrainingReport;
import org.bochner.numeric.Blas;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Trains a kernel machine and saves it. */
@Command(
        name = "train",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Train a kernel machine from a data file.",
        customSynopsis = {
            "bochner train DATA [--holdout SHARE | --test DATA] [--kernel K]",
            "                     [--map M] [--features D] [--scale S] [--learner L]",
            "                     [--model FILE] [OPTION]..."
        },
        description = {
            "",
            "Reads DATA as a stream, maps each row to explicit features of the kernel, and fits a ridge regression to"
                    + " them: one against all others for classes. Memory depends on the number of features, never on the"
                    + " number of rows. The same command gives the same model, byte for byte, whatever the number of"
                    + " threads.",
            "",
            "What was done is printed on stdout, remarks on stderr. The model is written at the end, whole or not at"
                    + " all."
        },
        footerHeading = "%nKernels%n",
        footer = {
            "  gaussian(sigma=S)     exp(-|x-y|^2 / (2 S^2))",
            "  laplacian(sigma=S)    exp(-|x-y|_1 / S)",
            "  cauchy(sigma=S)       product over columns of 1 / (1 + (x-y)^2 / S^2)",
            "  matern(nu=1.5, sigma=S), rational-quadratic(alpha=A, sigma=S), sech(sigma=S)",
            "  periodic(period=P, width=W)",
            "                        of angles: exp((cos(2 pi (x-y)/P) - 1) / W^2) in every column",
            "  exp-chi2(gamma=G)     of histograms: exp(-G sum (x-y)^2/(x+y)); also",
            "                        exp-intersection, exp-jensen-shannon, exp-hellinger, and",
            "                        laplace-chi2(beta=B) ... of the root of that distance",
            "  chi2, intersection, jensen-shannon, hellinger, linear",
            "                        sums over columns: 2xy/(x+y), min(x, y), ..., xy",
            "  skewed-chi2(c=C, power=P), skewed-intersection(c=C, power=P)",
            "                        products over columns, of ratios of (x+C)^P",
            "  polynomial(degree=2, gamma=G, c=1), arc-cosine(order=1)",
            "                        of the inner product: (G x.y + c)^2, ...",
            "  k1 + 0.5*k2           sums of kernels, and multiples",
            "  k[0:64]               a kernel of columns 0 to 63 only",
            "  k1[0:2] * k2[2:3]     a product of shift-invariant kernels of their own columns",
            "  k[shape], k[*]        of the channel of that name; a term for every channel",
            "  k@log(c=1), k@sqrt    a kernel of log(x + c), or of the root of x",
            "  sigma=[0:64=2, 64:364=3]    a sigma for each block of columns",
            "  Without sigma, gamma, beta or power, it is found from the distances of sampled",
            "  rows; stderr says which.",
            "",
            "Maps",
            "  fourier, orthogonal, quasi, structured",
            "                        any number of features; (phase) for cosines with random",
            "                        phases, (features=D) for one channel's share",
            "  lp(dimension=5), lp(error=0.01), lp(dimension=5, weight=data), sampled(order=2),",
            "  chebyshev(terms=5), direct(terms=5), exact, unary(bins=20), piecewise(bins=20),",
            "  piecewise(bins=20, sparse)",
            "                        additive kernels, some numbers a column; lp also for 1",
            "                        to 3 columns of shift-invariant ones",
            "  tensor-sketch, rectified",
            "                        polynomial, arc-cosine",
            "  orthogonal@sampled(order=2)",
            "                        kernels of a distance: second stage @ first stage",
            "  m1 + m2               a map for each term of the kernel",
            "",
            "JSON",
            "  data, rows, columns, task, classes, kernel, map, features, scaling, learner,",
            "  lambda, lambdaReason, lambdaPath: [{lambda, degreesOfFreedom, trainingError,",
            "  score}], precision, seed, threads; after a test testRows and error (a",
            "  fraction), accuracy, unseenClassRows, or rmse, mae, r2; readSeconds (the",
            "  first look at DATA), prepareSeconds (scalings, scales of kernels, the map),",
            "  fitSeconds (from rows to weights), of which mapSeconds, gramSeconds and",
            "  solveSeconds; memoryNeededBytes, peakMemoryBytes, model,",
            "  notes.",
            "",
            "Examples",
            "  bochner train digits.csv --holdout 0.2 --model digits.bochner",
            "  bochner train a9a --test a9a.t --kernel 'gaussian(sigma=3.16)' --features 2000",
            "  bochner train words.svm --scale unit-l1 --kernel chi2 --map 'sampled(order=1)'",
            "  bochner train hog.csv --scale unit-l1 --kernel exp-chi2 --features 4000",
            "  bochner train images.idx --labels labels.idx --scale 'divide(by=255)'",
            "  bochner train houses.csv --label price --task regress --categorical zip",
            "  bochner train --channel shape=a.csv --channel colour=b.csv --labels y.csv",
            "                --kernel 'gaussian[shape] + gaussian[colour]'",
            "  zcat big.libsvm.gz | bochner train - --model big.bochner"
        })
final class TrainCommand extends Subcommand {
    /** How the model is tested. */
    static final class TestFlags {
        @Option(names = "--test", paramLabel = "DATA", description = "Evaluate on this file after training.")
        private @Nullable String data;

        @Option(
                names = "--test-labels",
                paramLabel = "FILE",
                description = "The labels of --test, where they lie in a file of their own.")
        private @Nullable String labels;

        @Option(
                names = "--test-channel",
                paramLabel = "NAME=FILE",
                description = "Evaluate on these files joined; one for each --channel.")
        private List<String> channels = new ArrayList<>();

        @Option(
                names = "--holdout",
                paramLabel = "SHARE",
                description = "Hold this share of DATA out, by seed, and evaluate on it: 0.2 is a fifth.")
        private @Nullable Double holdout;

        /** Whether there are files to test on. */
        boolean files() {
            return data != null || !channels.isEmpty();
        }

        void check() {
            if (holdout != null && !(holdout > 0 && holdout < 1)) {
                throw new UsageException("--holdout must lie strictly between 0 and 1, got " + Spelling.print(holdout));
            }
            if (holdout != null && files()) {
                throw new UsageException("--holdout and --test exclude each other");
            }
            if (labels != null && !files()) {
                throw new UsageException("--test-labels needs the rows they belong to: --test DATA");
            }
        }
    }

    @Parameters(
            arity = "0..1",
            paramLabel = "DATA",
            description =
                    "LIBSVM, CSV, NPY or IDX file, gzipped or not; - is stdin, which is copied to a temporary file.")
    private @Nullable String data;

    @Option(names = "--kernel", paramLabel = "K", description = "The kernel; gaussian by default.")
    private String kernel = "gaussian";

    @Option(
            names = "--map",
            paramLabel = "M",
            description =
                    "The feature map. By default auto: fourier; for additive kernels the smallest map with an error"
                            + " of at most 0.01, auto(error=E); for kernels of a distance both, one after the other.")
    private String map = "auto";

    @Option(
            names = "--features",
            paramLabel = "D",
            description = "How many features to make, where a map can make any number; 1000 by default.")
    private @Nullable Integer features;

    @Option(
            names = "--scale",
            paramLabel = "S",
            description =
                    "none, standard, standard(uncentred), min-max, unit-l1, unit-l2 or divide(by=N); or some columns each:"
                            + " unit-l1[0:20] + min-max[20:60]; or unit-l1[*] for every channel by itself. By default"
                            + " standard where DATA is dense and the bandwidth comes from the data, else none.")
    private @Nullable String scale;

    @Option(
            names = "--learner",
            paramLabel = "L",
            description = "ridge(lambda=auto), the default, or ridge(lambda=0.1).")
    private String learner = "ridge(lambda=auto)";

    @Option(
            names = "--task",
            paramLabel = "T",
            completionCandidates = Words.Tasks.class,
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

    @ArgGroup(validate = false, heading = "%nHow well it does%n")
    private TestFlags testFlags = new TestFlags();

    @ArgGroup(validate = false, heading = ReadingFlags.HEADING)
    private DataFlags dataFlags = new DataFlags();

    @ArgGroup(validate = false, heading = RunFlags.HEADING)
    private ResultFlags run = new ResultFlags();

    @Override
    public Integer call() {
        DataOptions options = dataFlags.options(data).withTask(task).withPositive(positive);
        Spelled spelled = new Spelled(kernel, scale);
        KernelMachine machine = machine(spelled.before(options));
        Workers workers = run.workers();
        testFlags.check();
        DataOptions testOptions = testOptions();
        if (testOptions != null && readsStandardInput(options) && readsStandardInput(testOptions)) {
            throw new UsageException("stdin (-) can hold the rows to train on or those to test on, not both");
        }
        machine.requireMemory(workers);
        if (model != null) {
            ReadingFlags.refuseToReplace("--model", model, options);
            AtomicFile.checkWritable(model);
        }

        Talk talk = talk(run);
        Blas.preload();
        long start = System.nanoTime();
        FileSource source = DataFiles.open(options);
        double readSeconds = (System.nanoTime() - start) * 1e-9;
        talk.say(describe(source));
        RowSource training = source;
        RowSource testing = null;
        if (testFlags.holdout != null) {
            Holdout split = Holdout.split(source, testFlags.holdout, new Seed(seed));
            training = split.train();
            testing = split.test();
        } else if (testOptions != null) {
            testing = testSource(source, testOptions);
        }

        Trained trained = fit(machine(spelled.in(source)), training, workers, talk);
        Evaluation evaluation = testing == null ? null : Evaluation.of(trained.model(), testing, workers, talk);
        if (model != null) {
            trained.model().save(model);
        }
        talk.clear();
        trained.report().notes().forEach(note -> talk.say("note: " + note));
        if (run.json()) {
            printJson(toMap(source, trained, evaluation, readSeconds, workers));
        } else {
            out().print(facts(trained, evaluation));
            out().flush();
            if (evaluation == null) {
                talk.say("Add --holdout 0.2 or --test FILE to see how well it does on rows it was not trained on.");
            }
            if (model == null) {
                talk.say("Nothing was saved; add --model FILE to keep the model.");
            }
        }
        return Main.WORKED;
    }

    /** Trains; a map that does not fit the kernel, which the data may have to complete first, is wrong usage. */
    private static Trained fit(KernelMachine machine, RowSource training, Workers workers, Talk talk) {
        return UsageException.orUsage(() -> machine.fit(training, workers, talk));
    }

    /** How the files to test on are read; null where there are none. */
    private @Nullable DataOptions testOptions() {
        return testFlags.files()
                ? dataFlags
                        .options(testFlags.data, "--test-channel", testFlags.channels)
                        .withLabelsFile(testFlags.labels)
                        .withPositive(positive)
                : null;
    }

    private static boolean readsStandardInput(DataOptions options) {
        return "-".equals(options.labelsFile())
                || options.channels().stream().anyMatch(file -> file.path().equals("-"));
    }

    private static FileSource testSource(FileSource source, DataOptions options) {
        FileSource testing = DataFiles.open(options, source.encoding());
        if (testing.labels() instanceof Labels.None) {
            throw DataException.in(testing.name(), "has no labels to compare with; --test-labels FILE names them");
        }
        return testing;
    }

    private KernelMachine machine(Spelled spelled) {
        return UsageException.orUsage(() -> Recipes.machine(spelled, map, features, seed)
                .withRidge(Ridge.parse(learner))
                .withBalancedClasses(balanced)
                .withPrecision(precision()));
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
                "%s: %s, %s; %s%s",
                source.name(),
                counted(source.rows(), "row"),
                counted(source.columns(), source.sparse() ? "sparse column" : "column"),
                source.taskReason(),
                names);
    }

    private static String counted(long count, String what) {
        return String.format(Locale.ROOT, "%,d %s%s", count, what, count == 1 ? "" : "s");
    }

    private String facts(Trained trained, @Nullable Evaluation evaluation) {
        TrainingReport report = trained.report();
        RidgePoint chosen = report.ridge().chosen();
        Facts facts = new Facts()
                .add("rows", String.format(Locale.ROOT, "%,d", report.rows()))
                .add("kernel", report.kernel())
                .add("map", report.map() + ", " + trained.model().map().outputDimension() + " features")
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
                                "%.2f s: map %.2f, statistics %.2f, solve %.2f%s",
                                report.fitSeconds(),
                                report.mapSeconds(),
                                report.gramSeconds(),
                                report.solveSeconds(),
                                // Designs take longer than what follows them; all else is little beside it.
                                report.prepareSeconds() < 1
                                        ? ""
                                        : String.format(Locale.ROOT, "; %.1f s before it", report.prepareSeconds())));
        if (evaluation != null) {
            facts.add(testFlags.holdout != null ? "holdout" : "test", Results.headline(evaluation));
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
        map.put("map", report.map());
        map.put("features", trained.model().map().outputDimension());
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
        map.put("prepareSeconds", report.prepareSeconds());
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
