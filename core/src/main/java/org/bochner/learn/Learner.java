package org.bochner.learn;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.Setting;
import org.bochner.base.Spelling;
import org.bochner.data.Labels;
import org.bochner.data.Task;
import org.bochner.learn.discriminant.Priors;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.solve.Formulation;
import org.bochner.learn.solve.Grouping;
import org.bochner.learn.solve.LearnerFamily;
import org.bochner.learn.solve.LearnerParameters;
import org.bochner.learn.solve.LearnerSpelling;
import org.bochner.learn.solve.PenaltyKind;
import org.bochner.learn.solve.SolverKind;

/**
 * A recipe for linear functions of the features: a loss, penalties, and a solver that finds the minimum of
 *
 * <pre>  Σ w·ℓ(f(z), y) + l1·|β|₁ + l2/2·|β|² + group·Σ_g √size_g·|β_g|₂,     f(z) = βᵀz + b.</pre>
 *
 * <p>Sums are over the rows, not means; the intercept b is never penalised. {@code ridge(lambda=λ)} minimises
 * {@code Σ w (f(z) − y)² + λ|β|²}, which is half the squared error with l2 = λ; {@code C} of support vector machines is
 * 1/l2.
 *
 * <p>{@code lda} minimises no loss: it follows from the means and the covariance of the classes, and its strength is the
 * shrinkage of that covariance.
 *
 * <p>One of the penalties, the learner's {@link #lambda strength}, can be chosen from the data: {@code auto}. Recipes
 * are immutable; {@link #parse} reads a spelling, and {@link #toString} prints it back.
 */
public final class Learner {
    private final LearnerParameters parameters;
    private final Formulation formulation;

    static {
        Formulation.setReader(learner -> learner.formulation);
    }

    private Learner(LearnerParameters parameters) {
        this(parameters, parameters.formulation());
    }

    private Learner(LearnerParameters parameters, Formulation formulation) {
        this.parameters = parameters;
        this.formulation = formulation;
    }

    private static Learner of(LearnerFamily family) {
        return new Learner(LearnerParameters.of(family));
    }

    /** Returns ridge regression whose penalty is chosen from the data. */
    public static Learner ridge() {
        return of(LearnerFamily.RIDGE);
    }

    /** Returns ridge regression with a given penalty. */
    public static Learner ridge(double lambda) {
        return ridge().withLambda(Require.notNegative("ridge", "lambda", lambda));
    }

    /** Returns least squares with an l1 penalty, which makes weights zero; the penalty is chosen from the data. */
    public static Learner lasso() {
        return of(LearnerFamily.LASSO);
    }

    /** Returns least squares with l1 and l2 penalties in equal shares, whose strength is chosen from the data. */
    public static Learner elasticNet() {
        return of(LearnerFamily.ELASTIC_NET);
    }

    /** Returns least squares with a penalty on groups of weights, which makes whole groups zero. */
    public static Learner groupLasso() {
        return of(LearnerFamily.GROUP_LASSO);
    }

    /** Returns logistic regression, one class against the rest, whose penalty l2 is chosen from the data. */
    public static Learner logistic() {
        return of(LearnerFamily.LOGISTIC);
    }

    /** Returns multinomial logistic regression, whose penalty l2 is chosen from the data. */
    public static Learner softmax() {
        return of(LearnerFamily.SOFTMAX);
    }

    /** Returns a support vector machine with the hinge loss, whose C is chosen from the data. */
    public static Learner svm() {
        return of(LearnerFamily.SVM);
    }

    /** Returns support vector regression, whose C is chosen from the data and whose epsilon is 0.1. */
    public static Learner svr() {
        return of(LearnerFamily.SVR);
    }

    /** Returns regression with Huber's loss, whose penalty l2 is chosen from the data and whose delta is 1.35. */
    public static Learner huber() {
        return of(LearnerFamily.HUBER);
    }

