package org.bochner.learn;

import java.util.Locale;
import java.util.Map;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.Setting;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.data.Labels;
import org.bochner.data.Task;

/**
 * A recipe for the calibration of a classifier's scores: {@code platt}, {@code temperature} and {@code isotonic} turn
 * scores into probabilities, {@code quantile} shifts them to make one quantile equal for all classes.
 *
 * <p>Probabilities are fitted to scores of held-out rows: of all rows, by cross-validation, or of a share of the rows.
 * The model itself learns from all rows.
 *
 * @param method the method
 * @param folds the folds of the cross-validation, at least 2; 0 if rows are held out instead, and for {@code quantile}
 * @param holdout the share of rows held out, between 0 and 1; 0 if there are folds, and for {@code quantile}
 * @param rank the rank of the score that {@code quantile} makes equal; 0 for 0.4 times the rows per class, and for all
 *     other methods
 */
public record CalibrationRecipe(Method method, int folds, double holdout, int rank) {
    private static final int DEFAULT_FOLDS = 5;

    /** The methods. */
    public enum Method {
        /** σ(a·s + b), with slope a and offset b per class. */
        PLATT,
        /** Softmax of s/T, with one temperature T. */
        TEMPERATURE,
        /** A non-decreasing function per class. */
        ISOTONIC,
        /**
         * Shifts the scores of each class to make the r-th highest score over all training rows equal for all classes.
         * It is for thousands of classes of similar size, learned one against the rest, some of which score high
         * everywhere. It gives no probabilities.
         */
        QUANTILE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public CalibrationRecipe {
        String name = method.toString();
        Require.atLeast(name, "rank", rank, 0);
        Require.that(rank == 0 || method == Method.QUANTILE, name, "has no rank, which is for quantile");
        if (method == Method.QUANTILE) {
            Require.that(folds == 0 && holdout == 0, name, "needs neither folds nor held-out rows");
        } else if (holdout == 0) {
            Require.atLeast(name, "folds", folds, 2);
        } else {
            Require.between(name, "holdout", holdout, 0, 1);
            Require.that(folds == 0, name, "folds and holdout exclude each other");
        }
    }

    /** Returns Platt scaling, σ(a·s + b), with a cross-validation of five folds. */
    public static CalibrationRecipe platt() {
        return new CalibrationRecipe(Method.PLATT, DEFAULT_FOLDS, 0, 0);
    }

    /** Returns the softmax of s/T, with a cross-validation of five folds. */
    public static CalibrationRecipe temperature() {
        return new CalibrationRecipe(Method.TEMPERATURE, DEFAULT_FOLDS, 0, 0);
    }

    /** Returns a non-decreasing function per class, with a cross-validation of five folds. */
    public static CalibrationRecipe isotonic() {
        return new CalibrationRecipe(Method.ISOTONIC, DEFAULT_FOLDS, 0, 0);
    }

    /** Returns the shift of scores to one quantile, whose rank is 0.4 times the rows per class. */
    public static CalibrationRecipe quantile() {
        return new CalibrationRecipe(Method.QUANTILE, 0, 0, 0);
    }

    /** Returns this recipe with a cross-validation of at least two folds; not for {@code quantile}. */
    public CalibrationRecipe withFolds(int count) {
        return new CalibrationRecipe(method, Require.atLeast(method.toString(), "folds", count, 2), 0, rank);
    }

    /** Returns this recipe with a share of the rows held out, between 0 and 1; not for {@code quantile}. */
    public CalibrationRecipe withHoldout(double share) {
        return new CalibrationRecipe(method, 0, Require.between(method.toString(), "holdout", share, 0, 1), rank);
    }

    /** Returns {@code quantile} with another rank of the score that is made equal, of at least 1. */
    public CalibrationRecipe withRank(int other) {
        return new CalibrationRecipe(method, folds, holdout, Require.atLeast(method.toString(), "rank", other, 1));
    }

    /**
     * Reads {@code platt}, {@code temperature(folds=10)}, {@code isotonic(holdout=0.2)}, {@code quantile(rank=500)}.
     */
    public static CalibrationRecipe parse(String text) {
        return Spelling.reading(() -> read(Spelling.parse("calibration", text)));
    }

    private static CalibrationRecipe read(Spelling spelling) {
        Map<String, String> aliases = Map.of("sigmoid", "platt", "plattscaling", "platt");
        Method method = Spelling.oneOf("calibration", spelling.name(), Method.values(), aliases);
        if (method == Method.QUANTILE) {
            spelling.allow("rank");
            return spelling.has("rank") ? quantile().withRank(spelling.integer("rank", 0)) : quantile();
        }
        spelling.allow("folds", "holdout");
        CalibrationRecipe folded = new CalibrationRecipe(method, spelling.integer("folds", DEFAULT_FOLDS), 0, 0);
        if (!spelling.has("holdout")) {
            return folded;
        }
        if (spelling.has("folds")) {
            throw new SpellingException(method + ": folds and holdout exclude each other");
        }
        return folded.withHoldout(spelling.share("holdout", Double.NaN));
    }

    /** Checks that models of these labels can be calibrated. */
    public void check(Labels labels) {
        if (!(labels instanceof Labels.Classes classes)) {
            throw new BochnerException(
                    method + ": calibrates the scores of classes, and the labels are numbers",
                    Remedy.advice("leave it out"),
                    Remedy.set(Setting.TASK, Task.CLASSIFY, ""));
        }
        if (method == Method.QUANTILE && classes.names().size() == 2) {
            throw new BochnerException(
                    method + ": two classes have a single score, so that there is nothing to make equal",
                    Remedy.advice("use balanced class weights"),
                    Remedy.set(Setting.CALIBRATION, "platt", ""));
        }
    }

    /** Returns the spelling, which {@link #parse} reads. */
    @Override
    public String toString() {
        if (method == Method.QUANTILE) {
            return rank == 0 ? method.toString() : method + "(rank=" + rank + ")";
        }
        return method + (holdout == 0 ? "(folds=" + folds + ")" : "(holdout=" + Spelling.print(holdout) + ")");
    }
}
