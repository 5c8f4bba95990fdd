package org.bochner.learn.linear;

import org.bochner.base.Require;

/**
 * A convex loss of the scores of one row. A {@link PerScore} loss is a sum over the outputs; {@link Softmax} depends on
 * all scores of a row together.
 *
 * <p>Losses of a margin m = y·f are for classes, with targets y = ±1. Losses of a residual r = f − y are for numbers, and
 * all but {@link Huber} for classes too, as the numbers ±1. All are computed without overflow for every finite score.
 */
public sealed interface Loss {
    /** Returns the largest second derivative; infinite if the loss has kinks. */
    double mostCurvature();

    default boolean forClasses() {
        return true;
    }

    default boolean forNumbers() {
        return false;
    }

    /** Returns true if the loss has a derivative everywhere. */
    default boolean smooth() {
        return mostCurvature() < Double.POSITIVE_INFINITY;
    }

    /**
     * Returns a differentiable loss that converges to this one as γ grows; this loss itself if it has no kinks.
     *
     * @param gamma one over the width, in units of the score, of the curve that replaces a kink
     */
    default Loss smoothed(double gamma) {
        return this;
    }

    /** A loss that is a sum over the outputs of a function of one score and its target. */
    sealed interface PerScore extends Loss {
        /** Returns the loss of a score. */
        double value(double score, double target);

        /** Returns the derivative by the score; at a kink the one-sided derivative closer to 0. */
        double slope(double score, double target);

        /** Returns the second derivative by the score; 0 at a kink. */
        double curvature(double score, double target);
    }

    /** A loss of the residual. */
    sealed interface OfResidual extends PerScore {
        @Override
        default boolean forNumbers() {
            return true;
        }
    }

    /** A loss that is 0, or close to 0, for residuals up to ε: the losses of support vector regression. */
    sealed interface Insensitive extends OfResidual {
        double epsilon();

        /** Returns this loss with another ε. */
        Insensitive withEpsilon(double other);
    }

    /** A loss that is linear between its kinks. */
    sealed interface WithKinks extends PerScore {
        @Override
        default double curvature(double score, double target) {
            return 0;
        }

        @Override
        default double mostCurvature() {
            return Double.POSITIVE_INFINITY;
        }
    }

    /**
     * −log of the class's share of Σ exp(fₒ): multinomial logistic regression, which couples the outputs. With two
     * classes, which have one score, it is the {@linkplain #OF_TWO_CLASSES logistic loss}.
     */
    record Softmax() implements Loss {
        static final PerScore OF_TWO_CLASSES = new Logistic();

        /** Returns 1/2, an upper limit of the eigenvalues of the Hessian diag(p) − ppᵀ. */
        @Override
        public double mostCurvature() {
            return 0.5;
        }
    }

    /** r²/2. */
    record HalfSquare() implements OfResidual {
        @Override
        public double value(double score, double target) {
            double r = score - target;
            return r * r / 2;
        }

        @Override
        public double slope(double score, double target) {
            return score - target;
        }

        @Override
        public double curvature(double score, double target) {
            return 1;
        }

        @Override
        public double mostCurvature() {
            return 1;
        }
    }

    /** log(1 + exp(−m)): logistic regression. */
    record Logistic() implements PerScore {
        @Override
        public double value(double score, double target) {
            return softplus(-target * score);
        }

        @Override
        public double slope(double score, double target) {
            return -target * sigmoid(-target * score);
        }

        @Override
        public double curvature(double score, double target) {
            return sigmoid(score) * sigmoid(-score);
        }

        @Override
        public double mostCurvature() {
            return 0.25;
        }
    }

    /** max(0, 1 − m): the support vector machine. */
    record Hinge() implements WithKinks {
        @Override
        public double value(double score, double target) {
            return Math.max(0, 1 - target * score);
        }

        @Override
        public double slope(double score, double target) {
            return target * score < 1 ? -target : 0;
        }

        @Override
        public Loss smoothed(double gamma) {
            return new SmoothHinge(gamma);
        }
    }

    /** softplus(γ(1 − m))/γ: a smooth hinge, at most log(2)/γ above the hinge. */
    record SmoothHinge(double gamma) implements PerScore {
        public SmoothHinge {
            Require.positive("svm", "gamma", gamma);
        }

        @Override
        public double value(double score, double target) {
            return softplus(gamma * (1 - target * score)) / gamma;
        }

        @Override
        public double slope(double score, double target) {
            return -target * sigmoid(gamma * (1 - target * score));
        }

        @Override
        public double curvature(double score, double target) {
            double t = gamma * (1 - target * score);
            return gamma * sigmoid(t) * sigmoid(-t);
        }

        @Override
        public double mostCurvature() {
            return gamma / 4;
        }
    }

    /** max(0, 1 − m)². */
    record SquaredHinge() implements PerScore {
        @Override
        public double value(double score, double target) {
            double slack = Math.max(0, 1 - target * score);
            return slack * slack;
        }

