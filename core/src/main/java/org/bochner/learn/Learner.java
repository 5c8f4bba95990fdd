package org.bochner.learn;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.data.Labels;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.optimise.ConvexTerm;
import org.jspecify.annotations.Nullable;

/**
 * How linear functions of the features are learned: a loss, penalties, and a way to the minimum of
 *
 * <pre>  Σ w·ℓ(f(z), y) + l1·|β|₁ + l2/2·|β|² + group·Σ_g √size_g·|β_g|₂,     f(z) = βᵀz + b.</pre>
 *
 * <p>Sums are over the rows, not means; the intercept b is never penalised. {@code ridge(lambda=λ)} minimises
 * {@code Σ w (f(z) − y)² + λ|β|²}, which is the half square with l2 = λ; {@code C} of support vector machines is 1/l2.
 *
 * <p>One of the penalties, the learner's {@link #lambda strength}, may be left to the data: {@code auto}. Recipes are
 * immutable; spellings are read by {@link #parse} and printed back.
 */
public final class Learner {
    private static final double AUTO = Double.NaN;

    /** Names that other programs have for members of this family, for suggestions. */
    static final Map<String, String> ALIASES = Map.ofEntries(
            Map.entry("svc", "svm"),
            Map.entry("linearsvc", "svm"),
            Map.entry("supportvectormachine", "svm"),
            Map.entry("hinge", "svm"),
            Map.entry("krr", "ridge"),
            Map.entry("kernelridge", "ridge"),
            Map.entry("ridgeregression", "ridge"),
            Map.entry("ridgeclassifier", "ridge"),
            Map.entry("leastsquares", "ridge"),
            Map.entry("linearregression", "ridge"),
            Map.entry("linear", "ridge"),
            Map.entry("ols", "ridge"),
            Map.entry("ls", "ridge"),
            Map.entry("lssvm", "ridge"),
            Map.entry("gp", "ridge"),
            Map.entry("gpr", "ridge"),
            Map.entry("gaussianprocess", "ridge"),
            Map.entry("logisticregression", "logistic"),
            Map.entry("logreg", "logistic"),
            Map.entry("logit", "logistic"),
            Map.entry("lr", "logistic"),
            Map.entry("multinomial", "softmax"),
            Map.entry("crossentropy", "softmax"),
            Map.entry("maxent", "softmax"),
            Map.entry("multinomiallogistic", "softmax"),
            Map.entry("l1", "lasso"),
            Map.entry("enet", "elastic-net"),
            Map.entry("linearsvr", "svr"),
            Map.entry("epsilonsvr", "svr"),
            Map.entry("epsiloninsensitive", "svr"),
            Map.entry("huberregressor", "huber"),
            Map.entry("robust", "huber"));

    private final String name;
    private final Loss loss;
    /** The parameter that the strength was given as: lambda, l1, l2, C, group. */
    private final String key;

    private final double lambda;
    /** What the strength is multiplied by to become l1, l2 and group, and what is added to that. */
    private final Shares shares;

    private final Shares fixed;
    private final @Nullable Grouping groups;
    private final boolean refit;
    private final SolverKind method;
    private final double tolerance;
    private final int iterations;
    private final Map<String, String> arguments;
    /** The parameters that were given, without those that have their usual values. */
    private final Spelling given;

    private record Shares(double l1, double l2, double group) {}

    private Learner(Builder from, double lambda) {
        name = from.name;
        loss = from.loss;
        key = from.key;
        shares = from.shares;
        fixed = from.fixed;
        groups = from.groups;
        refit = from.refit;
        method = from.method;
        tolerance = from.tolerance;
        iterations = from.iterations;
        arguments = from.arguments;
        given = from.spelling;
        this.lambda = lambda;
    }

    private Learner(Learner from, double lambda) {
        name = from.name;
        loss = from.loss;
        key = from.key;
        shares = from.shares;
        fixed = from.fixed;
        groups = from.groups;
        refit = from.refit;
        method = from.method;
        tolerance = from.tolerance;
        iterations = from.iterations;
        arguments = new LinkedHashMap<>(from.arguments);
        arguments.put(key, Spelling.print(key.equals("C") ? 1 / lambda : lambda));
        given = from.given.with(key, arguments.get(key));
        this.lambda = lambda;
    }

    /** Ridge regression whose penalty comes from the data. */
    public static Learner ridge() {
        return parse("ridge");
    }

    /** Ridge regression with a given penalty. */
    public static Learner ridge(double lambda) {
        return ridge().withLambda(Require.notNegative("ridge", "lambda", lambda));
    }

