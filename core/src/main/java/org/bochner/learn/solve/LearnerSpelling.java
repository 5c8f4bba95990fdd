package org.bochner.learn.solve;

import java.util.Map;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.text.Suggestion;
import org.bochner.learn.discriminant.Priors;

/** Reads the spellings of learners. */
public final class LearnerSpelling {
    /** Names that other programs have for learners, for suggestions. */
    static final Map<String, String> ALIASES = Suggestion.aliases(Map.of(
            "ridge",
            "krr kernelridge ridgeregression ridgeclassifier leastsquares linearregression linear ols ls lssvm gp gpr"
                    + " gaussianprocess",
            "lasso",
            "l1",
            "elastic-net",
            "enet",
            "logistic",
            "logisticregression logreg logit lr",
            "softmax",
            "multinomial crossentropy maxent multinomiallogistic",
            "svm",
            "svc linearsvc supportvectormachine hinge",
            "svr",
            "linearsvr epsilonsvr epsiloninsensitive",
            "huber",
            "huberregressor robust",
            "lda",
            "lineardiscriminantanalysis discriminant discriminantanalysis fisher fda kfd kfda"));

    private LearnerSpelling() {}

    /** Reads the parameters of a learner; a failure is a SpellingException or an IllegalArgumentException. */
    public static LearnerParameters read(Spelling spelling) {
        LearnerFamily family = Spelling.oneOf("learner", spelling.name(), LearnerFamily.values(), ALIASES);
        spelling.allow(family.parameters().toArray(String[]::new));
        LearnerParameters read = LearnerParameters.of(family);
        for (PenaltyKind kind : PenaltyKind.values()) {
            read = spelling.has(kind.toString()) ? penalty(read, kind, spelling) : read;
        }
        read = spelling.has("loss") && isSquared(family, spelling.textOf("loss")) ? squared(read) : read;
        read = spelling.has("epsilon") ? read.withEpsilon(spelling.number("epsilon")) : read;
        read = spelling.has("gamma") ? read.withGamma(spelling.number("gamma")) : read;
        read = spelling.has("delta") ? read.withDelta(spelling.number("delta")) : read;
        read = spelling.has("ratio") ? read.withRatio(spelling.number("ratio")) : read;
        read = spelling.has("groups") ? read.withGroups(Grouping.parse(spelling.textOf("groups"))) : read;
        read = spelling.has("priors") ? read.withPriors(Priors.parse(spelling.textOf("priors"))) : read;
        if (spelling.has("refit")) {
            Require.that(spelling.textOf("refit").isEmpty(), spelling.name(), "refit takes no value");
            read = read.withRefit();
        }
        read = spelling.has("solver") ? read.withSolver(SolverKind.parse(spelling.textOf("solver"))) : read;
        read = spelling.has("tolerance") ? read.withTolerance(spelling.number("tolerance")) : read;
        return spelling.has("iterations") ? read.withIterations(spelling.integer("iterations", 0)) : read;
    }

    private static LearnerParameters penalty(LearnerParameters learner, PenaltyKind kind, Spelling spelling) {
        String text = spelling.textOf(kind.toString());
        Require.that(
                !text.isEmpty(),
                spelling.name() + ": " + kind + " needs a value, as in " + spelling.name() + "(" + kind + "=0.1) or "
                        + kind + "=auto");
        return text.equals("auto")
                ? learner.withAuto(kind)
                : learner.withPenalty(kind, spelling.number(kind.toString()));
    }

    private static LearnerParameters squared(LearnerParameters learner) {
        return learner.family() == LearnerFamily.SVM ? learner.withSquaredHinge() : learner.withSquaredInsensitive();
    }

    private static boolean isSquared(LearnerFamily family, String loss) {
        String plain = family == LearnerFamily.SVM ? "hinge" : "insensitive";
        boolean squared = loss.equals("squared-" + plain);
        Require.that(
                squared || loss.equals(plain),
                family.toString(),
                "loss must be " + plain + " or squared-" + plain + ", got '" + loss + "'");
        return squared;
    }
}
