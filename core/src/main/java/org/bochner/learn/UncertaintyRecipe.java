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

/**
 * A recipe for the uncertainty of predictions: intervals for numbers, and sets of classes.
 *
 * <p>{@code conformal} measures errors on rows that the model did not learn from. With a share, these rows are set aside,
 * and the model learns from the others only. With folds, every row is predicted once by a model that was trained without
 * it, and the final model learns from all rows.
 *
 * <p>{@code gaussian} takes ridge regression for a Gaussian process, whose predictive variance depends on the row. It is
 * for numbers only.
 *
 * @param method the method
 * @param folds the folds of {@code conformal}, at least 2; 0 if a share is set aside, and for {@code gaussian}
 * @param share the share of the rows that is set aside, between 0 and 1; 0 if there are folds, and for {@code gaussian}
 */
public record UncertaintyRecipe(Method method, int folds, double share) {
    private static final int DEFAULT_FOLDS = 5;
    private static final String SHARE = "share";
    private static final String FOLDS = "folds";

    /** The methods. */
    public enum Method {
        /** Quantiles of the errors on rows that were held out. */
        CONFORMAL,
        /** The predictive distribution of a Gaussian process. */
        GAUSSIAN;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public UncertaintyRecipe {
        String name = method.toString();
        if (method == Method.GAUSSIAN) {
            Require.that(folds == 0 && share == 0, name, "needs neither folds nor rows set aside");
        } else if (share == 0) {
            Require.atLeast(name, FOLDS, folds, 2);
        } else {
            Require.between(name, SHARE, share, 0, 1);
            Require.that(folds == 0, name, "folds and share exclude each other");
        }
    }

    /** Returns {@code conformal} with a cross-validation of five folds. */
    public static UncertaintyRecipe conformal() {
        return new UncertaintyRecipe(Method.CONFORMAL, DEFAULT_FOLDS, 0);
    }

    /** Returns {@code gaussian}. */
    public static UncertaintyRecipe gaussian() {
        return new UncertaintyRecipe(Method.GAUSSIAN, 0, 0);
    }

    /** Returns this recipe with a cross-validation of at least two folds; not for {@code gaussian}. */
    public UncertaintyRecipe withFolds(int count) {
        return new UncertaintyRecipe(method, Require.atLeast(method.toString(), FOLDS, count, 2), 0);
    }

    /** Returns this recipe with a share of the rows set aside, between 0 and 1; not for {@code gaussian}. */
    public UncertaintyRecipe withShare(double setAside) {
        return new UncertaintyRecipe(method, 0, Require.between(method.toString(), SHARE, setAside, 0, 1));
    }

    /** Reads {@code conformal}, {@code conformal(folds=10)}, {@code conformal(share=0.2)} or {@code gaussian}. */
    public static UncertaintyRecipe parse(String text) {
        return Spelling.reading(() -> read(Spelling.parse("uncertainty", text)));
    }

    private static UncertaintyRecipe read(Spelling spelling) {
        Map<String, String> aliases =
                Map.of("splitconformal", "conformal", "crossconformal", "conformal", "gp", "gaussian");
        Method method = Spelling.oneOf("uncertainty", spelling.name(), Method.values(), aliases);
        if (method == Method.GAUSSIAN) {
            spelling.allow();
            return gaussian();
        }
        spelling.allow(FOLDS, SHARE);
        if (!spelling.has(SHARE)) {
            return new UncertaintyRecipe(method, spelling.integer(FOLDS, DEFAULT_FOLDS), 0);
        }
        if (spelling.has(FOLDS)) {
            throw new SpellingException(method + ": folds and share exclude each other");
        }
        return conformal().withShare(spelling.share(SHARE, Double.NaN));
    }

    /** Returns true if errors are measured on rows that were held out. */
    public boolean isConformal() {
        return method == Method.CONFORMAL;
    }

    /**
     * Checks that a level is the probability of an interval or a set.
     *
     * @return the level
     */
    public static double requireLevel(double level) {
        return Require.between("uncertainty", "level", level, 0, 1);
    }

    /** Checks that models of these labels can have this uncertainty. */
    public void check(Labels labels) {
        if (method == Method.GAUSSIAN && labels instanceof Labels.Classes) {
            throw new BochnerException(
                    "gaussian: gives intervals for numbers, and the labels are classes",
                    Remedy.set(Setting.UNCERTAINTY, "conformal", "gives sets of classes"));
        }
    }

    /** Returns the spelling, which {@link #parse} reads. */
    @Override
    public String toString() {
        if (method == Method.GAUSSIAN) {
            return method.toString();
        }
        return method + (share == 0 ? "(folds=" + folds + ")" : "(share=" + Spelling.print(share) + ")");
    }
}
