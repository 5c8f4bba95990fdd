package org.bochner.learn.solve;

/**
 * Preconditioned conjugate gradients for {@code (H + l2·I)·x = g}, where H is the Hessian of an objective at a point
 * and intercepts have no l2. All problems of the objective share the passes, one pass per step; solved problems leave
 * the passes.
 */
final class NewtonSystem {
    private final Objective objective;
    private final ProblemVectors problems;
    private final double[] point;
    private final double l2;
    private final CurvaturePreconditioner.Inverse inverse;
    private final boolean[] running;
    private final double[] goals;
    private final double[] solution;
    private final double[] residual;
    private final double[] conditioned;
    private final double[] direction;
    private final double[] product;

    /**
     * Creates a system.
     *
     * @param right g; the array is kept and overwritten with the residual
     * @param chosen the problems to solve; the solution of all others is 0
     * @param goals the norm of the residual at which a problem is solved, per problem
     */
    NewtonSystem(
            Objective objective,
            CurvaturePreconditioner preconditioner,
            double[] point,
            double l2,
            double[] right,
            boolean[] chosen,
            double[] goals) {
        this.objective = objective;
        this.point = point;
        this.l2 = l2;
        this.goals = goals;
        problems = new ProblemVectors(objective);
        inverse = preconditioner.inverse(point, l2, problems.outputs(chosen));
        running = chosen.clone();
        residual = right;
        solution = new double[right.length];
        conditioned = new double[right.length];
        direction = new double[right.length];
        product = new double[right.length];
    }

    /**
     * Solves the system.
     *
     * @param mostSteps the maximum number of steps
     * @param straight the length of the first step of a problem without curvature along that step
     */
    double[] solve(int mostSteps, double straight) {
        inverse.apply(residual, conditioned);
        problems.copy(conditioned, direction, running);
        double[] products = problems.dot(residual, conditioned);
        for (int k = 0; k < mostSteps && step(products, k == 0 ? straight : 0); k++) {
            inverse.apply(residual, conditioned);
            double[] next = problems.dot(residual, conditioned);
            double[] shares = new double[running.length];
            for (int p = 0; p < running.length; p++) {
                shares[p] = running[p] ? next[p] / products[p] : 0;
            }
            problems.add(conditioned, shares, direction, direction);
            products = next;
        }
        return solution;
    }

    /** Takes a step along the directions. Returns true if another step is needed. */
    private boolean step(double[] products, double straight) {
        objective.curvature(point, direction, product, problems.outputs(running));
        problems.addWeights(l2, direction, product);
        double[] curvatures = problems.dot(direction, product);
        double[] lengths = new double[running.length];
        double[] negative = new double[running.length];
        for (int p = 0; p < running.length; p++) {
            boolean curved = curvatures[p] > 0 && products[p] < Double.MAX_VALUE * Math.min(1, curvatures[p]);
            if (running[p]) {
                lengths[p] = curved ? products[p] / curvatures[p] : straight;
                running[p] = curved;
            }
            negative[p] = -lengths[p];
        }
        problems.add(solution, lengths, direction, solution);
        problems.add(residual, negative, product, residual);
        double[] norms = problems.norms(residual);
        boolean any = false;
        for (int p = 0; p < running.length; p++) {
            running[p] &= norms[p] > goals[p];
            any |= running[p];
        }
        return any;
    }
}
