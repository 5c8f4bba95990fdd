package org.bochner.cli;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bochner.base.AtomicFile;
import org.bochner.base.Spelling;
import org.bochner.data.SurveyedSource;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapRecipe;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;
import org.bochner.tune.KernelLearning;
import org.bochner.tune.LearnedKernel;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Learns the length-scales of a kernel, or its frequencies, and a model with it. */
@Command(
        name = "learn-kernel",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Learn the length-scales of a kernel, and train a model with them.",
        customSynopsis = {
            "bochner learn-kernel DATA [--kernel K] [--method M] [--per P] [--objective O]",
            "                     [--holdout SHARE | --test DATA]",
            "                     [--features D | --map none]",
            "                     [--model FILE] [--matrix FILE] [--plot FILE] [--resume MODEL] [OPTION]..."
        },
        description = {
            "",
            "Minimises an objective, such as the cross-validated error, over the length-scales of the kernel"
                    + " (one for all columns, one per block of columns, or one per column) or over its frequencies,"
                    + " together with the penalty. Then trains a model with the learned kernel, as train does. The"
                    + " random frequencies are drawn once and stay fixed. Memory depends on the number of features and"
                    + " columns, not on the number of rows. With --map none, nothing is approximated: the objective is"
                    + " that of kernel ridge regression from the kernel values between all rows, for up to about 10,000"
                    + " rows. With --map binning or landmarks, Fourier features learn the length-scales on a sample of"
                    + " the rows, and their common factor is then chosen with the map.",
            "",
            "Prints the length-scales before and after learning, with the most influential columns first;"
                    + " the objective; the errors on test rows with the learned and with the initial kernel; and the"
                    + " train command that makes the same model, if there is one. Ctrl-C stops with the best kernel so far. --resume"
                    + " continues from a saved model."
        })
final class LearnKernelCommand extends MachineCommand {
    /** Flags that train does not have, and flags that the learned values replace. */
    private static final Set<String> OWN = Set.of(
            "--method",
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
            "--matrix",
            "--monitor",
            "--json",
            "--quiet",
            "--threads",
            "--scale",
            "--kernel",
            "--learner",
            "--memory");

    @Option(
            names = {"--model", "--out"},
            paramLabel = "FILE",
            description = "Save the model to this file.")
    @Writes
    private @Nullable Path model;

