package org.bochner.learn;

import java.util.List;
import java.util.Map;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.Setting;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.data.Labels;

/**
 * A recipe for the uncertainty of predictions: intervals for numbers, and sets of classes. The spelling is
 * {@code conformal(folds=5)}, {@code conformal(share=0.2)} or {@code gaussian}.
 */
public sealed interface UncertaintyRecipe {
    /**
     * Measures errors by cross-validation: every row is predicted once by a model that was trained without it, and the final
     * model learns from all rows.
     *
     * @param folds the number of folds, at least 2
     */
    record CrossConformal(int folds) implements UncertaintyRecipe {
        private static final CrossConformal USUAL = new CrossConformal(5);

        public CrossConformal {
            Require.atLeast("conformal", "folds", folds, 2);
        }

        @Override
        public String toString() {
            return "conformal(folds=" + folds + ")";
        }
    }

    /**
     * Measures errors on rows that are set aside; the model learns from the others only.
     *
     * @param share the share of the rows that is set aside, between 0 and 1
     */
    record SplitConformal(double share) implements UncertaintyRecipe {
        public SplitConformal {
            Require.between("conformal", "share", share, 0, 1);
        }

        @Override
        public String toString() {
            return "conformal(share=" + Spelling.print(share) + ")";
        }
    }

    /**
     * Takes ridge regression for a Gaussian process, whose predictive variance depends on the row. It is for numbers only.
     */
    record Gaussian() implements UncertaintyRecipe {
        @Override
        public void check(Labels labels) {
            if (labels instanceof Labels.Classes) {
                throw new BochnerException(
                        "gaussian: gives intervals for numbers, and the labels are classes",
                        Remedy.set(Setting.UNCERTAINTY, "conformal", "gives sets of classes"));
            }
        }

        @Override
        public String toString() {
            return "gaussian";
        }
    }

    /** Returns {@code conformal} with a cross-validation of five folds. */
    static UncertaintyRecipe conformal() {
        return CrossConformal.USUAL;
    }

    /** Returns {@code gaussian}. */
    static UncertaintyRecipe gaussian() {
        return new Gaussian();
    }

    /** Reads {@code conformal}, {@code conformal(folds=10)}, {@code conformal(share=0.2)} or {@code gaussian}. */
    static UncertaintyRecipe parse(String text) {
        return Spelling.reading(() -> read(Spelling.parse("uncertainty", text)));
    }

    private static UncertaintyRecipe read(Spelling spelling) {
        Map<String, String> aliases =
                Map.of("splitconformal", "conformal", "crossconformal", "conformal", "gp", "gaussian");
        return switch (spelling.name()) {
            case "gaussian" -> {
                spelling.allow();
                yield new Gaussian();
            }
            case "conformal" -> conformal(spelling.allow("folds", "share"));
            default ->
                throw Spelling.unknown("uncertainty", spelling.name(), List.of("conformal", "gaussian"), aliases);
        };
    }

    private static UncertaintyRecipe conformal(Spelling spelling) {
        if (!spelling.has("share")) {
            return new CrossConformal(spelling.integer("folds", CrossConformal.USUAL.folds));
        }
        if (spelling.has("folds")) {
            throw new SpellingException("conformal: folds and share exclude each other");
        }
        return new SplitConformal(spelling.share("share", Double.NaN));
    }

    /** Returns true if errors are measured on rows that were held out. */
    default boolean isConformal() {
        return !(this instanceof Gaussian);
    }

    /**
     * Checks that a level is the probability of an interval or a set.
     *
     * @return the level
     */
    static double requireLevel(double level) {
        return Require.between("uncertainty", "level", level, 0, 1);
    }

    /** Checks that models of these labels can have this uncertainty. */
    default void check(Labels labels) {}
}
