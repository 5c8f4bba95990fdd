package org.bochner.cli;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.bochner.base.Json;
import org.bochner.base.Notes;
import org.bochner.data.DataOptions;
import org.bochner.data.Holdout;
import org.bochner.data.RowSource;
import org.bochner.data.SurveyedSource;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.TrainingResult;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** Trains a kernel machine and saves the model. */
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
            "Streams DATA, maps each row to features whose inner products approximate the kernel, and fits"
                    + " linear functions of the features: one per class against all others, or one per regression"
                    + " target. With ridge regression, the default, memory depends on the number of features, not on"
                    + " the number of rows. The same command gives the same model, byte for byte, for any number of"
                    + " threads.",
            "",
            "Results go to stdout, notes to stderr. The model is written at the end; a run that fails leaves"
                    + " no partial file."
        })
final class TrainCommand extends MachineCommand {
    /** The groups whose flags have an effect on a cascade or an average of saved models. */
    private static final Set<String> GROUPS_OF_SAVED_MODELS =
            Set.of(ReadingFlags.HEADING, TestFlags.HEADING, RunFlags.HEADING);

    /** The flags outside these groups that always have an effect on a cascade of saved models. */
    private static final Set<String> FLAGS_OF_SAVED_STAGES = Set.of("--stage", "--max-loss", "--model");

    /** The flags outside these groups that always have an effect on an average of saved models. */
    private static final Set<String> FLAGS_OF_SAVED_MEMBERS = Set.of("--member", "--model");

    @Option(names = "--model", paramLabel = "FILE", description = "Save the model to this file.")
    @Writes
    private @Nullable String model;

    @Option(
            names = "--start",
            paramLabel = "MODEL",
            description =
                    "Warm start: use the scaling and the map of this model, and start from its weights. --kernel, --map,"
                            + " --features, --scale and --seed must be left out, or agree with the model. --model may name"
                            + " the same file, which is then replaced.")
    @Reads(updatedBy = "--model")
    private @Nullable String start;

    @Option(
            names = "--pca",
            paramLabel = "K",
            description = "Learn from K principal components of the features, or from as many components as explain a"
                    + " share of the variance, such as 0.99 or 99%%. The weights are transformed back to the features:"
                    + " prediction does not use the components.")
    private @Nullable String pca;

    @Option(
            names = "--unlabelled",
            paramLabel = "DATA",
            description = "Compute the principal components of --pca from these rows too. Their labels are ignored.")
    @Reads
    private @Nullable String unlabelled;

    @Option(
            names = "--landmarks",
            paramLabel = "DATA",
            description = "Use these rows as landmarks of --map landmarks, instead of choosing them among the training"
                    + " rows. Their labels are ignored.")
    @Reads
    private @Nullable String landmarks;

    @Option(
            names = "--subsample",
            paramLabel = "N",
            description = "Train on N random rows, of those that are not held out. --seed determines the rows.")
    private @Nullable Integer subsample;

    @Option(
            names = "--calibrate",
            paramLabel = "R",
            description = "Calibrate scores to probabilities: platt, temperature or isotonic, each with (folds=5) or"
                    + " (holdout=0.2). For hundreds of classes, quantile or quantile(rank=500) shifts the scores of"
                    + " all classes to a common level instead.")
    private @Nullable String calibrate;

    @Option(
            names = "--uncertainty",
            paramLabel = "U",
            description =
                    "Learn the uncertainty of predictions, for predict --intervals and evaluate --intervals: intervals"
                            + " for numbers, sets of classes. conformal, with (folds=5) or (share=0.2), measures errors on"
                            + " held-out rows; gaussian takes ridge regression of numbers for a Gaussian process. With test rows,"
                            + " also print the coverage at 80%%, 90%% and 95%%.")
    private @Nullable String uncertainty;

    @Option(
            names = "--monitor",
            description = "Print one line per iteration on stderr; with --json, one JSON object per line on stdout,"
                    + " before the result.")
    private boolean monitor;

    @ArgGroup(validate = false, heading = CascadeFlags.HEADING, order = 3)
    private CascadeFlags cascadeFlags = new CascadeFlags();

    @ArgGroup(validate = false, heading = EnsembleFlags.HEADING, order = 4)
    private EnsembleFlags ensembleFlags = new EnsembleFlags();

