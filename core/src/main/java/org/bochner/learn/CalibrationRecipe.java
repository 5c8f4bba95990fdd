package org.bochner.learn;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.data.Labels;
import org.bochner.numeric.Workers;

/**
 * What is to be done to the scores of a model of classes: {@code platt}, {@code temperature} or {@code isotonic} to make
 * probabilities of them, {@code quantile} to bring those of thousands of classes to one level.
 */
public sealed interface CalibrationRecipe {
    /** Fails, saying why, if models of such labels cannot be calibrated so. */
    void check(Labels labels);

    /** How probabilities are made of scores; {@link Calibration} has the formulas. */
    enum Method {
        PLATT {
            @Override
            public Calibration fit(ScoreAccumulator rows, Workers workers) {
                return SigmoidCalibration.fit(rows, workers);
            }
        },
        TEMPERATURE {
            @Override
            public Calibration fit(ScoreAccumulator rows, Workers workers) {
                return SoftmaxCalibration.fit(rows, workers);
            }
        },
        ISOTONIC {
            @Override
            public Calibration fit(ScoreAccumulator rows, Workers workers) {
                return IsotonicCalibration.fit(rows, workers);
            }
        };

        /** Fits it to rows that the model has not learned from, of which there must be one with a weight above 0. */
        public abstract Calibration fit(ScoreAccumulator rows, Workers workers);

        private String spelling() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Probabilities, fitted to the scores that rows get from models that have not learned from them: of all rows, by
     * cross-validation, or of a share that is held out. The model itself learns from all rows.
     *
     * @param method what is fitted
     * @param folds of the cross-validation, at least 2; 0 where rows are held out instead
     * @param holdout the share of rows held out; 0 where there are folds
     */
    record Probabilities(Method method, int folds, double holdout) implements CalibrationRecipe {
        private static final int DEFAULT_FOLDS = 5;

        public Probabilities {
            if (holdout == 0) {
                Require.atLeast(method.spelling(), "folds", folds, 2);
            } else {
                Require.between(method.spelling(), "holdout", holdout, 0, 1);
                Require.that(folds == 0, method.spelling(), "folds and holdout exclude each other");
            }
        }

        @Override
        public void check(Labels labels) {
            if (!(labels instanceof Labels.Classes)) {
                throw new BochnerException(method.spelling() + ": only classes have probabilities, and the labels are"
                        + " numbers; leave it out, or use --task classify");
            }
        }

        @Override
        public String toString() {
            return method.spelling()
                    + (holdout == 0 ? "(folds=" + folds + ")" : "(holdout=" + Spelling.print(holdout) + ")");
        }
    }

    /**
     * Scores of every class shifted so that the r-th highest over all training rows is the same for all: a rule for
     * thousands of classes of about the same size, learned one against all, some of which score high everywhere. It gives
     * no probabilities.
     *
     * @param rank r, at least 1; 0 for 0.4 times the rows a class
     */
    record Quantile(int rank) implements CalibrationRecipe {
        public static final String NAME = "quantile";

        public Quantile {
            Require.atLeast(NAME, "rank", rank, 0);
        }

        @Override
        public void check(Labels labels) {
            if (!(labels instanceof Labels.Classes classes)) {
                throw new BochnerException(NAME + ": it brings the scores of classes to one level, and the labels are"
                        + " numbers; leave it out, or use --task classify");
            }
            if (classes.names().size() == 2) {
                throw new BochnerException(NAME + ": two classes have a single score, so that there is nothing to bring"
                        + " to one level; use balanced class weights, or platt");
            }
        }

        @Override
        public String toString() {
            return rank == 0 ? NAME : NAME + "(rank=" + rank + ")";
        }
    }

    /** Reads {@code platt}, {@code temperature(folds=10)}, {@code isotonic(holdout=0.2)}, {@code quantile(rank=500)}. */
    static CalibrationRecipe parse(String text) {
        Spelling spelling = Spelling.parse("calibration", text);
        if (spelling.name().equals(Quantile.NAME)) {
            spelling.allow("rank");
            return new Quantile(
                    spelling.has("rank") ? Require.atLeast(Quantile.NAME, "rank", spelling.integer("rank", 0), 1) : 0);
        }
        for (Method method : Method.values()) {
            if (spelling.name().equals(method.spelling())) {
                return parse(method, spelling.allow("folds", "holdout"));
            }
        }
        List<String> known = Stream.concat(
                        Arrays.stream(Method.values()).map(Method::spelling), Stream.of(Quantile.NAME))
                .toList();
        throw Spelling.unknown(
                "calibration", spelling.name(), known, Map.of("sigmoid", "platt", "plattscaling", "platt"));
    }

    private static Probabilities parse(Method method, Spelling spelling) {
        if (!spelling.has("holdout")) {
            return new Probabilities(method, spelling.integer("folds", Probabilities.DEFAULT_FOLDS), 0);
        }
        if (spelling.has("folds")) {
            throw new SpellingException(method.spelling() + ": folds and holdout exclude each other");
        }
        return new Probabilities(
                method, 0, Require.between(method.spelling(), "holdout", spelling.share("holdout", Double.NaN), 0, 1));
    }
}