    @Option(
            names = "--resume",
            paramLabel = "MODEL",
            description = "Continue from this model: use its scaling, map and length-scales. --model may name the same"
                    + " file, which is then replaced.")
    @Reads(updatedBy = "--model")
    private @Nullable Path resume;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description =
                    "Plot the length-scales, or the distribution of the frequencies, and the objective, as .svg or"
                            + " .png.")
    @Writes(picture = true)
    private @Nullable Path plot;

    @Option(
            names = "--matrix",
            paramLabel = "FILE",
            description =
                    "Write the matrix that --method 'agop(full)' learns to this CSV file, which --scale 'standard then"
                            + " linear(file=FILE)' reads.")
    @Writes
    private @Nullable Path matrix;

    @Option(names = "--monitor", description = "Print one line per iteration on stderr.")
    private boolean monitor;

    @ArgGroup(validate = false, heading = TuningFlags.HEADING, order = 1)
    private TuningFlags tuningFlags = new TuningFlags();

    @ArgGroup(validate = false, heading = TestFlags.HEADING, order = 4)
    private TestFlags testFlags = new TestFlags();

    @Override
    public Integer call() {
        tuningFlags.check();
        if (matrix != null && !tuningFlags.learnsMatrix()) {
            throw new UsageException("--matrix " + matrix + ": --method " + tuningFlags.method()
                    + " learns no matrix; add --method 'agop(full)', or remove --matrix");
        }
        Path written = matrix;
        if (written != null) {
            // The scaling that reads the matrix is printed, so its spelling must be able to name the file.
            Scaling unused =
                    UsageException.in("--matrix " + Spelling.line(written.toString()), () -> Scalings.linear(written));
        }
        KernelModel from = resume == null ? null : KernelModel.load(resume);
        machineFlags().continueFrom(from);
        Session session = open(testFlags);
        SurveyedSource source = session.source();
        KernelMachine machine = learningFlags()
                .apply(
                        from == null
                                ? machineFlags().automatic(source)
                                : machineFlags().resuming(source, from));
        KernelLearning fresh = tuningFlags.learning(machine, session.source());
        KernelLearning learning = from == null ? fresh : resumed(fresh, from, session);

        Talk talk = session.talk();
        try (Interruption interruption = new Interruption(talk)) {
            LearningTalk progress = new LearningTalk(talk, monitor, interruption);
            // A map that does not fit the kernel shows only when the data have completed the kernel.
            LearnedKernel learned =
                    UsageException.orUsage(() -> learning.learn(session.training(), session.workers(), progress));
            KernelModel result = learned.trained().model();
            Evaluation evaluation = session.evaluate(result);
            Evaluation startEvaluation = null;
            if (session.testing() != null && !interruption.requested()) {
                startEvaluation =
                        session.evaluate(learning.fitInitial(learned, session.training(), session.workers(), progress)
                                .model());
            }
            boolean turned = result.scaler().matrix().length > 0;
            GradientFindings gradients = learning.averagesGradients()
                    ? GradientFindings.of(
                            session.source().columnNames(), learned.gradients(session.training(), session.workers()))
                    : null;
            Evaluation start = startEvaluation;
            LearnKernelFindings findings = AtomicFile.together(() -> {
                if (model != null) {
                    result.save(model);
                }
                Scaling scaling = turned && matrix != null
                        ? Scalings.writeMatrix(result.scaler(), matrix)
                        : result.scaler().scaling();
                LearnKernelFindings found = new LearnKernelFindings(
                        session,
                        learned,
                        tuningFlags.method(),
                        tuningFlags.sharing(),
                        tuningFlags.criterion(),
                        scaling.isSpelled() ? again(learned, scaling) : null,
                        gradients,
                        turned ? matrix : null,
                        testFlags.holdsOut(),
                        evaluation,
                        start,
                        resume,
                        plot,
                        model);
                if (plot != null) {
                    LearnKernelPlot.of(found).write(plot);
                }
                return found;
            });
            talk.clear();
            talk.say(findings.notes());
            if (run().json()) {
                printJson(findings.toMap());
            } else {
                out().print(findings.text());
                out().flush();
                session.hint(model != null);
            }
            out().flush();
        }
        return Main.WORKED;
    }

    /** Returns the recipe that continues from a model; fails as wrong usage if flags or data do not fit the model. */
    private KernelLearning resumed(KernelLearning learning, KernelModel from, Session session) {
        for (String flag : List.of("--map", "--scale", "--bandwidth")) {
            if (given(flag) != null) {
                throw new UsageException(
                        "--resume " + resume + ": the model has its own scaling, map and length-scales; remove " + flag
                                + ", or start again without --resume");
            }
        }
        KernelLearning resumed = UsageException.in("--resume " + resume, () -> {
            from.requireColumns(session.source());
            return learning.withStart(from);
        });
        session.talk()
                .say(Text.of(
                        "continuing from %s: %s, %,d features, %s",
                        String.valueOf(resume), from.map().kernel(), from.map().outputDimension(), from.scaler()));
        return resumed;
    }

    /** Returns the command that trains the same model; null if there is none. */
    private @Nullable String again(LearnedKernel learned, Scaling scaling) {
        if (!learned.reproducible()) {
            return null;
        }
        KernelModel result = learned.trained().model();
        Again command = new Again("train", data()).flag("--scale", scaling);
        boolean ownNumber = !result.training().map().takesFeatures();
        if (given("--features") == null && !ownNumber) {
            command.flag("--features", result.map().outputDimension());
        }
        MapRecipe map = result.training().map();
        if (resume != null || (given("--map") == null && !map.equals(FeatureMaps.auto()))) {
            command.flag("--map", map);
        }
        if (resume != null && given("--seed") == null) {
            command.flag("--seed", result.training().seed().value());
        }
        Set<String> without = new HashSet<>(OWN);
        if (ownNumber) {
            without.add("--features");
        }
        // With the penalty that was learned with the kernel; a penalty that training chose is chosen again.
        return command.given(matched(), without)
                .flag("--learner", result.training().requireLearner())
                .flag("--kernel", learned.kernel())
                .toString();
    }
}
