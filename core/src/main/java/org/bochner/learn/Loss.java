package org.bochner.learn;

import org.bochner.base.Require;

/**
 * What a score costs, given the target. Losses of a margin m = y·f are for classes, whose targets are y = ±1; losses of a
 * residual r = f − y are for numbers. The half square is for both.
 *
 * <p>All are convex, and computed without overflow for every finite score.
 */
public sealed interface Loss {
    /** The cost of a score. */
    double value(double score, double target);

    /** Its derivative by the score; at a kink the smaller in size of the two. */
    double slope(double score, double target);

    /** Its second derivative by the score; 0 at a kink. */
    double curvature(double score, double target);

    /** The largest second derivative; infinite where the loss has kinks. */
    double mostCurvature();

    default boolean forClasses() {
        return true;
    }

    default boolean forNumbers() {
        return false;
    }

    /** Whether it has a derivative everywhere. */
    default boolean smooth() {
        return mostCurvature() < Double.POSITIVE_INFINITY;
    }

    /**
     * A loss with a derivative everywhere, which tends to this one with growing γ; this one itself where it has no kinks.
     *
     * @param gamma one over the width, in units of the score, of what takes the place of a kink
     */
    default Loss smoothed(double gamma) {
        return this;
    }

    /** r²/2. */
    record HalfSquare() implements Loss {
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

        @Override
        public boolean forNumbers() {
            return true;
        }
    }

    /** log(1 + exp(−m)): logistic regression. */
    record Logistic() implements Loss {
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

    /**
     * −log of the class's share of Σ exp(fₒ): multinomial logistic regression, whose outputs depend on each other. The
     * methods of this interface are those of two classes, where it is the logistic loss of the difference.
     */
    record Softmax() implements Loss {
        private static final Logistic OF_TWO = new Logistic();

        @Override
        public double value(double score, double target) {
            return OF_TWO.value(score, target);
        }

        @Override
        public double slope(double score, double target) {
            return OF_TWO.slope(score, target);
        }

        @Override
        public double curvature(double score, double target) {
            return OF_TWO.curvature(score, target);
        }

        /** Of the matrix diag(p) − ppᵀ of second derivatives, the largest eigenvalue is at most 1/2. */
        @Override
        public double mostCurvature() {
            return 0.5;
        }
    }

    /** max(0, 1 − m): the support vector machine. */
    record Hinge() implements Loss {
        @Override
        public double value(double score, double target) {
            return Math.max(0, 1 - target * score);
        }

        @Override
        public double slope(double score, double target) {
            return target * score < 1 ? -target : 0;
        }

        @Override
        public double curvature(double score, double target) {
            return 0;
        }

        @Override
        public double mostCurvature() {
            return Double.POSITIVE_INFINITY;
        }

        @Override
        public Loss smoothed(double gamma) {
            return new SmoothHinge(gamma);
        }
    }

    /** softplus(γ(1 − m))/γ: a smooth form of the hinge, which it is above by log(2)/γ at most. */
    record SmoothHinge(double gamma) implements Loss {
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
    record SquaredHinge() implements Loss {
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
    record EpsilonInsensitive(double epsilon) implements Loss {
        public EpsilonInsensitive {
            Require.notNegative("svr", "epsilon", epsilon);
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
        public double curvature(double score, double target) {
            return 0;
        }

        @Override
        public double mostCurvature() {
            return Double.POSITIVE_INFINITY;
        }

        @Override
        public Loss smoothed(double gamma) {
            return new SmoothInsensitive(epsilon, gamma);
        }

        @Override
        public boolean forClasses() {
            return false;
        }

        @Override
        public boolean forNumbers() {
            return true;
        }
    }

    /**
     * [softplus(γ(r − ε)) + softplus(−γ(r + ε)) − 2·softplus(−γε)]/γ: a smooth form of the ε-insensitive loss, which it
     * tends to with growing γ; 0 at r = 0.
     */
    record SmoothInsensitive(double epsilon, double gamma) implements Loss {
        public SmoothInsensitive {
            Require.notNegative("svr", "epsilon", epsilon);
            Require.positive("svr", "gamma", gamma);
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

        @Override
        public boolean forClasses() {
            return false;
        }

        @Override
        public boolean forNumbers() {
            return true;
        }
    }

    /** r²/2 up to |r| = δ, and δ(|r| − δ/2) beyond: squares that outliers do not rule. */
    record Huber(double delta) implements Loss {
        public Huber {
            Require.positive("huber", "delta", delta);
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

        @Override
        public boolean forClasses() {
            return false;
        }

        @Override
        public boolean forNumbers() {
            return true;
        }
    }

    /** log(1 + exp(t)). */
    static double softplus(double t) {
        return Math.max(t, 0) + log1p(Math.exp(-Math.abs(t)));
    }

    /**
     * log(1 + e) for e in [0, 1], to a few units in the last place: what rounding 1 + e takes from the logarithm is given
     * back by the factor. A third of the time of {@link Math#log1p}, which passes over all rows and outputs feel.
     */
    private static double log1p(double e) {
        double sum = 1 + e;
        return sum == 1 ? e : Math.log(sum) * (e / (sum - 1));
    }

    /** 1/(1 + exp(−t)). */
    static double sigmoid(double t) {
        if (t >= 0) {
            return 1 / (1 + Math.exp(-t));
        }
        double e = Math.exp(t);
        return e / (1 + e);
    }
}
