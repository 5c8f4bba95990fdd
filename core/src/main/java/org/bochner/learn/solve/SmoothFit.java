package org.bochner.learn.solve;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Monitor;
import org.bochner.stats.FeatureSource;
import org.jspecify.annotations.Nullable;

/**
 * The minimum of a smooth loss with a squared penalty, found by Newton's method, and the adjoint solutions that
 * derivatives of a criterion of the fitted functions need.
 *
 * <p>With H the Hessian of the objective at the minimum, by weights and intercepts, and g the gradient of the
 * criterion, the adjoint is P = H⁻¹g. If the features z of a row, whose loss has the derivatives ℓ′ and ℓ″, change by
 * dz, the criterion changes by −⟨ℓ′P + (ℓ″·P(z))β, dz⟩, besides its direct dependence on the features. If the penalty
 * changes by dl2, the criterion changes by −⟨P, β⟩dl2.
 *
 * <p>Threads: not safe; each method uses several threads itself.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SmoothFit(Objective objective, double l2, double[] point) {
    private static final int ITERATIONS = 100;

    /** Maximum number of conjugate gradient steps. */
    private static final int MOST_STEPS = 1000;

    /**
     * Finds the minimum.
     *
     * @param learner a learner with a given strength
     * @param tolerance the norm of the gradient at the end, relative to its norm at zero weights
     * @param start the functions of a warm start; null for the best constants
     */
    public static SmoothFit of(FeatureSource rows, Learner learner, double tolerance, @Nullable LinearModel start) {
        Formulation problem = Formulation.of(learner);
        Require.that(problem.isSmooth(), learner.toString(), "has kinks or corners");
        Objective objective = new Objective(rows, problem.loss());
        double[] begin = start == null ? objective.start() : objective.point(start);
        Regularizer squared = Regularizer.squared(problem.l2());
        StoppingRule stopping = new StoppingRule(tolerance, ITERATIONS);
        Solution minimum = TruncatedNewton.solve(objective, squared, stopping, begin, Monitor.NONE);
        return new SmoothFit(objective, problem.l2(), minimum.point());
    }

    /** Returns the functions at the minimum. */
    public LinearModel model() {
        return objective.model(point);
    }

    /**
     * Returns the adjoint, as functions of the features.
     *
     * @param byWeights derivatives of the criterion by the weights, D×outputs, row-major
     * @param byIntercepts derivatives of the criterion by the intercepts
     * @param tolerance the norm of the residual g − H·P at the end, relative to g
     */
    public LinearModel adjoint(double[] byWeights, double[] byIntercepts, double tolerance) {
        int outputs = objective.outputs();
        double[] mean = objective.source().mean();
        double[] right = Arrays.copyOf(byWeights, objective.size());
        for (int i = 0; i < byWeights.length; i++) {
            right[i] -= mean[i / outputs] * byIntercepts[i % outputs];
        }
        System.arraycopy(byIntercepts, 0, right, byWeights.length, outputs);
        double[] goals = new ProblemVectors(objective).norms(right);
        boolean[] running = new boolean[goals.length];
        for (int p = 0; p < goals.length; p++) {
            running[p] = goals[p] > 0;
            goals[p] *= tolerance;
        }
        CurvaturePreconditioner preconditioner = CurvaturePreconditioner.sample(objective);
        // A problem without curvature along its residual has no unique minimum; its part of the adjoint is not updated.
        return objective.model(
                new NewtonSystem(objective, preconditioner, point, l2).solve(right, running, goals, MOST_STEPS, 0));
    }
}
