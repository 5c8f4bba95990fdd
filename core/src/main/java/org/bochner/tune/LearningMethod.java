package org.bochner.tune;

import java.util.List;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.Setting;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.tune.scales.CriterionKind;

/**
 * How kernel learning searches: {@code gradient} follows the derivatives of the criterion, {@code agop} takes the average
 * gradient outer product of fitted functions as the metric of the next kernel, and {@code gradient(start=agop)} does
 * both.
 *
 * @param rounds the most rounds of fits and average gradient outer products; 0 for none
 * @param full true if the whole matrix is used, false if its diagonal is
 * @param descends true if derivatives of the criterion are followed, after the rounds if there are any
 */
record LearningMethod(int rounds, boolean full, boolean descends) {
    /** Follows derivatives alone. */
    static final LearningMethod GRADIENT = new LearningMethod(0, false, true);

    private static final int DEFAULT_ROUNDS = 5;
    private static final String WHAT = "method of kernel learning";
    private static final String AGOP_NAME = "agop";
    private static final String GRADIENT_NAME = "gradient";

    /** Parses a spelling, such as {@code agop(full, rounds=3)}. */
    static LearningMethod parse(String text) {
        return Spelling.reading(() -> read(Spelling.parse(WHAT, text)));
    }

    private static LearningMethod read(Spelling spelling) {
        if (spelling.name().equals(AGOP_NAME)) {
            spelling.allow("full", "rounds");
            int rounds = Require.atLeast(AGOP_NAME, "rounds", spelling.integer("rounds", DEFAULT_ROUNDS), 1);
            return new LearningMethod(rounds, spelling.has("full"), false);
        }
        if (!spelling.name().equals(GRADIENT_NAME)) {
            throw Spelling.unknown(WHAT, spelling.name(), List.of(GRADIENT_NAME, AGOP_NAME));
        }
        String start = spelling.allow("start").text("start");
        if (start == null) {
            return GRADIENT;
        }
        Spelling first = Spelling.parse(WHAT, start);
        if (!first.name().equals(AGOP_NAME)) {
            throw Spelling.unknown("start of gradient", first.name(), List.of(AGOP_NAME));
        }
        LearningMethod rounds = read(first);
        if (rounds.full) {
            throw new SpellingException(
                    spelling + ": derivatives cannot go on from a matrix in one run",
                    Remedy.set(Setting.METHOD, "gradient(start=agop)", "goes on from one scale per column"),
                    Remedy.set(
                            Setting.SCALING, "standard then linear(file=M.csv)", "starts from the matrix of a file"));
        }
        return new LearningMethod(rounds.rounds, false, true);
    }

    /**
     * Fails if rounds of fits and gradients do not go with other settings of a recipe.
     *
     * @param exact true if the machine has no features
     */
    void require(KernelLearning recipe, boolean exact) {
        if (rounds == 0) {
            return;
        }
        if (exact) {
            throw refusal(
                    this + " cannot continue from a model without features",
                    Remedy.set(Setting.METHOD, GRADIENT_NAME, "can"));
        }
        if (recipe.sharing == Sharing.ONE || recipe.sharing == Sharing.FREQUENCY) {
            throw refusal(
                    this + " compares columns: it learns one scale per column or range, not " + recipe.sharing,
                    Remedy.advice("learn one scale per column"));
        }
        if (full && recipe.sharing == Sharing.RANGE) {
            throw refusal(
                    this + " learns a matrix, not one scale per range of columns",
                    Remedy.set(Setting.METHOD, AGOP_NAME, "learns one scale per range"));
        }
        if (!descends && (recipe.penalty.l1() > 0 || recipe.penalty.l2() > 0)) {
            throw refusal(
                    this + " has no penalty of scales",
                    Remedy.set(Setting.METHOD, GRADIENT_NAME + "(start=" + this + ")", "has one"));
        }
        boolean joint = recipe.criterion.kind() == CriterionKind.TRAIN
                && !recipe.machine.learner().isRidge();
        if (joint || SearchStage.usesOwnLoss(recipe)) {
            throw refusal(
                    this + " fits ridge regression, and " + recipe.criterion + " is the loss of "
                            + recipe.machine.learner(),
                    Remedy.set(Setting.CRITERION, Criterion.usual(), "learns the scales with ridge regression"),
                    Remedy.set(Setting.METHOD, GRADIENT_NAME, "takes other losses"));
        }
    }

    private static SpellingException refusal(String problem, Remedy... remedies) {
        return new SpellingException(problem, remedies);
    }

    /** Returns the spelling. */
    @Override
    public String toString() {
        String agop = AGOP_NAME
                + (full && rounds != DEFAULT_ROUNDS
                        ? "(full, rounds=" + rounds + ")"
                        : full ? "(full)" : rounds != DEFAULT_ROUNDS ? "(rounds=" + rounds + ")" : "");
        return rounds == 0 ? GRADIENT_NAME : descends ? GRADIENT_NAME + "(start=" + agop + ")" : agop;
    }
}
