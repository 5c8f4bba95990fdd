package org.bochner.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.data.DataOptions;
import org.bochner.data.Holdout;
import org.bochner.model.ComparedMethod;
import org.bochner.model.KernelMachine;
import org.bochner.model.Peer;
import org.bochner.random.Seed;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** Trains several methods on one split of the rows and prints their errors and costs side by side. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Compare methods on one split of the data.",
        customSynopsis = {
            "bochner compare DATA [--holdout SHARE | --test DATA] [--features LIST]",
            "                       [--seeds N] [--kernel K] [--plot FILE] [OPTION]..."
        },
        description = {
            "",
            "Trains these methods on the same rows and tests them on the same other rows: a constant (the most"
                    + " frequent class or the mean), a linear model, the kernel machine with its default map and with"
                    + " landmarks chosen by k-means at several numbers of features, an exact kernel machine on a sample"
                    + " of the rows, and peers: methods of other libraries, found in the optional module peers. A"
                    + " method that does not fit the data or the memory is left out, with the reason.",
            "",
            "Prints the error on the test rows with its standard error, the time of the fit with the choice of all"
                    + " hyperparameters, the peak of the Java heap during the fit (native memory of peers is not"
                    + " counted), the time of predicting one row on one thread, and the size of the model. Recommends"
                    + " the method with the smallest model among those within one standard error of the lowest error.",
            "",
            "The standard error is sqrt(e (1 - e) / rows) for an error rate e; for the rmse it is the standard"
                    + " deviation of the squared errors divided by 2 rmse sqrt(rows). With --seeds, errors are means"
                    + " over the seeds, and the variance between the seeds divided by N is added to the squared"
                    + " standard error.",
            "",
            "Ctrl-C ends the comparison and prints the methods that are finished."
        })
final class CompareCommand extends DataCommand {
    /** The flags that a command for the recommended method does not have, or has with another value. */
    private static final Set<String> OWN_FLAGS = Set.of(
            "--features",
            "--seeds",
            "--kernel",
            "--peers",
            "--plot",
            "--test",
            "--test-labels",
            "--test-channel",
            "--holdout",
            "--threads",
            "--quiet",
            "--json",
            "--debug");

    private static final double DEFAULT_HOLDOUT = 0.2;
    private static final List<Integer> DEFAULT_SIZES = List.of(250, 1000, 4000);