    /** Returns least squares with an l1 penalty, which makes weights zero; the penalty comes from the data. */
    public static Learner lasso() {
        return parse("lasso");
    }

    /** Returns least squares with l1 and l2 penalties in equal shares, whose strength comes from the data. */
    public static Learner elasticNet() {
        return parse("elastic-net");
    }

    /** Returns least squares with a penalty on groups of weights, which makes whole groups zero. */
    public static Learner groupLasso() {
        return parse("group-lasso");
    }

    /** Returns logistic regression, one class against the rest, whose penalty l2 comes from the data. */
    public static Learner logistic() {
        return parse("logistic");
    }

    /** Returns multinomial logistic regression, whose penalty l2 comes from the data. */
    public static Learner softmax() {
        return parse("softmax");
    }

    /** Returns a support vector machine with the hinge loss, whose C comes from the data. */
    public static Learner svm() {
        return parse("svm");
    }

    /** Returns support vector regression, whose C comes from the data and whose epsilon is 0.1. */
    public static Learner svr() {
        return parse("svr");
    }

    /** Returns regression with Huber's loss, whose penalty l2 comes from the data and whose delta is 1.35. */
    public static Learner huber() {
        return parse("huber");
    }

    /** Names of all learners. */
    public static List<String> names() {
        return List.of("ridge", "lasso", "elastic-net", "group-lasso", "logistic", "softmax", "svm", "svr", "huber");
    }

    /** Reads a spelling such as {@code ridge(lambda=auto)}, {@code svm(C=1)} or {@code logistic(l1=0.5)}. */
    public static Learner parse(String text) {
        return Spelling.reading(() -> new Builder(Spelling.parse("learner", text)).build());
    }

    /** What the parameters of a spelling come to. */
    private static final class Builder {
        private static final String[] PENALTIES = {"l1", "l2", "C", "group"};

        private final Spelling spelling;
        private final String name;
        private final Map<String, String> arguments = new LinkedHashMap<>();
        private Loss loss = new Loss.HalfSquare();
        private String key = "lambda";
        private Shares shares = new Shares(0, 1, 0);
        private Shares fixed = new Shares(0, 0, 0);
        private @Nullable Grouping groups;
        private boolean refit;
        private SolverKind method = SolverKind.AUTO;
        private double tolerance;
        private int iterations;

        Builder(Spelling spelling) {
            this.spelling = spelling;
            this.name = spelling.name();
        }

        Learner build() {
            double lambda =
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
                        default -> throw Spelling.unknown("learner", name, names(), ALIASES);
                    };
            groups();
            refit();
            solver();
            return new Learner(this, lambda);
        }

        private void allow(String... own) {
            List<String> keys = new ArrayList<>(List.of(own));
            keys.addAll(List.of("refit", "solver", "tolerance", "iterations"));
            spelling.allow(keys.toArray(String[]::new));
        }

        private double squares(Shares given, String... others) {
            List<String> keys = new ArrayList<>(List.of(others));
            keys.add("lambda");
            if (given.group > 0 || keys.contains("group")) {
                keys.add("groups");
            }
            allow(keys.toArray(String[]::new));
            shares = given;
            fixed = new Shares(penalty("l1"), penalty("l2"), penalty("group"));
            double lambda = strength("lambda");
            arguments.put("lambda", strengthText(lambda));
            keep("l1", "l2", "group");
            return lambda;
        }

        private double elasticNet() {
            allow("lambda", "ratio");
            double ratio = spelling.number("ratio", 0.5);
            if (!(ratio >= 0 && ratio <= 1)) {
                throw new SpellingException(
                        "elastic-net: ratio, the share of l1 in the penalty, must be from 0 to 1, got "
                                + Spelling.print(ratio));
            }
            shares = new Shares(ratio, 1 - ratio, 0);
            double lambda = strength("lambda");
            arguments.put("lambda", strengthText(lambda));
            arguments.put("ratio", Spelling.print(ratio));
            return lambda;
        }

        private Loss hinge() {
            String kind = Objects.requireNonNullElse(spelling.text("loss"), "hinge");
            boolean squared = kind.equals("squared-hinge");
            if (!squared && !kind.equals("hinge")) {
                throw new SpellingException("svm: loss must be hinge or squared-hinge, got '" + kind + "'");
            }
            if (squared) {
                arguments.put("loss", kind);
            }
            return squared ? new Loss.SquaredHinge() : new Loss.Hinge();
        }

        private Loss insensitive() {
            double epsilon = spelling.number("epsilon", 0.1);
            arguments.put("epsilon", Spelling.print(epsilon));
            if (!spelling.has("gamma")) {
                return new Loss.EpsilonInsensitive(epsilon);
            }
            keep("gamma");
            return new Loss.SmoothInsensitive(epsilon, spelling.number("gamma"));
        }

