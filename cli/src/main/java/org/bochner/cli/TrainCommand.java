package org.bochner.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bochner.base.AtomicFile;
import org.bochner.base.BochnerException;
import org.bochner.base.Json;
import org.bochner.base.Note;
import org.bochner.data.DataFiles;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Labels;
import org.bochner.learn.CalibrationRecipe;
import org.bochner.learn.Convergence;
import org.bochner.learn.PathPoint;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.TrainingReport;
import org.bochner.model.TrainingResult;
import org.bochner.numeric.LinearAlgebra;
import org.bochner.numeric.Workers;
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
            "Reads DATA as a stream, maps each row to explicit features of the kernel, and learns linear functions of"
                    + " them: one a class, against all others, or one a number. With ridge regression, the default, memory"
                    + " depends on the number of features, never on the number of rows. The same command gives the same"
                    + " model, byte for byte, whatever the number of threads.",
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
            "  Without sigma, gamma, beta or power, it is chosen by cross-validation on a sample",
            "  of the rows; stderr says which value it has.",
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
            "Learners",
            "  ridge(lambda=auto)    squares, with a penalty on large weights; the default",
            "  lasso(lambda=auto), elastic-net(lambda=auto, ratio=0.5),",
            "  group-lasso(lambda=auto, groups=pairs)",
            "                        squares, with penalties that make weights zero; groups are",
            "                        pairs (of one frequency), channels, or [0:10, 10:30]",
            "  svm(C=1), svm(C=1, loss=squared-hinge), logistic(l2=1), softmax(l2=1)",
            "                        classes",
            "  svr(C=1, epsilon=0.1), svr(C=1, epsilon=0.1, gamma=10), huber(l2=1, delta=1.35)",
            "                        numbers; gamma makes the loss smooth",
            "  logistic(l1=0.5), svm(group=2, groups=pairs, loss=squared-hinge), ...",
            "                        any of the penalties l1, l2 (or C, 1/l2) and group. The",
            "                        objective is the sum of the losses + l1 |w|_1 + l2/2 |w|^2",
            "                        + group times the sum of |w_g| sqrt(size of g).",
            "  One penalty may be auto; where none is given, the usual one is.",
            "  solver=cg             ridge with too many features for a matrix of them",
            "  solver=stream         any learner, in a few passes over rows of any number;",
            "                        iterations=1 for one pass",
            "  tolerance=1e-4, iterations=100    when a solver ends. Ctrl-C ends it too, with the",
            "                        best model so far.",
            "",
            "JSON",
            "  data, rows, columns, task, classes, kernel, map, features, scaling, learner,",
            "  lambda (for C, 1/C), lambdaReason, lambdaPath: [{lambda, degreesOfFreedom,",
            "  trainingError, score}], solver: {method, iterations, objective, measure,",
            "  residual, tolerance, converged, end}, nonZeroFeatures, precision, seed, threads;",
            "  after a test testRows and error (a fraction), accuracy, unseenClassRows, or",
            "  rmse, mae, r2; readSeconds (the first look at DATA), prepareSeconds (scalings,",
            "  scales of kernels, the map), fitSeconds (from rows to weights), of which",
            "  mapSeconds, gramSeconds and solveSeconds; memoryNeededBytes, peakMemoryBytes,",
            "  model, notes.",
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
    @Parameters(
            arity = "0..1",
            paramLabel = "DATA",
            description =
                    "LIBSVM, CSV, NPY, NPZ or IDX file, compressed or not; - is stdin, which is copied to a temporary file.")
    @Reads
    private @Nullable String data;

    @Option(names = "--model", paramLabel = "FILE", description = "Save the model here.")
    @Writes
    private @Nullable Path model;

    @Option(
            names = "--start",
            paramLabel = "MODEL",
            description =
                    "Take over the scaling and the map of this model, and begin at its weights. --model may name the"
                            + " same file, which is then updated.")
    @Reads(updatedBy = "--model")
    private @Nullable Path start;

    @Option(
            names = "--pca",
            paramLabel = "K",
            description =
                    "Learn from K principal components of the features, or from those with a share of the variance,"
                            + " as 0.99 or 99%%; the model has weights for the features.")
    private @Nullable String pca;

    @Option(
            names = "--unlabelled",
            paramLabel = "DATA",
            description = "Find the components of --pca on these rows too; their labels are not looked at.")
    @Reads
    private @Nullable String unlabelled;

    @Option(
            names = "--calibrate",
            paramLabel = "R",
            description = "Make probabilities of the scores: platt, temperature or isotonic, each with (folds=5) or"
                    + " (holdout=0.2); or bring those of many classes to one level: quantile, quantile(rank=500).")
    private @Nullable String calibrate;

    @Option(
            names = "--monitor",
            description =
                    "A line for every iteration, on stderr; with --json a JSON object a line, on stdout, before the"
                            + " result.")
    private boolean monitor;

    @ArgGroup(validate = false, heading = MachineFlags.HEADING)
    private MachineFlags machineFlags = new MachineFlags();

    @ArgGroup(validate = false, heading = LearningFlags.HEADING)
    private LearningFlags learningFlags = new LearningFlags();

    @ArgGroup(validate = false, heading = TestFlags.HEADING)
    private TestFlags testFlags = new TestFlags();

    @ArgGroup(validate = false, heading = ReadingFlags.HEADING)
    private DataFlags dataFlags = new DataFlags();

    @ArgGroup(validate = false, heading = RunFlags.HEADING)
    private ResultFlags run = new ResultFlags();

    @Override
    public Integer call() {
        DataOptions options = machineFlags.reading(dataFlags.options(data));
        KernelMachine before = learningFlags.apply(machineFlags.before(options));
        Workers workers = run.workers();
        DataOptions testOptions = testFlags.options(dataFlags, options, machineFlags.positive());
        before.requireMemory(workers);
        if (model != null) {
            AtomicFile.checkWritable(model);
        }
        if (unlabelled != null && pca == null) {
            throw new UsageException("--unlabelled is for the components of --pca: add --pca 500, say");
        }
        // Read before the data, because a misspelling is wrong usage.
        KernelMachine unused = read(pca, before::withComponents);
        DataOptions unlabelledOptions = unlabelled == null ? null : dataFlags.options(unlabelled);
        CalibrationRecipe calibration = read(calibrate, CalibrationRecipe::parse);
        KernelModel startModel = start == null ? null : KernelModel.load(start);

        Talk talk = talk(run);
        LinearAlgebra.preload();
        long began = System.nanoTime();
        FileSource source = DataFiles.open(options);
        double readSeconds = (System.nanoTime() - began) * 1e-9;
        say(source, talk);
        TestFlags.Split split = testFlags.split(source, testOptions, machineFlags.seed());
        KernelMachine given = learningFlags
                .apply(machineFlags.automatic(source))
                .withCalibration(calibration)
                .withUnlabelled(
                        unlabelledOptions == null
                                ? null
                                : DataFiles.open(unlabelledOptions, source.encoding())
                                        .withoutLabels());
        KernelMachine reduced = pca == null ? given : given.withComponents(pca);
        KernelMachine machine = startModel == null ? reduced : reduced.withStart(startModel);

        try (Interruption interruption = new Interruption(talk)) {
            TrainingTalk.Lines lines =
                    !monitor ? TrainingTalk.Lines.NONE : run.json() ? TrainingTalk.Lines.JSON : TrainingTalk.Lines.TEXT;
            TrainingTalk progress = new TrainingTalk(talk, lines, out(), interruption);
            // A map that does not fit the kernel, which the data may have to complete first, is wrong usage.
            TrainingResult trained = UsageException.orUsage(() -> machine.fit(split.training(), workers, progress));
            Evaluation evaluation =
                    split.testing() == null ? null : Evaluation.of(trained.model(), split.testing(), workers, talk);
            if (model != null) {
                trained.model().save(model);
            }
            talk.clear();
            trained.report().notes().forEach(talk::say);
            print(source, trained, evaluation, readSeconds, workers, talk);
            out().flush();
        }
        return Main.WORKED;
    }

    /** What a flag spells; null where it was not given. */
    private static <T> @Nullable T read(@Nullable String text, Function<String, T> parse) {
        return text == null ? null : UsageException.orUsage(() -> parse.apply(text));
    }

    private void print(
            FileSource source,
            TrainingResult trained,
            @Nullable Evaluation evaluation,
            double readSeconds,
            Workers workers,
            Talk talk) {
        if (run.json()) {
            Map<String, Object> result = toMap(source, trained, evaluation, readSeconds, workers);
            if (monitor) {
                out().println(Json.write(result));
            } else {
                printJson(result);
            }
            return;
        }
        out().print(facts(trained, evaluation));
        out().flush();
        if (evaluation == null) {
            talk.say("Add --holdout 0.2 or --test FILE to see how well it does on rows it was not trained on.");
        }
        if (model == null) {
            talk.say("Nothing was saved; add --model FILE to keep the model.");
        }
    }

    /** Says what a source is, and what was decided about it that its user should know. */
    static void say(FileSource source, Talk talk) {
        talk.say(describe(source));
        source.notes().forEach(talk::say);
    }

    /** The notes of a run: those about the data, then the others. */
    static List<Note> notes(FileSource source, List<Note> others) {
        return Stream.concat(source.notes().stream(), others.stream()).toList();
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

    private String facts(TrainingResult trained, @Nullable Evaluation evaluation) {
        TrainingReport report = trained.report();
        PathPoint chosen = report.fit().chosen();
        Facts facts = new Facts()
                .add("rows", String.format(Locale.ROOT, "%,d", report.rows()))
                .add("kernel", report.kernel())
                .add("map", report.map() + ", " + trained.model().map().outputDimension() + " features")
                .add("scaling", trained.model().scaler())
                .add("learner", learningFlags.learner())
                .add(
                        report.learner().strengthName(),
                        String.format(
                                Locale.ROOT,
                                "%.4g: %s",
                                report.learner().spelled(chosen.lambda()),
                                report.fit().reason()));
        if (!report.fit().convergence().direct()) {
            facts.add("solver", solver(report.fit().convergence()));
        }
        if (report.learner().sparse()) {
            facts.add(
                    "kept",
                    String.format(
                            Locale.ROOT,
                            "%,d of %,d features have weights",
                            report.fit().model().nonZeros(),
                            report.fit().model().features()));
        }
        facts.add(
                "time",
                String.format(
                        Locale.ROOT,
                        "%.2f s: map %.2f, statistics %.2f, solve %.2f; before it, %.2f s to choose scaling, scales and map",
                        report.fitSeconds(),
                        report.mapSeconds(),
                        report.gramSeconds(),
                        report.solveSeconds(),
                        report.prepareSeconds()));
        if (evaluation != null) {
            facts.add(testFlags.holdsOut() ? "holdout" : "test", Results.headline(evaluation));
        }
        if (model != null) {
            facts.add("model", model + String.format(Locale.ROOT, " (%,d bytes)", size(model)));
        }
        return facts.toString();
    }

    private static String solver(Convergence convergence) {
        return String.format(
                Locale.ROOT,
                "%s, %d iteration%s, objective %.6g, %s %.2g: %s",
                convergence.method(),
                convergence.iterations(),
                convergence.iterations() == 1 ? "" : "s",
                convergence.objective(),
                convergence.measure(),
                convergence.residual(),
                convergence.end().reason());
    }

    private static Map<String, Object> solverMap(Convergence convergence) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("method", convergence.method());
        map.put("iterations", convergence.iterations());
        map.put("objective", convergence.objective());
        map.put("measure", convergence.measure());
        map.put("residual", convergence.residual());
        map.put("tolerance", convergence.tolerance());
        map.put("converged", convergence.converged());
        map.put("end", convergence.end().reason());
        return map;
    }

    private static long size(Path path) {
        try {
            return Files.size(path);
        } catch (java.io.IOException e) {
            throw new BochnerException(path + ": " + e.getMessage(), e);
        }
    }

    private Map<String, Object> toMap(
            FileSource source,
            TrainingResult trained,
            @Nullable Evaluation evaluation,
            double readSeconds,
            Workers workers) {
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
        map.put("map", report.map().toString());
        map.put("features", trained.model().map().outputDimension());
        map.put("scaling", trained.model().scaler().toString());
        map.put("learner", learningFlags.learner().toString());
        map.put("lambda", report.fit().chosen().lambda());
        map.put("lambdaReason", report.fit().reason());
        map.put(
                "lambdaPath",
                report.fit().path().stream().map(TrainCommand::point).toList());
        map.put("solver", solverMap(report.fit().convergence()));
        map.put("nonZeroFeatures", report.fit().model().nonZeros());
        map.put("precision", trained.model().precision().name().toLowerCase(Locale.ROOT));
        map.put("seed", machineFlags.seed());
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
        map.put("notes", SettingFlags.texts(notes(source, report.notes())));
        return map;
    }

    private static Map<String, Object> withoutClasses(Map<String, Object> scores) {
        scores.remove("classes");
        return scores;
    }

    private static Map<String, Object> point(PathPoint point) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("lambda", point.lambda());
        map.put("degreesOfFreedom", point.degreesOfFreedom());
        map.put("trainingError", point.trainingLoss());
        map.put("score", point.validationError());
        return map;
    }
}