    @Option(
            names = "--features",
            paramLabel = "LIST",
            description = "Numbers of features of the maps, separated by commas. [default: those of 250,1000,4000 that"
                    + " are at most the number of training rows]")
    private @Nullable String features;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "Number of seeds: maps and samples are drawn N times, from --seed on. [default: 1]")
    private int seeds = 1;

    @Option(
            names = "--kernel",
            paramLabel = "K",
            completionCandidates = Words.KernelNames.class,
            description =
                    "Kernel of the maps and of the exact machine. [default: gaussian, or chi2 for sparse counts if"
                            + " its cross-validated error is smaller]")
    private @Nullable String kernel;

    @Option(
            names = "--peers",
            paramLabel = "FOLDER|none",
            description =
                    "Load methods of other libraries from the jars of this folder; none leaves them out. [default:"
                            + " the optional module peers, if it is built]")
    private @Nullable String peers;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description = "Plot the error against fit time and model size, as .svg or .png.")
    @Writes(picture = true)
    private @Nullable Path plot;

    @ArgGroup(validate = false, heading = "%nTask and scaling%n", order = 2)
    private TaskFlags taskFlags = new TaskFlags();

    @ArgGroup(validate = false, heading = TestFlags.HEADING, order = 4)
    private TestFlags testFlags = new TestFlags();

    @Override
    public Integer call() {
        requireAtLeast("--seeds", seeds, 1);
        List<Integer> given = features == null ? List.of() : sizes(features);
        DataOptions options = taskFlags.reading(options());
        Spelled spelled = new Spelled(kernel == null ? Recipes.DEFAULT_KERNEL : kernel, taskFlags.scale());
        KernelMachine unused = Recipes.machine(spelled.before(options), "auto", null, taskFlags.seed());
        List<Peer<?>> found = PeerFolder.find(peers);
        long start = System.nanoTime();
        Session session = split(open(options, taskFlags, testFlags));
        KernelMachine machine = machine(spelled.in(session.source()));
        if (found.isEmpty() && !"none".equals(peers)) {
            session.talk().say(PeerFolder.MISSING);
        }
        List<String> training = training();
        try (FinishedMethods finished = new FinishedMethods(methods -> {
            session.talk().say("interrupted: these methods were finished, and the others are missing");
            print(findings(session, spelled, training, methods, true, start), found);
        })) {
            List<ComparedMethod> methods = ComparedMethod.compare(
                    machine,
                    session.training(),
                    session.test(),
                    given.isEmpty() ? defaultSizes(session.training().rows()) : given,
                    seeds,
                    found,
                    session.workers(),
                    session.talk(),
                    finished::add);
            CompareFindings findings = findings(session, spelled, training, methods, false, start);
            finished.printAll(() -> print(findings, found));
            if (plot != null) {
                findings.chart().write(plot);
            }
        }
        return Main.WORKED;
    }

    private CompareFindings findings(
            Session session,
            Spelled spelled,
            List<String> training,
            List<ComparedMethod> methods,
            boolean interrupted,
            long start) {
        double seconds = (System.nanoTime() - start) * 1e-9;
        return new CompareFindings(session, spelled, training, taskFlags.seed(), seeds, methods, interrupted, seconds);
    }

    private void print(CompareFindings findings, List<Peer<?>> found) {
        findings.session().talk().clear();
        if (run().json()) {
            printJson(findings.toMap(found));
        } else {
            out().print(findings.text());
        }
        out().flush();
    }

    /** Returns the session with a fifth of the rows held out, unless flags choose other test rows. */
    private Session split(Session session) {
        if (testFlags.given()) {
            return session;
        }
        Holdout split = Holdout.split(session.source(), DEFAULT_HOLDOUT, new Seed(taskFlags.seed()));
        return new Session(
                session.source(),
                split.train(),
                split.test(),
                session.readSeconds(),
                session.workers(),
                session.talk());
    }

    private KernelMachine machine(Spelled spelled) {
        KernelMachine machine =
                Recipes.machine(spelled, "auto", null, taskFlags.seed()).withPrecision(taskFlags.precision());
        return kernel == null ? machine.withOpenKernel() : machine;
    }

    /** Returns the start of a {@code train} command on DATA, with all flags of this run that {@code train} has. */
    private List<String> training() {
        List<String> words = new ArrayList<>(List.of("bochner", "train"));
        if (data() != null) {
            words.add(data());
        }
        for (OptionSpec option : matched()) {
            if (!OWN_FLAGS.contains(option.longestName())) {
                for (String value : option.originalStringValues()) {
                    words.add(option.longestName());
                    words.add(value);
                }
            }
        }
        return words;
    }

    private static List<Integer> defaultSizes(long rows) {
        List<Integer> sizes = new ArrayList<>(DEFAULT_SIZES);
        sizes.removeIf(size -> rows >= 0 && size > rows && size > DEFAULT_SIZES.get(0));
        return sizes;
    }

    private static List<Integer> sizes(String text) {
        List<Integer> sizes = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            double size;
            try {
                size = Spelling.toNumber("--features", "a number", part.strip());
            } catch (SpellingException | IllegalArgumentException e) {
                throw new UsageException("--features must be numbers such as 250,1000,4000, got '" + text + "'");
            }
            if (!(size >= 1 && size <= Integer.MAX_VALUE && size == Math.rint(size))) {
                throw new UsageException("--features must be whole numbers of at least 1, got '" + part.strip() + "'");
            }
            sizes.add((int) size);
        }
        return sizes.stream().distinct().sorted().toList();
    }
}
