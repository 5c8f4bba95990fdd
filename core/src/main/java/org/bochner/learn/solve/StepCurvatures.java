package org.bochner.learn.solve;

import java.util.Arrays;

/**
 * The curvatures that proximal steps assume: one number per problem for all its weights, raised when gradients show a
 * larger curvature, and one for the intercepts. Features are centred, so weights and intercepts do not interact.
 */
final class StepCurvatures {
    private final Objective objective;
    private final Regularizer regularizer;
    private final int outputs;
    /** The number of weights; the intercepts follow them in a point. */
    private final int weights;

    private final double[] curvatures;

    StepCurvatures(Objective objective, Regularizer regularizer) {
        this.objective = objective;
        this.regularizer = regularizer;
        outputs = objective.outputs();
        weights = objective.features() * outputs;
        curvatures = new double[regularizer.joint() ? 1 : objective.problems()];
    }

    /** Returns the number of independent problems. */
    int problems() {
        return curvatures.length;
    }

    /** Returns the problem that an entry of a point belongs to. */
    int problem(int at) {
        return curvatures.length == 1 ? 0 : at % outputs;
    }

    /** Returns the inner products of each problem's parts of two arrays, up to a length. */
    double[] products(double[] a, double[] b, int length) {
        double[] products = new double[curvatures.length];
        for (int at = 0; at < length; at++) {
            products[problem(at)] += a[at] * b[at];
        }
        return products;
    }

    /** Returns an upper limit of the curvature along an intercept. */
    private double ofIntercepts() {
        return objective.loss().mostCurvature() * objective.source().totalRowWeight();
    }

    /** Returns an upper limit of the curvature along all weights. */
    private double limit() {
        return objective.loss().mostCurvature() * objective.source().scatterTrace();
    }

    /** Sets the first curvatures: those along the gradient, which tends to the direction of largest curvature. */
    void begin(double[] point, double[] gradient) {
        double[] direction = gradient.clone();
        Arrays.fill(direction, weights, direction.length, 0);
        double[] product = new double[direction.length];
        objective.curvature(point, direction, product);
        double[] squares = products(product, product, weights);
        double[] along = products(direction, product, weights);
        double limit = limit();
        for (int p = 0; p < curvatures.length; p++) {
            double shown = squares[p] / along[p];
            curvatures[p] = shown > 0 && shown < limit ? shown : limit > 0 ? limit : 1;
        }
    }

    /** Writes the proximal step from a point. */
    void step(double[] point, double[] gradient, double[] next) {
        double[] steps = new double[outputs];
        Arrays.setAll(steps, o -> 1 / curvatures[problem(o)]);
        double ofIntercept = 1 / ofIntercepts();
        for (int at = 0; at < point.length; at++) {
            next[at] = point[at] - (at < weights ? steps[at % outputs] : ofIntercept) * gradient[at];
        }
        regularizer.shrink(next, objective.features(), outputs, steps);
    }

    /** Returns the differences of two points, multiplied by the curvatures. */
    double[] multiply(double[] a, double[] b) {
        double[] products = new double[a.length];
        double ofIntercepts = ofIntercepts();
        Arrays.setAll(products, at -> (a[at] - b[at]) * (at < weights ? curvatures[problem(at)] : ofIntercepts));
        return products;
    }

    /**
     * Raises the curvatures that a move has shown to be too low: a convex function with curvature at most M satisfies
     * changesᵀM⁻¹changes ≤ movesᵀchanges.
     *
     * @param moves the change of the point
     * @param changes the change of the gradient
     * @return the problems whose curvature was raised
     */
    boolean[] learn(double[] moves, double[] changes) {
        double[] along = products(moves, changes, moves.length);
        double[] all = products(changes, changes, moves.length);
        double[] squares = products(changes, changes, weights);
        boolean[] raised = new boolean[curvatures.length];
        for (int p = 0; p < curvatures.length; p++) {
            double left = along[p] - (all[p] - squares[p]) / ofIntercepts();
            double shown = squares[p] / left;
            if (left > 0 && shown > curvatures[p]) {
                curvatures[p] = Math.min(limit(), 1.1 * shown);
                raised[p] = true;
            }
        }
        return raised;
    }

    /** Doubles the curvature of a problem whose steps went too far, up to the limit. */
    void raise(int problem) {
        curvatures[problem] = Math.min(limit(), 2 * curvatures[problem]);
    }
}
