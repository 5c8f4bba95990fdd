package org.bochner.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bochner.base.Note;
import org.bochner.data.Labels;
import org.bochner.learn.Convergence;
import org.bochner.learn.Learner;
import org.bochner.learn.PathPoint;
import org.bochner.model.CascadeStage;
import org.bochner.model.Evaluation;
import org.bochner.model.TrainingReport;
import org.bochner.model.TrainingResult;
import org.jspecify.annotations.Nullable;

/**
 * The results of the train command.
 *
 * @param labelsFile the file of the labels; null if they are in DATA
 * @param lastIsLabel true if the last column was taken for the label because none was named
 * @param learner the learner as it was asked for
 * @param evaluation evaluation of the model; null without test rows
 * @param interrupted true if Ctrl-C or SIGTERM stopped the solver
 * @param heldOut true if the test rows are held out from the data
 * @param model the file of the model; null if it was not saved
 * @param stages the stages of a cascade, with the counts of the held-out rows of its training; empty for other models
 */
record TrainFindings(
        Session session,
        TrainingResult trained,
        @Nullable String labelsFile,
        boolean lastIsLabel,
        Learner learner,
        @Nullable Evaluation evaluation,
        boolean interrupted,
        boolean heldOut,
        @Nullable String model,
        List<CascadeStage> stages) {
    String text() {
        TrainingReport report = trained.report();
        Facts facts = new Facts().add(trained.model().ofSets() ? "sets" : "rows", Text.count(report.rows()));
        String label = label();
        if (label != null) {
            String place = lastIsLabel ? " (the last column; --label sets another)" : "";
            facts.add("label", Text.column(label) + place);
        }
        boolean tree = trained.model().tree().isPresent();
        if (tree) {
            facts.add("tree", MemberFindings.machines(trained.model())).add("learner", learner);
        } else {
            addMachine(facts);
        }
        trained.model()
                .uncertainty()
                .ifPresent(recipe -> facts.add("uncertainty", TrainingFacts.uncertainty(trained.model(), recipe)));
        if (report.learner().sparse() && !tree) {
            facts.add("kept", "%,d of %,d features have non-zero weights", report.nonZeros(), report.features());
        }
        if (interrupted) {
            facts.add("interrupted", "the model has the best weights that the solver had found by then");
        }
        facts.add(
                "time",
                "%.2f s: map %.2f, statistics %.2f, solve %.2f; before that, %.2f s to %s%s",
                report.fitSeconds(),
                report.mapSeconds(),
                report.gramSeconds(),
                report.solveSeconds(),
                report.prepareSeconds(),
                trained.model().training().kernel().needsData()
                        ? "choose scaling, scales and map"
                        : "fit the scaling and the map",
                report.designSeconds() > 0 ? Text.of(", of which %.2f s to design it", report.designSeconds()) : "");
        if (evaluation != null) {
            facts.add(heldOut ? "holdout" : "test", Results.headline(evaluation));
            Results.addCalibrationEffect(facts, evaluation);
            Results.addCoverage(facts, evaluation);
        }
        if (model != null) {
            facts.add("model", "%s (%,d bytes)", model, trained.model().fileBytes());
        }
        return facts + cascade() + MemberFindings.text(trained.model());
    }

    /** Adds the settings of the machine, or of the first one of an average. */
    private void addMachine(Facts facts) {
        TrainingReport report = trained.report();
        String machine = trained.model().members().isEmpty() ? "kernel" : "machine 1";
        facts.add(stages.isEmpty() ? machine : "last stage", report.kernel())
                .add("map", report.map() + ", " + trained.model().map().outputDimension() + " features")
                .add("scaling", trained.model().scaler())
                .add("learner", learner)
                .add(
                        report.learner().strengthName(),
                        "%.4g: %s",
                        report.learner().spelled(report.chosen().lambda()),
                        report.reason());
        Convergence convergence = report.convergence();
        if (!convergence.direct()) {
            facts.add(
                    "solver",
                    "%s, %s, objective %.6g, %s %.2g: %s",
                    convergence.method(),
                    Text.count(convergence.iterations(), "iteration"),
                    convergence.objective(),
                    convergence.measure(),
                    convergence.residual(),
                    convergence.end().reason());
        }
    }

    /** Returns the tables of a cascade; empty for other models. */
    private String cascade() {
        if (stages.isEmpty()) {
            return "";
        }
        String held = Text.of(
                "%nStages, on %s held out in training:%n",
                Text.count(stages.get(0).rows(), CascadeFindings.unit(stages)));
        return held + CascadeFindings.table(stages) + CascadeFindings.ofTest(evaluation);
    }

    /** Returns the names of the label columns or the file of the labels; null if the file has no label column. */
    private @Nullable String label() {
        List<String> columns = session.source().labelColumns();
        if (labelsFile != null) {
            return labelsFile;
        }
        return columns.isEmpty() ? null : String.join(",", columns);
    }

    /** Returns the notes of training, then one if the model is no better than a constant. */
    List<Note> notes() {
        return Stream.concat(
                        trained.report().notes().stream(),
                        Results.noBetterThanAConstant(
                                evaluation, trained.model().training())
                                .stream())
                .toList();
    }

    Map<String, Object> toMap() {
        TrainingReport report = trained.report();
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("data", session.source().name());
        map.put("rows", report.rows());
        map.put("columns", session.source().columns());
        map.put("label", label());
        map.put("task", session.task());
        if (session.source().labels() instanceof Labels.Classes classes) {
            map.put("classes", classes.names());
        }
        map.put("kernel", report.kernel().toString());
        map.put("map", report.map().toString());
        map.put("features", trained.model().map().outputDimension());
        map.put("scaling", trained.model().scaler().toString());
        map.put("learner", learner.toString());
        map.put("lambda", report.chosen().lambda());
        map.put("lambdaReason", report.reason());
        map.put("lambdaPath", report.path().stream().map(TrainFindings::toMap).toList());
        map.put("solver", toMap(report.convergence()));
        map.put("interrupted", interrupted);
        map.put("nonZeroFeatures", report.nonZeros());
        trained.model().uncertainty().ifPresent(recipe -> map.put("uncertainty", TrainingFacts.json(trained.model())));
        map.put("precision", Text.word(trained.model().precision()));
        map.put("seed", trained.model().training().seed().value());
        map.put("threads", session.workers().threads());
        Results.addTo(map, evaluation);
        if (!stages.isEmpty()) {
            map.put("cascade", CascadeFindings.json(stages));
        }
        if (evaluation != null && !evaluation.stages().isEmpty()) {
            map.put("testCascade", CascadeFindings.json(evaluation.stages()));
        }
        MemberFindings.addTo(map, trained.model());
        map.put("readSeconds", session.readSeconds());
        map.put("prepareSeconds", report.prepareSeconds());
        map.put("designSeconds", report.designSeconds());
        map.put("fitSeconds", report.fitSeconds());
        map.put("mapSeconds", report.mapSeconds());
        map.put("gramSeconds", report.gramSeconds());
        map.put("solveSeconds", report.solveSeconds());
        map.put("memoryNeededBytes", report.bytesNeeded());
        map.put("peakMemoryBytes", Memory.peakBytes());
        map.put("model", model);
        map.put("notes", session.notes(notes()));
        return map;
    }

    private static Map<String, Object> toMap(Convergence convergence) {
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

    private static Map<String, Object> toMap(PathPoint point) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("lambda", point.lambda());
        map.put("degreesOfFreedom", point.degreesOfFreedom());
        map.put("trainingError", point.trainingLoss());
        map.put("score", point.validationError());
        return map;
    }
}
