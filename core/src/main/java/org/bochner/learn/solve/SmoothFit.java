package org.bochner.learn.solve;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Monitor;
import org.bochner.stats.FeatureSource;
import org.jspecify.annotations.Nullable;

/**
 * The minimum of a smooth loss with a squared penalty, found by Newton's method, and how it moves: what derivatives of
 * anything that is judged by its functions need.
 *
 * <p>With H the second derivatives of the objective at the minimum, by weights and intercepts, and g those of what is judged,
 * the adjoint is P = H⁻¹g. Where features z of a row with the derivatives ℓ′ and ℓ″ of its loss move by dz, what is judged
 * moves by −⟨ℓ′P + (ℓ″·P(z))β, dz⟩, besides what it depends on the features itself; where the penalty moves by dl2, by
 * −⟨P, β⟩dl2.
 *
 * <p>Threads: not safe; each method is parallel by itself.
 */
public final class SmoothFit {
    private static final int ITERATIONS = 100;

    /** Steps of conjugate gradients at most. */
    private static final int MOST_STEPS = 1000;

    private final Objective objective;
    private final double l2;
    private final double[] point;

    /**
     * Finds the minimum.
     *
     * @param learner with a strength that is a number
     * @param tolerance of the gradient, relative to that at the weights 0
     * @param start functions to begin at; null for the best constants
     */
    public SmoothFit(FeatureSource rows, Learner learner, double tolerance, @Nullable LinearModel start) {
        Require.that(Formulation.of(learner).isSmooth(), learner.toString(), "has kinks or corners");
        objective = new Objective(rows, Formulation.of(learner).loss());
        l2 = Formulation.of(learner).l2();
        double[] begin = start == null ? objective.start() : objective.point(start);
        point = new TruncatedNewton()
                .solve(objective, Regularizer.squared(l2), new StoppingRule(tolerance, ITERATIONS), begin, Monitor.NONE)
                .point();
    }

    /** The functions at the minimum. */
    public LinearModel model() {
        return objective.model(point);
    }

    /**
     * The adjoint, as functions of the features.
     *
     * @param byWeights derivatives of what is judged by the weights, D×outputs, row-major
     * @param byIntercepts the same by the intercepts
     * @param tolerance of the residual g − H·P, relative to g
     */
    public LinearModel adjoint(double[] byWeights, double[] byIntercepts, double tolerance) {
        int outputs = objective.outputs();
        double[] mean = objective.source().mean();
        double[] right = Arrays.copyOf(byWeights, objective.size());
        for (int i = 0; i < byWeights.length; i++) {
            right[i] -= mean[i / outputs] * byIntercepts[i % outputs];
        }
        System.arraycopy(byIntercepts, 0, right, byWeights.length, outputs);
        return objective.model(new Conjugate(right, tolerance).solve());
    }

    /** Preconditioned conjugate gradients for H·P = g, all problems side by side. */
    private final class Conjugate {
        private final ProblemVectors problems = new ProblemVectors(objective);
        private final boolean[] running = new boolean[problems.count()];
        private final double[] solution = new double[objective.size()];
        private final double[] residual;
        private final double[] conditioned = new double[objective.size()];
        private final double[] direction = new double[objective.size()];
        private final double[] product = new double[objective.size()];
        private final double[] goals;
        private final CurvaturePreconditioner.Inverse inverse;
        private double[] products;

        Conjugate(double[] right, double tolerance) {
            residual = right;
            goals = problems.norms(right);
            for (int p = 0; p < goals.length; p++) {
                running[p] = goals[p] > 0;
                goals[p] *= tolerance;
            }
            boolean[] all = new boolean[running.length];
            Arrays.fill(all, true);
            inverse = new CurvaturePreconditioner(objective).inverse(point, l2, problems.outputs(all));
            inverse.apply(residual, conditioned);
            System.arraycopy(conditioned, 0, direction, 0, direction.length);
            products = problems.dot(residual, conditioned);
        }

        double[] solve() {
            for (int k = 0; k < MOST_STEPS && anyRunning(); k++) {
                step();
                turn();
            }
            return solution;
        }

        private boolean anyRunning() {
            boolean any = false;
            for (boolean one : running) {
                any |= one;
            }
            return any;
        }

        private void step() {
            objective.curvature(point, direction, product, problems.outputs(running));
            problems.addWeights(l2, direction, product);
            double[] curvatures = problems.dot(direction, product);
            double[] lengths = new double[running.length];
            double[] negative = new double[running.length];
            for (int p = 0; p < running.length; p++) {
                // Without curvature, what is left cannot be reached: the minimum is not one point.
                running[p] &= curvatures[p] > 0;
                lengths[p] = running[p] ? products[p] / curvatures[p] : 0;
                negative[p] = -lengths[p];
            }
            problems.add(solution, lengths, direction, solution);
            problems.add(residual, negative, product, residual);
            double[] norms = problems.norms(residual);
            for (int p = 0; p < running.length; p++) {
                running[p] &= norms[p] > goals[p];
            }
        }

        /** Turns the directions to what is left, conjugate to those before. */
        private void turn() {
            inverse.apply(residual, conditioned);
            double[] next = problems.dot(residual, conditioned);
            double[] shares = new double[running.length];
            for (int p = 0; p < running.length; p++) {
                shares[p] = running[p] ? next[p] / products[p] : 0;
            }
            problems.add(conditioned, shares, direction, direction);
            products = next;
        }
    }
}