        private Loss huber() {
            double delta = spelling.number("delta", 1.35);
            arguments.put("delta", Spelling.print(delta));
            return new Loss.Huber(delta);
        }

        /** A loss with any of the penalties, of which one may be auto; where none is given, the usual one is. */
        private double penalised(Loss given, String usual, String... others) {
            List<String> keys = new ArrayList<>(List.of(others));
            keys.addAll(List.of(PENALTIES));
            keys.add("groups");
            allow(keys.toArray(String[]::new));
            loss = given;
            if (spelling.has("C") && spelling.has("l2")) {
                throw new SpellingException(name + ": C is 1/l2; give one of them");
            }
            key = strengthKey(usual);
            shares = new Shares(
                    key.equals("l1") ? 1 : 0, key.equals("l2") || key.equals("C") ? 1 : 0, key.equals("group") ? 1 : 0);
            double inverse = key.equals("C") || !spelling.has("C") ? 0 : 1 / inverseStrength();
            fixed = new Shares(otherPenalty("l1"), otherPenalty("l2") + inverse, otherPenalty("group"));
            double lambda = key.equals("C") ? (isAuto("C") ? AUTO : 1 / inverseStrength()) : strength(key);
            arguments.put(key, key.equals("C") && !Double.isNaN(lambda) ? spelling.textOf("C") : strengthText(lambda));
            keep(PENALTIES);
            return lambda;
        }

        /** The penalty that is auto; else that which makes weights zero; else the one given; else the usual one. */
        private String strengthKey(String usual) {
            List<String> automatic = new ArrayList<>();
            for (String penalty : PENALTIES) {
                if (spelling.has(penalty) && isAuto(penalty)) {
                    automatic.add(penalty);
                }
            }
            if (automatic.size() > 1) {
                throw new SpellingException(name + ": one penalty can be auto, not " + String.join(" and ", automatic));
            }
            if (!automatic.isEmpty()) {
                return automatic.get(0);
            }
            for (String penalty : List.of("group", "l1", "l2", "C")) {
                if (spelling.has(penalty)) {
                    return penalty;
                }
            }
            return usual;
        }

        private boolean isAuto(String key) {
            String text = spelling.text(key);
            return text == null || text.equals("auto");
        }

        private double inverseStrength() {
            double c = spelling.number("C");
            if (!(c > 0 && c < Double.POSITIVE_INFINITY)) {
                throw new SpellingException(name + ": C must be above 0 and finite, got " + Spelling.print(c));
            }
            return c;
        }

        private double strength(String key) {
            return isAuto(key) ? AUTO : penalty(key);
        }

        private double otherPenalty(String key) {
            return key.equals(this.key) ? 0 : penalty(key);
        }

        private double penalty(String key) {
            if ("".equals(spelling.text(key))) {
                throw new SpellingException(
                        name + ": " + key + " needs a value, as in " + name + "(" + key + "=0.1) or " + key + "=auto");
            }
            return Require.notNegative(name, key, spelling.number(key, 0));
        }

        private static String strengthText(double lambda) {
            return Double.isNaN(lambda) ? "auto" : Spelling.print(lambda);
        }

        private void keep(String... keys) {
            for (String given : keys) {
                String text = spelling.text(given);
                if (text != null) {
                    arguments.putIfAbsent(given, text);
                }
            }
        }

        private void groups() {
            boolean penalised = shares.group > 0 || fixed.group > 0;
            String text = spelling.text("groups");
            if (text != null && !penalised) {
                throw new SpellingException(name + ": groups needs a penalty for them, as in " + name
                        + "(group=auto, groups=" + text + ")");
            }
            if (penalised) {
                groups = Grouping.parse(text == null ? "pairs" : text);
                arguments.put("groups", groups.toString());
            }
        }

        private void refit() {
            refit = spelling.has("refit");
            if (!refit) {
                return;
            }
            if (!"".equals(spelling.text("refit"))) {
                throw new SpellingException(name + ": refit takes no value");
            }
            if (!(shares.l1 > 0 || shares.group > 0 || fixed.l1 > 0 || fixed.group > 0)) {
                throw new SpellingException(name + ": refit is for penalties that make weights zero, l1 and group");
            }
            arguments.put("refit", "");
        }

