package org.bochner.learn.solve;

import java.util.Arrays;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.numeric.Workers;

/**
 * The quadratic form that stands for the curvature of a loss in proximal steps: of the next point v, from a point y with
 * gradient g, {@code gᵀv + (v − y)ᵀM(v − y)/2 + R(v)} is to be the least. Intercepts are apart from the weights in it,
 * because features are centred.
 */
abstract class Metric {
    final Objective objective;
    final Regularizer regularizer;
    final int features;
    final int outputs;
    /** How many problems have nothing to do with each other: all outputs are one, or each is. */
    final int problems;

    Metric(Objective objective, Regularizer regularizer) {
        this.objective = objective;
        this.regularizer = regularizer;
        features = objective.features();
        outputs = objective.outputs();
        problems = regularizer.joint() ? 1 : objective.problems();
    }

    /** The problem that an entry of a point belongs to. */
    final int problem(int at) {
        return problems == 1 ? 0 : at % outputs;
    }

    /** The curvature along an intercept, at most. */
    final double interceptCurvature() {
        return objective.loss().mostCurvature() * objective.source().weight();
    }

    /** The inner products of each problem's parts of two arrays, up to a length. */
    final double[] products(double[] a, double[] b, int length) {
        double[] products = new double[problems];
        for (int at = 0; at < length; at++) {
            products[problem(at)] += a[at] * b[at];
        }
        return products;
    }

    final double[] differences(double[] a, double[] b) {
        double[] differences = new double[a.length];
        Arrays.setAll(differences, i -> a[i] - b[i]);
        return differences;
    }

    /** Begins, where the gradient is known. */
    abstract void begin(double[] point, double[] gradient);

    /**
     * Writes the next point.
     *
     * @param plain the point before, near which the next one is sought
     * @param precision how exact it has to be, for each problem: the largest entry of a subgradient
     */
    abstract void step(double[] point, double[] gradient, double[] plain, double[] next, double[] precision);

    /** M·(y − v) of the last step. */
    abstract double[] pull(double[] point, double[] next);

    /** Looks at what a move did to the gradient; says of which problems the curvature was larger than thought. */
    abstract boolean[] learn(double[] moves, double[] changes);

    /** Steps of a problem went too far: doubles its curvature, where that is no bound already. */
    abstract void stiffen(int problem);

    /** A multiple of the identity, each problem's own, which follows the curvature that gradients show. */
    static final class Plain extends Metric {
        private final double[] curvatures;

        Plain(Objective objective, Regularizer regularizer) {
            super(objective, regularizer);
            curvatures = new double[problems];
        }

        /** No curvature is larger. */
        private double bound() {
            return objective.loss().mostCurvature() * objective.source().scatterTrace();
        }

        /** Starts from the curvature along the gradient, which leans to the direction of the largest. */
        @Override
        void begin(double[] point, double[] gradient) {
            double[] direction = gradient.clone();
            int weights = features * outputs;
            Arrays.fill(direction, weights, direction.length, 0);
            double[] product = new double[direction.length];
            objective.curvature(point, direction, product);
            double[] squares = products(product, product, weights);
            double[] along = products(direction, product, weights);
            for (int p = 0; p < problems; p++) {
                double shown = squares[p] / along[p];
                curvatures[p] = shown > 0 && shown < bound() ? shown : bound() > 0 ? bound() : 1;
            }
        }

        @Override
        void step(double[] point, double[] gradient, double[] plain, double[] next, double[] precision) {
            double[] steps = new double[outputs];
            for (int o = 0; o < outputs; o++) {
                steps[o] = 1 / curvatures[problem(o)];
            }
            for (int at = 0; at < point.length; at++) {
                double step = at < features * outputs ? steps[at % outputs] : 1 / interceptCurvature();
                next[at] = point[at] - step * gradient[at];
            }
            regularizer.shrink(next, features, outputs, steps);
        }

        @Override
        double[] pull(double[] point, double[] next) {
            double[] pull = differences(point, next);
            for (int at = 0; at < pull.length; at++) {
                pull[at] *= at < features * outputs ? curvatures[problem(at)] : interceptCurvature();
            }
            return pull;
        }