    @ArgGroup(validate = false, heading = TestFlags.HEADING, order = 5)
    private TestFlags testFlags = new TestFlags();

    @Override
    KernelMachine configured(KernelMachine machine) {
        return UsageException.orUsage(() -> {
            KernelMachine several = ensembleFlags.apply(machine);
            KernelMachine reduced = pca == null ? several : several.withComponents(pca);
            KernelMachine calibrated = calibrate == null ? reduced : reduced.withCalibration(calibrate);
            return uncertainty == null ? calibrated : calibrated.withUncertainty(uncertainty);
        });
    }

    @Override
    public Integer call() {
        if (unlabelled != null && pca == null) {
            throw new UsageException("--unlabelled needs --pca; add --pca 500, for example");
        }
        if (start != null && pca != null) {
            throw new UsageException(
                    "--start has weights of features, not of the principal components of --pca; leave out"
                            + " one of them");
        }
        if (subsample != null && subsample < 1) {
            throw new UsageException("--subsample must be at least 1, got " + subsample);
        }
        if (!cascadeFlags.models().isEmpty()) {
            requireNoTraining("--stage", FLAGS_OF_SAVED_STAGES);
            return combine();
        }
        if (!ensembleFlags.members().isEmpty()) {
            requireNoTraining("--member", FLAGS_OF_SAVED_MEMBERS);
            return stack();
        }
        ensembleFlags.check();
        for (String other : List.of("--cascade", "--start")) {
            if (ensembleFlags.given() != null && given(other) != null) {
                throw new UsageException(ensembleFlags.given() + " and " + other + " exclude each other");
            }
        }
        if (cascadeFlags.given()) {
            for (String other : List.of("--kernel", "--start", "--pca", "--landmarks")) {
                if (given(other) != null) {
                    throw new UsageException("--cascade and " + other + " exclude each other"
                            + ("--kernel".equals(other) ? "; --cascade names the kernels of all stages" : ""));
                }
            }
        }
        cascadeFlags.check(options(), machineFlags());
        DataOptions unlabelledOptions = unlabelled == null ? null : dataFlags().options(unlabelled);
        DataOptions landmarkOptions =
                landmarks == null ? null : testFlags.encoded(dataFlags().options(landmarks));
        KernelModel from = start == null ? null : platform().load(start);
        machineFlags().continueFrom(from);
        if (from != null && given("--bandwidth") != null) {
            throw new UsageException("--start " + start + ": the model has its own length-scales; remove --bandwidth");
        }
        Session session = open(testFlags);
        KernelMachine machine = cascadeFlags.given()
                ? configured(cascadeFlags.machine(session, machineFlags(), learningFlags()))
                : from == null
                        ? machine(session.source())
                        : configured(learningFlags().apply(machineFlags().resuming(session.source(), from)));
        if (unlabelledOptions != null) {
            machine = machine.withUnlabelled(platform()
                    .open(unlabelledOptions, session.source().encoding(), session.talk())
                    .withoutLabels());
        }
        if (landmarkOptions != null) {
            machine = machine.withLandmarks(platform()
                    .open(landmarkOptions, session.source().encoding(), session.talk())
                    .withoutLabels());
        }
        KernelMachine fresh = machine;
        KernelMachine started = from == null
                ? fresh
                : UsageException.in("--start " + start, () -> {
                    from.requireColumns(session.source());
                    return fresh.withStart(from);
                });

        RowSource rows =
                subsample == null ? session.training() : Holdout.sample(session.training(), subsample, started.seed());
        Talk talk = session.talk();
        try (Interruption interruption = new Interruption(talk)) {
            TrainingTalk.Lines lines = !monitor
                    ? TrainingTalk.Lines.NONE
                    : run().json() ? TrainingTalk.Lines.JSON : TrainingTalk.Lines.TEXT;
            TrainingTalk progress = new TrainingTalk(talk, lines, out(), interruption);
            // A map that does not fit the kernel shows only when the data have completed the kernel.
            TrainingResult trained = UsageException.orUsage(() -> started.fit(rows, session.workers(), progress));
            Evaluation evaluation = session.evaluate(trained.model());
            if (model != null) {
                platform().save(trained.model(), model);
            }
            talk.clear();
            String labelsFile = given("--labels");
            TrainFindings findings = new TrainFindings(
                    session,
                    trained,
                    labelsFile,
                    labelsFile == null && given("--label") == null,
                    learningFlags().learner(),
                    evaluation,
                    interruption.requested(),
                    testFlags.holdsOut(),
                    model,
                    trained.model().timedStages(rows));
            talk.say(findings.notes());
            if (!run().json()) {
                out().print(findings.text());
                out().flush();
                session.hint(model != null);
            } else if (monitor) {
                out().println(Json.write(findings.toMap()));
            } else {
                printJson(findings.toMap());
            }
            out().flush();
        }
        return Main.WORKED;
    }

