package org.bochner.tune.search;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.SpellingException;
import org.bochner.data.Labels;

/** The error that candidates are compared by. Smaller is better; 0 is perfect. */
public enum Measure {
    /** The share of rows with a wrong predicted class. */
    ERROR(true),
    /** The mean over the classes of the share of their rows with a wrong predicted class. */
    BALANCED_ERROR(true),
    /** The root of the mean squared error over rows and predicted numbers. */
    RMSE(false),
    /** The mean absolute error over rows and predicted numbers. */
    MAE(false);

    private final boolean ofClasses;

    Measure(boolean ofClasses) {
        this.ofClasses = ofClasses;
    }

    /** Returns the usual measure of labels. */
    public static Measure usual(Labels labels) {
        return labels instanceof Labels.Classes ? ERROR : RMSE;
    }

    /** Parses the name of a measure. */
    public static Measure parse(String name) {
        return Arrays.stream(values())
                .filter(measure -> measure.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new SpellingException("unknown metric '" + name + "'; use one of "
                        + Arrays.stream(values()).map(Measure::toString).collect(Collectors.joining(", "))));
    }

    /** Fails if the measure is one of other labels. */
    public void requireFits(Labels labels) {
        boolean classes = labels instanceof Labels.Classes;
        if (classes != ofClasses) {
            List<String> fitting = Arrays.stream(values())
                    .filter(measure -> measure.ofClasses == classes)
                    .map(Measure::toString)
                    .toList();
            throw new SpellingException(
                    "the metric " + this + " is for " + (ofClasses ? "classes" : "numbers") + ", and the labels are "
                            + (classes ? "classes" : "numbers") + "; use " + String.join(" or ", fitting),
                    Remedy.set(
                            Setting.TASK,
                            ofClasses ? "classify" : "regress",
                            "takes the labels for " + (ofClasses ? "classes" : "numbers")));
        }
    }

    /** Returns the measure for a mean loss of rows. */
    double value(double mean) {
        return this == RMSE ? Math.sqrt(mean) : mean;
    }

    /** Returns the derivative of the measure by the mean loss. */
    double slope(double mean) {
        return this != RMSE ? 1 : mean > 0 ? 0.5 / Math.sqrt(mean) : 0;
    }

    /** Returns the name, such as {@code rmse} or {@code balanced-error}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
