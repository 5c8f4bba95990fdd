package org.bochner.learn;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.Setting;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.data.Labels;
import org.bochner.data.Task;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.solve.LearnerSpelling;
import org.bochner.learn.solve.LearnerSpelling.Parts;

/**
 * A recipe for linear functions of the features: a loss, penalties, and a solver that finds the minimum of
 *
 * <pre>  Σ w·ℓ(f(z), y) + l1·|β|₁ + l2/2·|β|² + group·Σ_g √size_g·|β_g|₂,     f(z) = βᵀz + b.</pre>
 *
 * <p>Sums are over the rows, not means; the intercept b is never penalised. {@code ridge(lambda=λ)} minimises
 * {@code Σ w (f(z) − y)² + λ|β|²}, which is half the squared error with l2 = λ; {@code C} of support vector machines is
 * 1/l2.
 *
 * <p>One of the penalties, the learner's {@link #lambda strength}, can be chosen from the data: {@code auto}. Recipes
 * are immutable; {@link #parse} reads a spelling, and {@link #toString} prints it back.
 */
public final class Learner {
    private final Parts parts;

    private Learner(Parts parts) {
        this.parts = parts;
    }

    /** Returns ridge regression whose penalty is chosen from the data. */
    public static Learner ridge() {
        return parse("ridge");
    }

    /** Returns ridge regression with a given penalty. */
    public static Learner ridge(double lambda) {
        return ridge().withLambda(Require.notNegative("ridge", "lambda", lambda));
    }

    /** Returns least squares with an l1 penalty, which makes weights zero; the penalty is chosen from the data. */
    public static Learner lasso() {
        return parse("lasso");
    }

    /** Returns least squares with l1 and l2 penalties in equal shares, whose strength is chosen from the data. */
    public static Learner elasticNet() {
        return parse("elastic-net");
    }

    /** Returns least squares with a penalty on groups of weights, which makes whole groups zero. */
    public static Learner groupLasso() {
        return parse("group-lasso");
    }

    /** Returns logistic regression, one class against the rest, whose penalty l2 is chosen from the data. */
    public static Learner logistic() {
        return parse("logistic");
    }

    /** Returns multinomial logistic regression, whose penalty l2 is chosen from the data. */
    public static Learner softmax() {
        return parse("softmax");
    }

    /** Returns a support vector machine with the hinge loss, whose C is chosen from the data. */
    public static Learner svm() {
        return parse("svm");
    }

    /** Returns support vector regression, whose C is chosen from the data and whose epsilon is 0.1. */
    public static Learner svr() {
        return parse("svr");
    }

    /** Returns regression with Huber's loss, whose penalty l2 is chosen from the data and whose delta is 1.35. */
    public static Learner huber() {
        return parse("huber");
    }

    /** Returns the names of all learners. */
    public static List<String> names() {
        return LearnerSpelling.NAMES;
    }

    /** Reads a spelling such as {@code ridge(lambda=auto)}, {@code svm(C=1)} or {@code logistic(l1=0.5)}. */
    public static Learner parse(String text) {
        return Spelling.reading(() -> new Learner(LearnerSpelling.read(Spelling.parse("learner", text))));
    }

    /** Returns the name of the family, such as "ridge" or "svm". */
    public String name() {
        return parts.name();
    }

    /** Returns the strength: the penalty that was given, or NaN if it is chosen from the data; for {@code C}, 1/C. */
    public double lambda() {
        return parts.formulation().strength();
    }

    /** Returns true if the strength is chosen from the data. */
    public boolean isAuto() {
        return Double.isNaN(lambda());
    }

    /** Returns the parameter that the strength is spelled as: lambda, l1, l2, C or group. */
    public String strengthName() {
        return parts.key();
    }

    /** Returns a strength as it is spelled: itself, or its inverse for C. */
    public double spelled(double strength) {
        return parts.key().equals("C") ? 1 / strength : strength;
    }

    /** Returns this learner with another strength. */
    public Learner withLambda(double strength) {
        Require.notNegative(parts.name(), parts.key(), strength);
        String text = Spelling.print(spelled(strength));
        Map<String, String> printed = new LinkedHashMap<>(parts.printed());
        printed.put(parts.key(), text);
        return new Learner(new Parts(
                parts.name(),
                parts.key(),
                parts.formulation().withStrength(strength),
                parts.refit(),
                printed,
                parts.given().with(parts.key(), text)));
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

    /**
     * Returns this learner with other groups: {@code pairs}, {@code channels} or ranges such as {@code [0:10, 10:30]}.
     */
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

    /** Returns support vector regression whose loss has curves of width 1/gamma in place of its kinks. */
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

    /**
     * Returns this learner with the weights that are not zero learned again, with l2 alone; for l1 and group penalties.
     */
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

    /** Returns the learner of the given parameters and one more, checked as its spelling is. */
    private Learner with(String parameter, String value) {
        try {
            return new Learner(LearnerSpelling.read(parts.given().with(parameter, value)));
        } catch (SpellingException e) {
            // Nothing was spelled: the caller's argument is wrong.
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Returns true if the penalties make weights zero. */
    public boolean sparse() {
        return parts.formulation().sparse();
    }

    /** Returns true for the square loss with the penalty l2 alone. */
    public boolean isRidge() {
        return parts.formulation().isRidge();
    }

    /**
     * Returns the learner for a second fit to the features whose weights are not zero, if the spelling has
     * {@code refit}: penalties that make weights zero also shrink the weights that they leave.
     */
    public Optional<Learner> refit() {
        return parts.refit() ? Optional.of(dense()) : Optional.empty();
    }

    /** Returns the learner with the same loss and l2 alone, whose strength is chosen from the data. */
    public Learner dense() {
        Spelling dense = Spelling.parse("learner", loss() instanceof Loss.HalfSquare ? "ridge" : name());
        for (String parameter : List.of("loss", "epsilon", "gamma", "delta")) {
            String value = parts.printed().get(parameter);
            dense = value == null ? dense : dense.with(parameter, value);
        }
        return new Learner(LearnerSpelling.read(dense));
    }

    private Loss loss() {
        return parts.formulation().loss();
    }

    /** Checks that the loss is one for the kind of labels. */
    public void requireFits(Labels labels) {
        if (labels instanceof Labels.Numbers && !loss().forNumbers()) {
            throw new BochnerException(
                    name() + " tells classes apart, and the labels are numbers",
                    Remedy.set(Setting.LEARNER, "ridge", "learns numbers, and so do svr and huber"),
                    Remedy.set(Setting.TASK, Task.CLASSIFY, "if they are names of classes"));
        }
        if (labels instanceof Labels.Classes && !loss().forClasses()) {
            throw new BochnerException(
                    name() + " predicts numbers, and the labels are classes",
                    Remedy.set(Setting.LEARNER, "ridge", "learns classes, and so do svm, logistic and softmax"),
                    Remedy.set(Setting.TASK, Task.REGRESS, "if they are numbers"));
        }
    }

    @Override
    public String toString() {
        Spelling spelling = Spelling.parse("learner", name());
        for (Map.Entry<String, String> parameter : parts.printed().entrySet()) {
            spelling = spelling.with(parameter.getKey(), parameter.getValue());
        }
        return spelling.toString();
    }

    /** Returns true for a learner with the same loss, penalties and solver, however they were spelled. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Learner that
                && name().equals(that.name())
                && parts.key().equals(that.parts.key())
                && parts.refit() == that.parts.refit()
                && parts.formulation().equals(that.parts.formulation());
    }

    @Override
    public int hashCode() {
        return Objects.hash(name(), parts.key(), parts.refit(), parts.formulation());
    }
}