    /** Makes a cascade of saved models. */
    private int combine() {
        double loss = cascadeFlags.loss();
        DataOptions testOptions = testFlags.options(dataFlags(), options(), null);
        List<KernelModel> stages = cascadeFlags.load();
        Session session = open(stages.get(stages.size() - 1), testOptions);
        Notes notes = new Notes();
        notes.addAll(SavedModels.trainedOn(data(), cascadeFlags.models(), stages, "thresholds", "stage"));
        KernelModel cascade =
                KernelModel.cascade(stages, session.training(), loss, session.workers(), session.talk(), notes);
        Evaluation evaluation = finish(session, cascade, notes);
        CombinedFindings findings = new CombinedFindings(
                session,
                cascadeFlags.models(),
                cascade,
                cascade.timedStages(session.training()),
                notes.list(),
                evaluation,
                model);
        print(session, findings::text, findings::toMap);
        return Main.WORKED;
    }

    /** Makes an average of saved models. */
    private int stack() {
        DataOptions testOptions = testFlags.options(dataFlags(), options(), null);
        List<KernelModel> members = ensembleFlags.load();
        Session session = open(members.get(0), testOptions);
        Notes notes = new Notes();
        notes.addAll(SavedModels.trainedOn(data(), ensembleFlags.members(), members, "weights", "member"));
        KernelModel average =
                KernelModel.average(members, session.training(), session.workers(), session.talk(), notes);
        Evaluation evaluation = finish(session, average, notes);
        StackedFindings findings =
                new StackedFindings(session, ensembleFlags.members(), average, notes.list(), evaluation, model);
        print(session, findings::text, findings::toMap);
        return Main.WORKED;
    }

    /** Opens DATA as a saved model reads it. */
    private Session open(KernelModel reading, @Nullable DataOptions testOptions) {
        Talk talk = talk(run());
        long start = System.nanoTime();
        SurveyedSource source = platform().open(testFlags.encoded(options()), reading.requireEncoding(), talk);
        double seconds = (System.nanoTime() - start) * 1e-9;
        TestFlags.Split split =
                testFlags.split(platform(), source, testOptions, machineFlags().seed(), talk);
        return new Session(source, split.training(), split.testing(), seconds, run().workers(), talk);
    }

    /** Evaluates and saves a model that was made of saved ones, and prints the notes. */
    private @Nullable Evaluation finish(Session session, KernelModel made, Notes notes) {
        Evaluation evaluation = session.evaluate(made);
        if (model != null) {
            platform().save(made, model);
        }
        session.talk().clear();
        session.talk().say(notes.list());
        return evaluation;
    }

    private void print(Session session, Supplier<String> text, Supplier<Map<String, @Nullable Object>> json) {
        if (run().json()) {
            printJson(json.get());
        } else {
            out().print(text.get());
            out().flush();
            session.hint(model != null);
        }
        out().flush();
    }

    /** Fails if a flag is given that has no effect on a model that is made of saved ones. */
    private void requireNoTraining(String made, Set<String> effective) {
        for (OptionSpec option : matched()) {
            String flag = option.longestName();
            String group =
                    option.group() == null ? "" : String.valueOf(option.group().heading());
            if (GROUPS_OF_SAVED_MODELS.contains(group) || effective.contains(flag)) {
                continue;
            }
            if (!flag.equals("--seed")) {
                throw new UsageException(made + " takes models that are trained already; remove " + flag);
            }
            if (!testFlags.holdsOut()) {
                throw new UsageException("--seed has no effect with " + made
                        + " unless rows are held out; remove it, or add --holdout 0.2");
            }
        }
    }
}
