package org.bochner.cli;

import java.io.Serializable;
import java.util.List;
import org.bochner.model.KernelModel;
import org.bochner.model.PredictionWriter;
import org.jspecify.annotations.Nullable;

/**
 * The form of written predictions, as the flags of predict give it.
 *
 * @param level the level of intervals or sets; null for none
 * @param digits the most significant digits; null for the default
 * @param carried the names of the columns that are copied
 */
public record PredictionForm(
        Values values,
        Layout layout,
        @Nullable Double level,
        boolean header,
        @Nullable Integer digits,
        List<String> carried)
        implements Serializable {
    /** The values that are written per row. */
    public enum Values {
        PREDICTIONS,
        SCORES,
        PROBABILITIES
    }

    /** The format of the text. */
    public enum Layout {
        LINES,
        CSV,
        TSV,
        JSON_LINES
    }

    PredictionForm withCarried(List<String> columns) {
        return new PredictionForm(values, layout, level, header, digits, List.copyOf(columns));
    }

    /** Returns this form without or with a line of column names. */
    public PredictionForm withHeader(boolean wanted) {
        return new PredictionForm(values, layout, level, wanted, digits, carried);
    }

    /** Returns a writer of the predictions of a model. */
    public PredictionWriter writer(KernelModel model) {
        PredictionWriter plain =
                switch (values) {
                    case PREDICTIONS -> PredictionWriter.ofPredictions(model);
                    case SCORES -> PredictionWriter.ofScores(model);
                    case PROBABILITIES -> PredictionWriter.ofProbabilities(model);
                };
        PredictionWriter levelled = level == null ? plain : plain.withIntervals(level);
        PredictionWriter formatted =
                switch (layout) {
                    case LINES -> levelled;
                    case CSV -> levelled.asCsv();
                    case TSV -> levelled.asTsv();
                    case JSON_LINES -> levelled.asJsonLines();
                };
        PredictionWriter headed = formatted.withHeader(header);
        PredictionWriter rounded = digits == null ? headed : headed.withDigits(digits);
        return rounded.withCarried(carried);
    }
}
