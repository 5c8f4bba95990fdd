package org.bochner.learn.solve;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.base.Suggestion;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.solve.Formulation.Shares;
import org.jspecify.annotations.Nullable;

/** Reads the spellings of learners: names, parameters and what they come to. */
public final class LearnerSpelling {
    public static final List<String> NAMES =
            List.of("ridge", "lasso", "elastic-net", "group-lasso", "logistic", "softmax", "svm", "svr", "huber");

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
            "huberregressor robust"));

    private static final double AUTO = Double.NaN;
    private static final String[] PENALTIES = {"l1", "l2", "C", "group"};
    private static final String[] COMMON = {"refit", "solver", "tolerance", "iterations"};

    private final Spelling spelling;
    private final String name;
    private final Map<String, String> printed = new LinkedHashMap<>();
    private Loss loss = new Loss.HalfSquare();
    private String key = "lambda";
    private Shares perStrength = new Shares(0, 1, 0);
    private Shares fixed = new Shares(0, 0, 0);

    private LearnerSpelling(Spelling spelling) {
        this.spelling = spelling;
        this.name = spelling.name();
    }

    /**
     * A learner that was read.
     *
     * @param name the name of its family
     * @param key the parameter that the strength was given as: lambda, l1, l2, C or group
     * @param refit true if the weights that are not zero are learned again
     * @param printed the parameters that are printed, in their order
     * @param given the parameters that were given, without those that have their usual values
     */
    public record Parts(
            String name,
            String key,
            Formulation formulation,
            boolean refit,
            Map<String, String> printed,
            Spelling given) {}

    /** Reads a learner; throws {@link SpellingException} if the spelling is none. */
    public static Parts read(Spelling spelling) {
        return new LearnerSpelling(spelling).parts();
    }

    private Parts parts() {
        double strength =
                switch (name) {
                    case "ridge" -> squares(new Shares(0, 1, 0));
                    case "lasso" -> squares(new Shares(1, 0, 0), "l2", "group");
                    case "elastic-net" -> elasticNet();
                    case "group-lasso" -> squares(new Shares(0, 0, 1), "l1", "l2");
                    case "logistic" -> penalised(new Loss.Logistic(), "l2");
                    case "softmax" -> penalised(new Loss.Softmax(), "l2");
                    case "svm" -> penalised(hinge(), "C", "loss");
                    case "svr" -> penalised(insensitive(), "C", "epsilon", "gamma");
                    case "huber" -> penalised(huber(), "l2", "delta");
                    default -> throw Spelling.unknown("learner", name, NAMES, ALIASES);
                };
        boolean sparse = perStrength.sparse() || fixed.sparse();
        Grouping groups = groups();
        boolean refit = refit(sparse);
        String solver = Objects.requireNonNullElse(spelling.text("solver"), "auto");
        SolverKind kind = SolverKind.parse(solver).resolve(name, loss, sparse);
        Formulation formulation =
                new Formulation(loss, strength, perStrength, fixed, groups, kind, tolerance(), iterations());
        keep("solver", "tolerance", "iterations");
        return new Parts(name, key, formulation, refit, printed, spelling);
    }

    private void allow(String[] own, String... others) {
        spelling.allow(Stream.of(own, others, COMMON).flatMap(Stream::of).toArray(String[]::new));
    }

    private double squares(Shares shares, String... others) {
        allow(others, shares.sparse() ? new String[] {"lambda", "groups"} : new String[] {"lambda"});
        perStrength = shares;
        fixed = new Shares(penalty("l1"), penalty("l2"), penalty("group"));
        double strength = strength("lambda");
        keep("l1", "l2", "group");
        return strength;
    }

    private double elasticNet() {
        allow(new String[0], "lambda", "ratio");
        double ratio = spelling.number("ratio", 0.5);
        if (!(ratio >= 0 && ratio <= 1)) {
            throw new SpellingException("elastic-net: ratio, the share of l1 in the penalty, must be from 0 to 1, got "
                    + Spelling.print(ratio));
        }
        perStrength = new Shares(ratio, 1 - ratio, 0);
        double strength = strength("lambda");
        printed.put("ratio", Spelling.print(ratio));
        return strength;
    }

    private Loss hinge() {
        String kind = Objects.requireNonNullElse(spelling.text("loss"), "hinge");
        boolean squared = kind.equals("squared-hinge");
        if (!squared && !kind.equals("hinge")) {
            throw new SpellingException("svm: loss must be hinge or squared-hinge, got '" + kind + "'");
        }
        if (squared) {
            printed.put("loss", kind);
        }
        return squared ? new Loss.SquaredHinge() : new Loss.Hinge();
    }

    private Loss insensitive() {
        double epsilon = printedNumber("epsilon", 0.1);
        if (!spelling.has("gamma")) {
            return new Loss.EpsilonInsensitive(epsilon);
        }
        keep("gamma");
        return new Loss.SmoothInsensitive(epsilon, spelling.number("gamma"));
    }

    private Loss huber() {
        return new Loss.Huber(printedNumber("delta", 1.35));
    }

    private double printedNumber(String parameter, double usual) {
        double value = spelling.number(parameter, usual);
        printed.put(parameter, Spelling.print(value));
        return value;
    }

    /** Reads a loss with any of the penalties, one of which may be auto; without any, the usual penalty is. */
    private double penalised(Loss given, String usual, String... others) {
        allow(others, "l1", "l2", "C", "group", "groups");
        loss = given;
        if (spelling.has("C") && spelling.has("l2")) {
            throw new SpellingException(name + ": C is 1/l2; give one of them");
        }
        key = strengthKey(usual);
        perStrength = new Shares(
                key.equals("l1") ? 1 : 0, key.equals("l2") || key.equals("C") ? 1 : 0, key.equals("group") ? 1 : 0);
        double inverse = key.equals("C") || !spelling.has("C") ? 0 : 1 / inverseStrength();
        fixed = new Shares(otherPenalty("l1"), otherPenalty("l2") + inverse, otherPenalty("group"));
        double strength = strength(key);
        keep(PENALTIES);
        return strength;
    }

    /** Returns the penalty that is auto; else one that makes weights zero; else the given one; else the usual one. */
    private String strengthKey(String usual) {
        List<String> automatic = Arrays.stream(PENALTIES)
                .filter(penalty -> spelling.has(penalty) && isAuto(penalty))
                .toList();
        if (automatic.size() > 1) {
            throw new SpellingException(name + ": one penalty can be auto, not " + String.join(" and ", automatic));
        }
        Stream<String> given = Stream.of("group", "l1", "l2", "C").filter(spelling::has);
        return Stream.concat(automatic.stream(), given).findFirst().orElse(usual);
    }

    private boolean isAuto(String penalty) {
        String text = spelling.text(penalty);
        return text == null || text.equals("auto");
    }

    private double inverseStrength() {
        double c = spelling.number("C");
        if (!(c > 0 && c < Double.POSITIVE_INFINITY)) {
            throw new SpellingException(name + ": C must be above 0 and finite, got " + Spelling.print(c));
        }
        return c;
    }

    /** Reads and prints the strength; NaN for auto. */
    private double strength(String parameter) {
        if (isAuto(parameter)) {
            printed.put(parameter, "auto");
            return AUTO;
        }
        boolean inverse = parameter.equals("C");
        double strength = inverse ? 1 / inverseStrength() : penalty(parameter);
        printed.put(parameter, inverse ? spelling.textOf(parameter) : Spelling.print(strength));
        return strength;
    }

    private double otherPenalty(String penalty) {
        return penalty.equals(key) ? 0 : penalty(penalty);
    }

    private double penalty(String parameter) {
        if ("".equals(spelling.text(parameter))) {
            throw new SpellingException(name + ": " + parameter + " needs a value, as in " + name + "(" + parameter
                    + "=0.1) or " + parameter + "=auto");
        }
        return Require.notNegative(name, parameter, spelling.number(parameter, 0));
    }

    private void keep(String... parameters) {
        for (String parameter : parameters) {
            String text = spelling.text(parameter);
            if (text != null) {
                printed.putIfAbsent(parameter, text);
            }
        }
    }

    private @Nullable Grouping groups() {
        String text = spelling.text("groups");
        if (perStrength.group() > 0 || fixed.group() > 0) {
            Grouping groups = Grouping.parse(text == null ? "pairs" : text);
            printed.put("groups", groups.toString());
            return groups;
        }
        if (text != null) {
            throw new SpellingException(
                    name + ": groups needs a penalty for them, as in " + name + "(group=auto, groups=" + text + ")");
        }
        return null;
    }

    private boolean refit(boolean sparse) {
        if (!spelling.has("refit")) {
            return false;
        }
        if (!"".equals(spelling.text("refit"))) {
            throw new SpellingException(name + ": refit takes no value");
        }
        if (!sparse) {
            throw new SpellingException(name + ": refit is for penalties that make weights zero, l1 and group");
        }
        printed.put("refit", "");
        return true;
    }

    private double tolerance() {
        double tolerance = spelling.number("tolerance", 0);
        if (spelling.has("tolerance") && !(tolerance > 0 && tolerance < 1)) {
            throw new SpellingException(
                    name + ": tolerance must be above 0 and below 1, got " + Spelling.print(tolerance));
        }
        return tolerance;
    }

    private int iterations() {
        int iterations = spelling.integer("iterations", 0);
        if (spelling.has("iterations") && iterations < 1) {
            throw new SpellingException(name + ": iterations must be at least 1, got " + iterations);
        }
        return iterations;
    }
}
