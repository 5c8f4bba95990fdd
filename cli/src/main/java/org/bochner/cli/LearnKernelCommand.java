package org.bochner.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.bochner.base.AtomicFile;
import org.bochner.cli.plot.Chart;
import org.bochner.data.DataFiles;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.Transformer;
import org.bochner.numeric.LinearAlgebra;
import org.bochner.numeric.Workers;
import org.bochner.tune.KernelLearning;
import org.bochner.tune.LearnedKernel;
import org.bochner.tune.Sharing;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Learns the length-scales of a kernel, or its frequencies, and a model with it. */
@Command(
        name = "learn-kernel",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Learn the length-scales of a kernel, and a model with it.",
        customSynopsis = {
            "bochner learn-kernel DATA [--kernel K] [--per P] [--objective O]",
            "                     [--holdout SHARE | --test DATA] [--features D]",
            "                     [--model FILE] [--plot FILE] [--resume MODEL] [OPTION]..."
        },
        description = {
            "",
            "Moves the length-scales of the kernel (one for all columns, one a block, one a column), or its frequencies,"
                    + " along the gradient of an objective such as the cross-validated error, together with the penalty;"
                    + " then trains a model with the kernel that was found, as train does. Random"
                    + " numbers are drawn once. Memory depends on the number of features and columns, not on that of"
                    + " rows.",
            "",
            "Prints the length-scales before and after, those of most influence first; the objective; errors of the model"
                    + " on test rows, and of the same machine with the kernel it started from; and last the flags with"
                    + " which train gives the same model. Ctrl-C ends with the best kernel so far; --resume goes on from"
                    + " it."
        },
        footerHeading = "%nKernels and objectives%n",
        footer = {
            "  gaussian, laplacian, cauchy, matern, rational-quadratic, sech, skewed-chi2,",
            "  skewed-intersection, exp-chi2, ...; kernels with a scale, and sums of them.",
            "  cv(folds=5)             error on each fold, learned from the others; the default",
            "  validation(share=0.2)   error on rows set aside",
            "  loo, gcv                error on each row, learned from all others; estimates",
            "                          of that which need no folds",
            "  train                   penalised error on the rows learned from",
            "  They are squared errors of ridge regression, with targets of +-1 for classes;",
            "  but train, with another learner, and validation, with a smooth one, are by",
            "  the learner's own loss.",
            "",
            "JSON",
            "  data, rows, columns, task, kernel, startKernel, map, features, scaling, learner,",
            "  per, objective, before, after (the objective), lambda, evaluations, seconds,",
            "  end, scales: [{columns, term, from, to, before, after (one over the",
            "  length-scale), influence, rank, dropped}], dropped, frequencies: [{columns,",
            "  before, after}] (medians), testRows, error or rmse, startError or startRmse,",
            "  steps: [{stage, iteration, value, slope}], again, resumed, model,",
            "  peakMemoryBytes, notes.",
            "",
            "Examples",
            "  bochner learn-kernel houses.csv --holdout 0.2 --features 500 --plot scales.svg",
            "  bochner learn-kernel a9a --test a9a.t --kernel 'gaussian(sigma=3)' --per one",
            "  bochner learn-kernel digits.csv --per block --blocks 0:32,32:64",
            "  bochner learn-kernel houses.csv --scale-l1 0.01 --model houses.bochner",
            "  bochner learn-kernel houses.csv --resume houses.bochner --model houses.bochner"
        })
final class LearnKernelCommand extends Subcommand {
    /** Flags that say nothing to train, or that what was learned takes the place of. */
    private static final Set<String> OWN = Set.of(
            "--per",
            "--blocks",
            "--objective",
            "--scale-l1",
            "--scale-l2",
            "--iterations",
            "--tolerance",
            "--no-sample",
            "--resume",
            "--model",
            "--plot",
            "--monitor",
            "--json",
            "--quiet",
            "--threads",
            "--scale",
            "--kernel",
            "--learner",
            "--memory");

    @Parameters(
            arity = "0..1",
            paramLabel = "DATA",
            description =
                    "LIBSVM, CSV, NPY, NPZ or IDX file, compressed or not; - is stdin, which is copied to a temporary file.")
    @Reads
    private @Nullable String data;

    @Option(
            names = {"--model", "--out"},
            paramLabel = "FILE",
            description = "Save the model here.")
    @Writes
    private @Nullable Path model;

