package org.bochner.cli;

import org.bochner.map.MapReport;

/** Which error of a map {@code --max-error} is about. */
enum ErrorMeasure {
    RMS,
    MAX,
    MEAN,
    PERCENTILE99;

    double of(MapReport.Errors errors) {
        return switch (this) {
            case RMS -> errors.rms();
            case MAX -> errors.max();
            case MEAN -> errors.mean();
            case PERCENTILE99 -> errors.percentile99();
        };
    }
}