        @Override
        public double slope(double score, double target) {
            return -2 * target * Math.max(0, 1 - target * score);
        }

        @Override
        public double curvature(double score, double target) {
            return target * score < 1 ? 2 : 0;
        }

        @Override
        public double mostCurvature() {
            return 2;
        }
    }

    /** max(0, |r| − ε): support vector regression. */
    record EpsilonInsensitive(double epsilon) implements Insensitive, WithKinks {
        public EpsilonInsensitive {
            Require.notNegative("svr", "epsilon", epsilon);
        }

        @Override
        public EpsilonInsensitive withEpsilon(double other) {
            return new EpsilonInsensitive(other);
        }

        @Override
        public double value(double score, double target) {
            return Math.max(0, Math.abs(score - target) - epsilon);
        }

        @Override
        public double slope(double score, double target) {
            double r = score - target;
            return Math.abs(r) > epsilon ? Math.signum(r) : 0;
        }

        @Override
        public Loss smoothed(double gamma) {
            return new SmoothInsensitive(epsilon, gamma);
        }
    }

    /** max(0, |r| − ε)². */
    record SquaredInsensitive(double epsilon) implements Insensitive {
        public SquaredInsensitive {
            Require.notNegative("svr", "epsilon", epsilon);
        }

        @Override
        public SquaredInsensitive withEpsilon(double other) {
            return new SquaredInsensitive(other);
        }

        @Override
        public double value(double score, double target) {
            double excess = Math.max(0, Math.abs(score - target) - epsilon);
            return excess * excess;
        }

        @Override
        public double slope(double score, double target) {
            double r = score - target;
            return 2 * Math.signum(r) * Math.max(0, Math.abs(r) - epsilon);
        }

        @Override
        public double curvature(double score, double target) {
            return Math.abs(score - target) > epsilon ? 2 : 0;
        }

        @Override
        public double mostCurvature() {
            return 2;
        }
    }

    /**
     * [softplus(γ(r − ε)) + softplus(−γ(r + ε)) − 2·softplus(−γε)]/γ: a smooth form of the ε-insensitive loss, to which
     * it converges as γ grows; 0 at r = 0.
     */
    record SmoothInsensitive(double epsilon, double gamma) implements Insensitive {
        public SmoothInsensitive {
            Require.notNegative("svr", "epsilon", epsilon);
            Require.positive("svr", "gamma", gamma);
        }

        @Override
        public SmoothInsensitive withEpsilon(double other) {
            return new SmoothInsensitive(other, gamma);
        }

        @Override
        public double value(double score, double target) {
            double r = score - target;
            return (softplus(gamma * (r - epsilon)) + softplus(-gamma * (r + epsilon)) - 2 * softplus(-gamma * epsilon))
                    / gamma;
        }

        @Override
        public double slope(double score, double target) {
            double r = score - target;
            return sigmoid(gamma * (r - epsilon)) - sigmoid(-gamma * (r + epsilon));
        }

        @Override
        public double curvature(double score, double target) {
            double r = score - target;
            double above = gamma * (r - epsilon);
            double below = gamma * (r + epsilon);
            return gamma * (sigmoid(above) * sigmoid(-above) + sigmoid(below) * sigmoid(-below));
        }

        @Override
        public double mostCurvature() {
            return gamma / 2;
        }
    }

    /** r²/2 up to |r| = δ, and δ(|r| − δ/2) beyond: a squared loss that is robust to outliers. */
    record Huber(double delta) implements OfResidual {
        public Huber {
            Require.positive("huber", "delta", delta);
        }

        @Override
        public boolean forClasses() {
            return false;
        }

        @Override
        public double value(double score, double target) {
            double size = Math.abs(score - target);
            return size <= delta ? size * size / 2 : delta * (size - delta / 2);
        }

        @Override
        public double slope(double score, double target) {
            return Math.max(-delta, Math.min(delta, score - target));
        }

        @Override
        public double curvature(double score, double target) {
            return Math.abs(score - target) <= delta ? 1 : 0;
        }

        @Override
        public double mostCurvature() {
            return 1;
        }
    }

    /** Returns log(1 + exp(t)). */
    static double softplus(double t) {
        return Math.max(t, 0) + log1p(Math.exp(-Math.abs(t)));
    }

    /**
     * Returns log(1 + e) for e in [0, 1], accurate to a few units in the last place: the factor corrects the rounding
     * of 1 + e. It takes a third of the time of {@link Math#log1p}, which matters in passes over all rows and outputs.
     */
    private static double log1p(double e) {
        double sum = 1 + e;
        return sum == 1 ? e : Math.log(sum) * (e / (sum - 1));
    }

    /** Returns 1/(1 + exp(−t)). */
    static double sigmoid(double t) {
        if (t >= 0) {
            return 1 / (1 + Math.exp(-t));
        }
        double e = Math.exp(t);
        return e / (1 + e);
    }
}
