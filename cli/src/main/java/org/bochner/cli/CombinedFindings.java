package org.bochner.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bochner.base.Note;
import org.bochner.model.CascadeStage;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelModel;
import org.jspecify.annotations.Nullable;

/**
 * The results of a cascade of saved models.
 *
 * @param models the files of the stages
 * @param cascade the cascade
 * @param stages its stages, with the counts of the rows on which the thresholds were chosen
 * @param notes the notes on the stages
 * @param evaluation evaluation of the cascade; null without test rows
 * @param output the file of the cascade; null if it was not saved
 */
record CombinedFindings(
        Session session,
        List<Path> models,
        KernelModel cascade,
        List<CascadeStage> stages,
        List<Note> notes,
        @Nullable Evaluation evaluation,
        @Nullable String output) {
    String text() {
        Facts facts = new Facts().add("rows", Text.count(stages.get(0).rows()));
        if (evaluation != null) {
            facts.add("test", Results.headline(evaluation));
        }
        if (output != null) {
            facts.add("model", "%s (%,d bytes)", output, cascade.fileBytes());
        }
        return facts
                + Text.of("%nStages, on %s:%n", Text.count(stages.get(0).rows(), CascadeFindings.unit(stages)))
                + CascadeFindings.table(stages)
                + CascadeFindings.ofTest(evaluation);
    }

    Map<String, @Nullable Object> toMap() {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("data", session.source().name());
        map.put("rows", stages.get(0).rows());
        map.put("task", session.task());
        map.put("classes", cascade.labels().names());
        map.put("stageModels", models.stream().map(Path::toString).toList());
        map.put("cascade", CascadeFindings.json(stages));
        if (evaluation != null) {
            Map<String, Object> measures = new LinkedHashMap<>();
            Results.addTo(measures, evaluation);
            map.putAll(measures);
            map.put("testCascade", CascadeFindings.json(evaluation.stages()));
        }
        map.put("notes", session.notes(notes));
        map.put("model", output);
        return map;
    }
}