    /**
     * Returns linear discriminant analysis, whose covariance is shrunk as much as Ledoit and Wolf propose. Classes are
     * normal with a common covariance; the model has probabilities and discriminant axes.
     */
    public static Learner lda() {
        return of(LearnerFamily.LDA);
    }

    /** Returns the names of all learners. */
    public static List<String> names() {
        return LearnerFamily.names();
    }

    /** Reads a spelling such as {@code ridge(lambda=auto)}, {@code svm(C=1)} or {@code logistic(l1=0.5)}. */
    public static Learner parse(String text) {
        return Spelling.reading(() -> new Learner(LearnerSpelling.read(Spelling.parse("learner", text))));
    }

    /** Returns the name of the family, such as "ridge" or "svm". */
    public String name() {
        return parameters.family().toString();
    }

    /** Returns the strength: the penalty that was given, or NaN if it is chosen from the data; for {@code C}, 1/C. */
    public double lambda() {
        return formulation.strength();
    }

    /** Returns true if the strength is chosen from the data. */
    public boolean isAuto() {
        return Double.isNaN(lambda());
    }

    /** Returns the parameter that the strength is spelled as: lambda, l1, l2, C, group or shrinkage. */
    public String strengthName() {
        return parameters.key().toString();
    }

    /** Returns a strength as it is spelled: itself, or its inverse for C. */
    public double spelled(double strength) {
        return parameters.key().convert(strength);
    }

    /** Returns this learner with another strength. */
    public Learner withLambda(double strength) {
        return new Learner(parameters.withStrength(strength), formulation.withStrength(strength));
    }

    /** Returns this learner with C = 1/l2; for logistic, softmax, svm, svr and huber. */
    public Learner withC(double c) {
        return new Learner(parameters.withPenalty(PenaltyKind.C, c));
    }

    /** Returns this learner with a penalty on the absolute weights; for all except ridge, lasso and elastic-net. */
    public Learner withL1(double l1) {
        return new Learner(parameters.withPenalty(PenaltyKind.L1, l1));
    }

    /** Returns this learner with a penalty on half the squared weights; for all except ridge and elastic-net. */
    public Learner withL2(double l2) {
        return new Learner(parameters.withPenalty(PenaltyKind.L2, l2));
    }

    /** Returns this learner with a penalty on groups of weights; for all except ridge, elastic-net and group-lasso. */
    public Learner withGroup(double group) {
        return new Learner(parameters.withPenalty(PenaltyKind.GROUP, group));
    }

    /**
     * Returns this learner with other groups: {@code pairs}, {@code channels} or ranges such as {@code [0:10, 10:30]}.
     */
    public Learner withGroups(String groups) {
        return new Learner(parameters.withGroups(Grouping.parse(groups)));
    }

    /** Returns this learner with one group of weights per term of the kernel. */
    public Learner withChannelGroups() {
        return new Learner(parameters.withGroups(Grouping.CHANNELS));
    }

    /** Returns this learner with an l1 penalty that is chosen from the data. */
    public Learner withAutoL1() {
        return new Learner(parameters.withAuto(PenaltyKind.L1));
    }

    /** Returns this learner with an l2 penalty that is chosen from the data. */
    public Learner withAutoL2() {
        return new Learner(parameters.withAuto(PenaltyKind.L2));
    }

    /** Returns this learner with a penalty on groups of weights that is chosen from the data. */
    public Learner withAutoGroup() {
        return new Learner(parameters.withAuto(PenaltyKind.GROUP));
    }

    /**
     * Returns this learner with one penalty chosen from the data.
     *
     * @param penalty its name in spellings: {@code lambda}, {@code l1}, {@code l2}, {@code C} or {@code group}
     */
    public Learner withAuto(String penalty) {
        return new Learner(parameters.withAuto(PenaltyKind.parse(penalty)));
    }

    /** Returns an elastic net with another share of l1 in its penalty, from 0 to 1. */
    public Learner withRatio(double ratio) {
        return new Learner(parameters.withRatio(ratio));
    }