        private void solver() {
            String text = spelling.text("solver");
            boolean sparse = shares.l1 > 0 || shares.group > 0 || fixed.l1 > 0 || fixed.group > 0;
            method = SolverKind.parse(text == null ? "auto" : text).resolve(name, loss, sparse);
            keep("solver");
            tolerance = spelling.number("tolerance", 0);
            if (spelling.has("tolerance") && !(tolerance > 0 && tolerance < 1)) {
                throw new SpellingException(
                        name + ": tolerance must be above 0 and below 1, got " + Spelling.print(tolerance));
            }
            iterations = spelling.integer("iterations", 0);
            if (spelling.has("iterations") && iterations < 1) {
                throw new SpellingException(name + ": iterations must be at least 1, got " + iterations);
            }
            keep("tolerance", "iterations");
        }
    }

    /** The family it belongs to: "ridge", "svm". */
    public String name() {
        return name;
    }

    public Loss loss() {
        return loss;
    }

    /** Its strength: the penalty that was given, or NaN where it is chosen from the data; for {@code C}, 1/C. */
    public double lambda() {
        return lambda;
    }

    /** Whether its strength is chosen from the data. */
    public boolean isAuto() {
        return Double.isNaN(lambda);
    }

    /** The parameter its strength is spelled as: lambda, l1, l2, C or group. */
    public String strengthName() {
        return key;
    }

    /** A strength as it is spelled: itself, or 1 over it for C. */
    public double spelled(double strength) {
        return key.equals("C") ? 1 / strength : strength;
    }

    /** The same learner with another strength. */
    public Learner withLambda(double strength) {
        return new Learner(this, Require.notNegative(name, key, strength));
    }

    /** Returns this learner with C = 1/l2; for logistic, softmax, svm, svr and huber. */
    public Learner withC(double c) {
        return with("C", c);
    }

    /** Returns this learner with a penalty on the absolute weights; for all except ridge, lasso and elastic-net. */
    public Learner withL1(double l1) {
        return with("l1", l1);
    }

    /** Returns this learner with a penalty on half the squared weights; for all except ridge and elastic-net. */
    public Learner withL2(double l2) {
        return with("l2", l2);
    }

    /** Returns this learner with a penalty on groups of weights; for all except ridge, elastic-net and group-lasso. */
    public Learner withGroup(double group) {
        return with("group", group);
    }

    /** Returns this learner with other groups: {@code pairs}, {@code channels} or ranges such as {@code [0:10, 10:30]}. */
    public Learner withGroups(String groups) {
        return with("groups", groups);
    }

    /**
     * Returns this learner with one penalty chosen from the data.
     *
     * @param penalty its name in spellings: {@code lambda}, {@code l1}, {@code l2}, {@code C} or {@code group}
     */
    public Learner withAuto(String penalty) {
        return with(penalty, "auto");
    }

    /** Returns an elastic net with another share of l1 in its penalty, from 0 to 1. */
    public Learner withRatio(double ratio) {
        return with("ratio", ratio);
    }

    /** Returns support vector regression that ignores errors up to epsilon. */
    public Learner withEpsilon(double epsilon) {
        return with("epsilon", epsilon);
    }

    /** Returns support vector regression whose loss is quadratic over a width of gamma, and therefore smooth. */
    public Learner withGamma(double gamma) {
        return with("gamma", gamma);
    }

    /** Returns regression with Huber's loss that is linear from an error of delta on. */
    public Learner withDelta(double delta) {
        return with("delta", delta);
    }

    /** Returns a support vector machine with the squared hinge loss. */
    public Learner withSquaredHinge() {
        return with("loss", "squared-hinge");
    }

    /** Returns this learner with the weights that are not zero learned again, with l2 alone; for l1 and group penalties. */
    public Learner withRefit() {
        return with("refit", "");
    }

    /** Returns this learner with another solver, given by its name in spellings. */
    public Learner withSolver(String solver) {
        return with("solver", solver);
    }

    /** Returns this learner with another tolerance of its solver, above 0 and below 1. */
    public Learner withTolerance(double tolerance) {
        return with("tolerance", tolerance);
    }

    /** Returns this learner with at most this number of iterations of its solver. */
    public Learner withIterations(int iterations) {
        return with("iterations", Integer.toString(iterations));
    }

    private Learner with(String parameter, double value) {
        return with(parameter, Spelling.print(value));
    }

    /** The learner of the parameters that were given and one more; checked as its spelling is. */
    private Learner with(String parameter, String value) {
        try {
            return new Builder(given.with(parameter, value)).build();
        } catch (SpellingException e) {
            // Nothing was spelled: the caller's argument is wrong.
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Whether it makes weights zero. */
    public boolean sparse() {
        return shares.l1 > 0 || shares.group > 0 || fixed.l1 > 0 || fixed.group > 0;
    }

    /**
     * How the features that kept their weights are learned anew, where that was asked for by {@code refit}: the same loss
     * with l2 alone, found from the data. Penalties that make weights zero also hold back those that they leave.
     */
    public Optional<Learner> refit() {
        return refit ? Optional.of(dense()) : Optional.empty();
    }

    /** The learner of the same loss with l2 alone, whose strength comes from the data. */
    public Learner dense() {
        Spelling alike = Spelling.parse("learner", loss instanceof Loss.HalfSquare ? "ridge" : name);
        for (String kept : List.of("loss", "epsilon", "gamma", "delta")) {
            String value = arguments.get(kept);
            alike = value == null ? alike : alike.with(kept, value);
        }
        return parse(alike.toString());
    }

    /** Whether it learns from statistics, which one pass over the rows gives; others go over the rows again and again. */
    public boolean onStatistics() {
        return method == SolverKind.DIRECT;
    }

    /** Whether it is ridge regression that goes over the rows, by conjugate gradients. */
    public boolean iteratesOnSquares() {
        return method == SolverKind.CG;
    }

    /** Whether it reads the rows once, or as often as it was told to, without looking at them before. */
    public boolean streams() {
        return method == SolverKind.STREAM;
    }

    /** Whether its strength is found by comparing losses on rows set aside. */
    public boolean needsValidation() {
        return isAuto() && !(isRidge() && onStatistics());
    }

    /** Whether it is the square loss with nothing but l2. */
    public boolean isRidge() {
        return loss instanceof Loss.HalfSquare && !sparse();
    }

    /** Whether its objective has derivatives everywhere: no kinks of the loss, no penalty but l2. */
    public boolean isSmooth() {
        return loss.smooth() && !sparse();
    }

    /** What half the squared weights cost, at its strength. */
    public double l2() {
        return shares.l2 * lambda + fixed.l2;
    }

    /**
     * The penalties with corners, l1 and those of groups, at its strength, as a function of the weights alone, D×outputs,
     * row-major.
     *
     * @param map whose features the weights are of
     * @param factor what the penalties are multiplied by
     */
    public ConvexTerm corners(FeatureMap map, int outputs, double factor) {
        Regularizer all = regularizer(lambda, map);
        int features = map.outputDimension();
        Regularizer corners = new Regularizer(factor * all.l1(), 0, factor * all.group(), all.groups());
        return new ConvexTerm() {
            @Override
            public double value(double[] point) {
                return corners.value(point, features, outputs);
            }

            @Override
            public void proximal(double[] point, double step, double[] out) {
                if (out != point) {
                    System.arraycopy(point, 0, out, 0, point.length);
                }
                double[] steps = new double[outputs];
                Arrays.fill(steps, step);
                corners.soften(out, features, outputs, steps);
            }
        };
    }

    SolverKind method() {
        return method;
    }

    /** The penalties at a strength, for the features of a map. */
    Regularizer regularizer(double strength, FeatureMap map) {
        return new Regularizer(
                shares.l1 * strength + fixed.l1,
                shares.l2 * strength + fixed.l2,
                shares.group * strength + fixed.group,
                groups == null ? null : groups.of(map));
    }

    /** When its solver ends, where the learner does not say it itself. */
    StoppingRule stopping(double usualTolerance, int usualIterations) {
        return new StoppingRule(
                tolerance > 0 ? tolerance : usualTolerance, iterations > 0 ? iterations : usualIterations);
    }

    /** Fails unless the loss is one for such labels. */
    public void requireFits(Labels labels) {
        if (labels instanceof Labels.Numbers && !loss.forNumbers()) {
            throw new BochnerException(
                    name + " tells classes apart, and the labels are numbers; use ridge, svr or huber"
                            + " for numbers, or --task classify if they are names of classes");
        }
        if (labels instanceof Labels.Classes && !loss.forClasses()) {
            throw new BochnerException(
                    name + " predicts numbers, and the labels are classes; use ridge, svm, logistic or"
                            + " softmax for classes, or --task regress if they are numbers");
        }
    }

    @Override
    public String toString() {
        Spelling printed = Spelling.parse("learner", name);
        for (Map.Entry<String, String> argument : arguments.entrySet()) {
            printed = printed.with(argument.getKey(), argument.getValue());
        }
        return printed.toString();
    }

    /** Whether the other is a learner of the same loss, penalties and solver, however they were spelled. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Learner that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    private List<Object> values() {
        return List.of(
                name,
                loss,
                key,
                lambda,
                shares,
                fixed,
                Optional.ofNullable(groups),
                refit,
                method,
                tolerance,
                iterations);
    }
}