    @Option(
            names = "--resume",
            paramLabel = "MODEL",
            description =
                    "Go on from this model: its scaling, map and length-scales are taken over. --model may name the"
                            + " same file, which is then updated.")
    @Reads(updatedBy = "--model")
    private @Nullable Path resume;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description = "Draw length-scales, or how frequencies are distributed, and the objective: .svg or .png.")
    @Writes
    private @Nullable Path plot;

    @Option(names = "--monitor", description = "A line for every iteration, on stderr.")
    private boolean monitor;

    @ArgGroup(validate = false, heading = TuningFlags.HEADING)
    private TuningFlags tuningFlags = new TuningFlags();

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
        tuningFlags.check();
        Workers workers = run.workers();
        DataOptions testOptions = testFlags.options(dataFlags, options, machineFlags.positive());
        before.requireMemory(workers);
        checkOutputs();
        KernelModel from = resume == null ? null : KernelModel.load(resume);

        Talk talk = talk(run);
        LinearAlgebra.preload();
        FileSource source = DataFiles.open(options);
        TrainCommand.say(source, talk);
        KernelMachine machine = learningFlags.apply(machineFlags.resuming(source, from));
        KernelLearning fresh = tuningFlags.learning(machine, source);
        KernelLearning learning = from == null ? fresh : resumed(fresh, from, source);
        if (from != null) {
            talk.say(String.format(
                    Locale.ROOT,
                    "goes on from %s: %s, %,d features, %s",
                    resume,
                    from.map().kernel(),
                    from.map().outputDimension(),
                    from.scaler()));
        }
        TestFlags.Split split = testFlags.split(source, testOptions, machineFlags.seed());

        try (Interruption interruption = new Interruption(talk)) {
            LearningTalk progress = new LearningTalk(talk, monitor, interruption);
            // A map that does not fit the kernel, which the data may have to complete first, is wrong usage.
            LearnedKernel learned = UsageException.orUsage(() -> learning.learn(split.training(), workers, progress));
            KernelModel result = learned.trained().model();
            if (model != null) {
                result.save(model);
            }
            Evaluation evaluation =
                    split.testing() == null ? null : Evaluation.of(result, split.testing(), workers, talk);
            Evaluation startEvaluation = null;
            if (split.testing() != null && !interruption.requested()) {
                Transformer started = new Transformer(result.scaler(), learned.started());
                startEvaluation = Evaluation.of(
                        machine.fit(split.training(), started, workers, progress)
                                .model(),
                        split.testing(),
                        workers,
                        talk);
            }
            LearnKernelFindings findings = new LearnKernelFindings(
                    source,
                    learned,
                    tuningFlags.sharing(),
                    tuningFlags.criterion(),
                    again(learned),
                    testFlags.holdsOut(),
                    evaluation,
                    startEvaluation,
                    resume,
                    model);
            if (plot != null) {
                LearnKernelPlot.of(findings).write(plot);
            }
            talk.clear();
            findings.notes().forEach(talk::say);
            print(findings, talk);
            out().flush();
        }
        return Main.WORKED;
    }

    private void print(LearnKernelFindings findings, Talk talk) {
        if (run.json()) {
            printJson(findings.toMap());
            return;
        }
        out().print(findings.text());
        out().flush();
        if (findings.evaluation() == null) {
            talk.say("Add --holdout 0.2 or --test FILE to see how well it does on rows it was not trained on.");
        }
        if (model == null) {
            talk.say("Nothing was saved; add --model FILE to keep the model.");
        }
    }

    private void checkOutputs() {
        if (model != null) {
            AtomicFile.checkWritable(model);
        }
        if (plot != null) {
            Chart.checkWritable(plot);
        }
    }

    /** The recipe that goes on from a model; fails as wrong usage if flags or data do not fit it. */
    private KernelLearning resumed(KernelLearning learning, KernelModel from, FileSource source) {
        for (String flag : List.of("--map", "--scale")) {
            if (given(flag) != null) {
                throw new UsageException("--resume " + resume + ": has a scaling and a map already; leave " + flag
                        + " out, or start anew without --resume");
            }
        }
        return UsageException.in("--resume " + resume, () -> {
            from.requireColumns(source);
            return learning.withStart(from);
        });
    }

    /** The command that trains the same model; null where frequencies were learned, which no kernel spells. */
    private @Nullable String again(LearnedKernel learned) {
        if (tuningFlags.sharing() == Sharing.FREQUENCY) {
            return null;
        }
        KernelModel result = learned.trained().model();
        StringBuilder command = new StringBuilder("bochner train ").append(data == null ? "DATA" : Text.quoted(data));
        command.append(" --scale ").append(Text.quoted(result.scaler().scaling().toString()));
        if (given("--features") == null) {
            command.append(" --features ").append(result.map().outputDimension());
        }
        for (OptionSpec option : matched()) {
            if (!OWN.contains(option.longestName())) {
                for (String value : option.stringValues()) {
                    command.append(' ').append(option.longestName());
                    command.append(option.arity().max() == 0 ? "" : " " + Text.quoted(value));
                }
            }
        }
        // With the penalty that was found: by itself, train would look for its own.
        command.append(" --learner ")
                .append(Text.quoted(learned.trained().report().learner().toString()));
        return command.append(" --kernel ")
                .append(Text.quoted(learned.kernel().toString()))
                .toString();
    }
}
