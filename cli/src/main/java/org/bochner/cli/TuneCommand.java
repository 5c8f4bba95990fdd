package org.bochner.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bochner.base.AtomicFile;
import org.bochner.base.BochnerException;
import org.bochner.data.DataOptions;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapRecipe;
import org.bochner.model.CrossValidation;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelModel;
import org.bochner.model.ModelMember;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;
import org.bochner.tune.Tuning;
import org.bochner.tune.TuningResult;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Searches for the best machine of a table, and trains it. */
@Command(
        name = "tune",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Search for the best scaling, kernel, map and learner, and train a model with them.",
        customSynopsis = {
            "bochner tune DATA [--budget TIME | --trials N] [--metric M] [--ensemble]",
            "                  [--holdout SHARE | --test DATA] [--model FILE]",
            "                  [--log FILE | --resume FILE] [OPTION]..."
        },
        description = {
            "",
            "Compares machines by their error on held-out rows: the default of train, smooth and rough kernels with"
                    + " features, landmarks, random grids or all kernel values, learned length-scales and matrices,"
                    + " scalings for outliers and long tails, kernels of histograms, and variations of the best ones."
                    + " All are tested on a small sample of the rows, and those that do well on larger samples and at"
                    + " last on several folds of all rows. The best machine is then trained on all rows.",
            "",
            "Prints all machines with their errors, the constant and the linear model among them; the gain over the"
                    + " linear model; the error on test rows; and the command that trains the best machine again."
                    + " Test rows take no part in the search. Ctrl-C trains and saves the best machine so far."
        })
final class TuneCommand extends DataCommand {
    private static final int FOLDS = 5;

    /** Flags that train does not have, and flags that the found values replace. */
    private static final Set<String> OWN = Set.of(
            "--budget",
            "--trials",
            "--metric",
            "--ensemble",
            "--log",
            "--resume",
            "--model",
            "--matrix",
            "--json",
            "--quiet",
            "--threads",
            "--scale");

    @Option(names = "--model", paramLabel = "FILE", description = "Save the model to this file.")
    @Writes
    private @Nullable Path model;

    @Option(
            names = "--matrix",
            paramLabel = "FILE",
            description = "If the best machine has a learned matrix, write it to this CSV file, which --scale 'standard"
                    + " then linear(file=FILE)' of train reads.")
    @Writes
    private @Nullable Path matrix;

    @ArgGroup(validate = false, heading = SearchFlags.HEADING, order = 1)
    private SearchFlags searchFlags = new SearchFlags();

    @ArgGroup(validate = false, heading = TestFlags.HEADING, order = 4)
    private TestFlags testFlags = new TestFlags();

    @Override
    public Integer call() {
        Tuning tuning = searchFlags.search();
        DataOptions options = searchFlags.reading(options());
        Session session = open(options, searchFlags, testFlags);
        UsageException.in("--metric", () -> {
            tuning.requireMetric(session.source().labels());
            return tuning;
        });
        Talk talk = session.talk();
        talk.say(CrossValidation.notes(session.source(), FOLDS));
        try (Interruption interruption = new Interruption(talk)) {
            SearchTalk progress = new SearchTalk(talk, session.classes(), interruption);
            TuningResult result = tuning.search(session.training(), session.workers(), progress);
            finish(session, result);
        }
        return Main.WORKED;
    }

    /** Evaluates, saves and prints. The result of a long search is printed even if a file cannot be read or written. */
    private void finish(Session session, TuningResult result) {
        KernelModel trained = result.trained().model();
        BochnerException failure = result.logFailure();
        Evaluation evaluation = null;
        try {
            evaluation = session.evaluate(trained);
        } catch (BochnerException e) {
            failure = e;
        }
        boolean turned = result.average() == null && trained.scaler().matrix().length > 0;
        Scaling scaling = trained.scaler().scaling();
        boolean saved = false;
        try {
            scaling = AtomicFile.together(() -> {
                if (model != null) {
                    trained.save(model);
                }
                return turned && matrix != null
                        ? Scalings.writeMatrix(trained.scaler(), matrix)
                        : trained.scaler().scaling();
            });
            saved = true;
        } catch (BochnerException e) {
            failure = e;
        }
        Talk talk = session.talk();
        talk.clear();
        talk.say(result.notes());
        if (matrix != null && !turned) {
            talk.say("note: --matrix " + matrix + " was not written: "
                    + (result.average() == null
                            ? "the best machine has no learned matrix"
                            : "the model is an average of machines"));
        }
        TuneFindings findings = new TuneFindings(
                session,
                result,
                session.classes(),
                again(result, scaling),
                evaluation,
                testFlags.holdsOut(),
                searchFlags.log(),
                saved && turned ? matrix : null,
                saved ? model : null);
        if (run().json()) {
            printJson(findings.toMap());
        } else {
            out().print(findings.text());
            out().flush();
            session.hint(model != null);
        }
        out().flush();
        if (failure != null) {
            throw failure;
        }
    }

    /** Returns the commands that train the best machine again, or each member of an average. */
    private List<String> again(TuningResult result, Scaling scaling) {
        TuningResult.Average average = result.average();
        if (average == null) {
            return List.of(again(
                    result.winner(), result.learnedKernel(), result.trained().model(), scaling));
        }
        List<String> commands = new ArrayList<>();
        List<ModelMember> members = result.trained().model().members();
        for (int m = 0; m < members.size(); m++) {
            TuningResult.Member member = average.members().get(m);
            KernelModel trained = members.get(m).model();
            commands.add(again(
                    member.trial(),
                    member.learnedKernel(),
                    trained,
                    trained.scaler().scaling()));
        }
        return commands;
    }

    /** Returns the command that trains a machine again. */
    private String again(TuningResult.Trial trial, @Nullable String kernel, KernelModel trained, Scaling scaling) {
        boolean spelled = trained.scaler().matrix().length == 0
                || !Scalings.files(scaling.toString()).isEmpty();
        if (kernel != null && spelled) {
            Again command = new Again("train", data()).flag("--scale", scaling);
            MapRecipe map = trained.training().map();
            if (map.takesFeatures()) {
                command.flag("--features", trained.map().outputDimension());
            }
            if (!map.equals(FeatureMaps.auto())) {
                command.flag("--map", map);
            }
            return command.given(matched(), OWN)
                    .flag("--learner", trained.training().requireLearner())
                    .flag("--kernel", kernel)
                    .toString();
        }
        String method = trial.method();
        Again command = new Again(method == null ? "train" : "learn-kernel", data());
        if (method != null) {
            command.flag("--method", method);
        }
        if (trial.scaling() != null) {
            command.flag("--scale", trial.scaling());
        }
        if (trial.kernel() != null) {
            command.flag("--kernel", trial.kernel());
        }
        if (!trial.map().equals("auto")) {
            command.flag("--map", trial.map());
        }
        if (trial.features() > 0) {
            command.flag("--features", trial.features());
        }
        if (!trial.learner().equals("ridge")) {
            command.flag("--learner", trial.learner());
        }
        return command.given(matched(), OWN).toString();
    }
}