        /** A convex function of curvature at most M has changesᵀM⁻¹changes ≤ movesᵀchanges. */
        @Override
        boolean[] learn(double[] moves, double[] changes) {
            int weights = features * outputs;
            double[] along = products(moves, changes, moves.length);
            double[] all = products(changes, changes, moves.length);
            double[] squares = products(changes, changes, weights);
            boolean[] larger = new boolean[problems];
            for (int p = 0; p < problems; p++) {
                double left = along[p] - (all[p] - squares[p]) / interceptCurvature();
                double shown = squares[p] / left;
                if (left > 0 && shown > curvatures[p]) {
                    curvatures[p] = Math.min(bound(), 1.1 * shown);
                    larger[p] = true;
                }
            }
            return larger;
        }

        @Override
        void stiffen(int problem) {
            curvatures[problem] = Math.min(bound(), 2 * curvatures[problem]);
        }
    }

    /**
     * The scatter of the features times the loss's largest curvature, which bounds the true one. Steps are lassos (or
     * what the penalty is) on a matrix; they are dearer than plain ones, and fewer by far, because how features resemble
     * each other no longer matters.
     */
    static final class Scatter extends Metric {
        private static final int ROUNDS = 50;

        private final Workers workers;
        private final BlockDescent blocks;
        private final double curvature;
        private final Regularizer relative;
        /** H times the point and the next one. */
        private double[] ofPoint = new double[0];

        private final double[] ofNext;

        /** @param matrix the scatter, all of it, row-major; shared */
        Scatter(Objective objective, Regularizer regularizer, double[] matrix, Workers workers) {
            super(objective, regularizer);
            this.workers = workers;
            FeatureGroups groups = regularizer.groups();
            blocks = new BlockDescent(
                    matrix, groups != null && regularizer.group() > 0 ? groups : FeatureGroups.each(features));
            curvature = objective.loss().mostCurvature();
            relative = new Regularizer(
                    regularizer.l1() / curvature,
                    regularizer.l2() / curvature,
                    regularizer.group() / curvature,
                    groups);
            ofNext = new double[features * outputs];
        }

        @Override
        void begin(double[] point, double[] gradient) {}

        @Override
        void step(double[] point, double[] gradient, double[] plain, double[] next, double[] precision) {
            int weights = features * outputs;
            ofPoint = blocks.multiply(point, outputs);
            double[] linear = new double[weights];
            for (int at = 0; at < weights; at++) {
                linear[at] = ofPoint[at] - gradient[at] / curvature;
            }
            for (int at = weights; at < point.length; at++) {
                next[at] = point[at] - gradient[at] / interceptCurvature();
            }
            // Outputs of one problem are still apart in here, unless groups tie them together.
            int parts = regularizer.joint() ? 1 : outputs;
            workers.each(parts, part -> solve(part, outputs / parts, linear, plain, next, precision[problem(part)]));
        }

        private void solve(int part, int width, double[] linear, double[] plain, double[] next, double precision) {
            double[] own = columns(linear, part, width);
            BlockDescent.Descent descent = blocks.new Descent(own, columns(plain, part, width), width, relative);
            for (int round = 0; round < ROUNDS && descent.violation() > precision / curvature; round++) {
                descent.round();
            }
            for (int j = 0; j < features; j++) {
                for (int o = 0; o < width; o++) {
                    int at = j * outputs + part + o;
                    next[at] = descent.weights()[j * width + o];
                    ofNext[at] = own[j * width + o] - descent.slopes()[j * width + o];
                }
            }
        }

        private double[] columns(double[] of, int first, int width) {
            double[] columns = new double[features * width];
            for (int j = 0; j < features; j++) {
                System.arraycopy(of, j * outputs + first, columns, j * width, width);
            }
            return columns;
        }

        @Override
        double[] pull(double[] point, double[] next) {
            double[] pull = differences(point, next);
            for (int at = 0; at < pull.length; at++) {
                pull[at] = at < features * outputs
                        ? curvature * (ofPoint[at] - ofNext[at])
                        : interceptCurvature() * pull[at];
            }
            return pull;
        }

        @Override
        boolean[] learn(double[] moves, double[] changes) {
            return new boolean[problems];
        }

        @Override
        void stiffen(int problem) {}
    }
}