    /** Returns support vector regression that ignores errors up to epsilon. */
    public Learner withEpsilon(double epsilon) {
        return new Learner(parameters.withEpsilon(epsilon));
    }

    /** Returns support vector regression whose loss has curves of width 1/gamma in place of its kinks. */
    public Learner withGamma(double gamma) {
        return new Learner(parameters.withGamma(gamma));
    }

    /** Returns regression with Huber's loss that is linear from an error of delta on. */
    public Learner withDelta(double delta) {
        return new Learner(parameters.withDelta(delta));
    }

    /** Returns a support vector machine with the squared hinge loss. */
    public Learner withSquaredHinge() {
        return new Learner(parameters.withSquaredHinge());
    }

    /** Returns support vector regression with the square of the ε-insensitive loss; refused after {@link #withGamma}. */
    public Learner withSquaredInsensitive() {
        return new Learner(parameters.withSquaredInsensitive());
    }

    /**
     * Returns discriminant analysis with a given shrinkage: the share, from 0 to 1, of a multiple of the identity in the
     * covariance.
     */
    public Learner withShrinkage(double shrinkage) {
        return new Learner(parameters.withPenalty(PenaltyKind.SHRINKAGE, shrinkage));
    }

    /** Returns discriminant analysis that takes all classes as equally probable before a row is seen. */
    public Learner withEqualPriors() {
        return new Learner(parameters.withPriors(Priors.EQUAL));
    }

    /**
     * Returns this learner with the weights that are not zero learned again, with l2 alone; for l1 and group penalties.
     */
    public Learner withRefit() {
        return new Learner(parameters.withRefit());
    }

    /** Returns this learner with another solver, given by its name in spellings. */
    public Learner withSolver(String solver) {
        return new Learner(parameters.withSolver(SolverKind.parse(solver)));
    }

    /** Returns true if a solver was given; otherwise, the learner chooses the one that fits. */
    public boolean hasSolver() {
        return parameters.solver() != SolverKind.AUTO;
    }

    /** Returns this learner with another tolerance of its solver, above 0 and below 1. */
    public Learner withTolerance(double tolerance) {
        return new Learner(parameters.withTolerance(tolerance));
    }

    /** Returns this learner with at most this number of iterations of its solver. */
    public Learner withIterations(int iterations) {
        return new Learner(parameters.withIterations(iterations));
    }

    /** Returns true if the penalties make weights zero. */
    public boolean sparse() {
        return formulation.sparse();
    }

    /** Returns true for the square loss with the penalty l2 alone. */
    public boolean isRidge() {
        return formulation.isRidge();
    }

    /**
     * Returns the learner for a second fit to the features whose weights are not zero, if the spelling has
     * {@code refit}: penalties that make weights zero also shrink the weights that they leave.
     */
    public Optional<Learner> refit() {
        return parameters.refit() ? Optional.of(dense()) : Optional.empty();
    }

    /** Returns the learner with the same loss and l2 alone, whose strength is chosen from the data. */
    public Learner dense() {
        return new Learner(parameters.dense());
    }

    private Loss loss() {
        return formulation.loss();
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
                    Remedy.set(
                            Setting.LEARNER, "svr", "learns classes, and so do ridge, svm, logistic, softmax and lda"),
                    Remedy.set(Setting.TASK, Task.REGRESS, "if they are numbers"));
        }
    }

    @Override
    public String toString() {
        return parameters.toString();
    }

    /** Returns true for a learner with the same loss, penalties and solver, however they were spelled. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Learner that
                && parameters.family() == that.parameters.family()
                && parameters.key() == that.parameters.key()
                && parameters.refit() == that.parameters.refit()
                && formulation.equals(that.formulation);
    }

    @Override
    public int hashCode() {
        return Objects.hash(parameters.family(), parameters.key(), parameters.refit(), formulation);
    }
}
