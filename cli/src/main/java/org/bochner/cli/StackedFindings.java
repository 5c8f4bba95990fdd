package org.bochner.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bochner.base.Note;
import org.bochner.data.Labels;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelModel;
import org.jspecify.annotations.Nullable;

/**
 * The results of an average of saved models.
 *
 * @param files the files of the models
 * @param average the average
 * @param notes the notes on the members
 * @param evaluation evaluation of the average; null without test rows
 * @param output the file of the average; null if it was not saved
 */
record StackedFindings(
        Session session,
        List<Path> files,
        KernelModel average,
        List<Note> notes,
        @Nullable Evaluation evaluation,
        @Nullable String output) {
    String text() {
        int kept = average.members().size();
        Facts facts = new Facts()
                .add("models", Text.count(kept) + (kept == files.size() ? "" : " of " + Text.count(files.size())));
        if (evaluation != null) {
            facts.add("test", Results.headline(evaluation));
        }
        if (output != null) {
            facts.add("model", "%s (%,d bytes)", output, average.fileBytes());
        }
        return facts
                + Text.of(
                        "%nMembers, with weights fitted to %s:%n",
                        session.training().name())
                + MemberFindings.table(average.members());
    }

    Map<String, @Nullable Object> toMap() {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("data", session.source().name());
        map.put("task", session.task());
        if (average.labels() instanceof Labels.Classes classes) {
            map.put("classes", classes.names());
        }
        map.put("memberModels", files.stream().map(Path::toString).toList());
        map.put("members", MemberFindings.json(average.members()));
        Map<String, Object> measures = new LinkedHashMap<>();
        Results.addTo(measures, evaluation);
        map.putAll(measures);
        map.put("notes", session.notes(notes));
        map.put("model", output);
        return map;
    }
}
