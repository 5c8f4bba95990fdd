package org.bochner.cli;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.bochner.base.Note;
import org.bochner.data.Labels;
import org.bochner.data.RowSource;
import org.bochner.data.SurveyedSource;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelModel;
import org.bochner.numeric.Workers;
import org.jspecify.annotations.Nullable;

/**
 * The data of one run, with its threads and output.
 *
 * @param source all rows of DATA
 * @param training the rows to train on
 * @param testing the rows to test on; null for none
 * @param readSeconds the seconds that the survey of DATA took
 */
record Session(
        SurveyedSource source,
        RowSource training,
        @Nullable RowSource testing,
        double readSeconds,
        Workers workers,
        Talk talk) {
    private static final double[] USUAL_LEVELS = {0.8, 0.9, 0.95};

    boolean classes() {
        return source.labels() instanceof Labels.Classes;
    }

    /** Returns the name of the task, for JSON. */
    String task() {
        return classes() ? "classify" : "regress";
    }

    /** Returns the test rows of a command that always has some. */
    RowSource test() {
        return Objects.requireNonNull(testing, "test rows");
    }

    /** Evaluates a model on the test rows; null if there are none. A model with uncertainty is tested at usual levels. */
    @Nullable
    Evaluation evaluate(KernelModel model) {
        if (testing == null) {
            return null;
        }
        double[] levels = model.uncertainty().isPresent() ? USUAL_LEVELS : new double[0];
        Evaluation evaluation = Evaluation.of(model, testing, workers, talk, 1, levels);
        if (testing instanceof SurveyedSource file) {
            talk.clear();
            talk.say(file.notes());
        }
        return evaluation;
    }

    /** All notes for JSON: those about the data, then the others. */
    List<String> notes(List<Note> others) {
        return SettingFlags.texts(
                Stream.concat(source.notes().stream(), others.stream()).toList());
    }

    /** Prints a hint on further flags after a text result. */
    void hint(boolean saved) {
        if (testing == null) {
            talk.say("Add --holdout 0.2 or --test FILE to measure the error on rows that were not used for training.");
        }
        if (!saved) {
            talk.say("The model was not saved. Add --model FILE to save it.");
        }
    }
}
