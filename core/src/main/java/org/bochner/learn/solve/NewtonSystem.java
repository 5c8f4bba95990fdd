package org.bochner.learn.solve;

import java.util.List;

/**
 * Preconditioned conjugate gradients for {@code (H + l2·I)·x = g}, where H is the Hessian of an objective at a point
 * and intercepts have no l2. All problems of the objective share the passes, one pass per step; solved problems leave
 * the passes.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record NewtonSystem(Objective objective, CurvaturePreconditioner preconditioner, double[] point, double l2) {
    /**
     * Solves the system.
     *
     * @param residual g; overwritten with the residual
     * @param chosen the problems to solve; the solution of all others is 0
     * @param goals the norm of the residual at which a problem is solved, per problem
     * @param mostSteps the maximum number of steps
     * @param straight the length of the first step of a problem without curvature along that step
     */
    double[] solve(double[] residual, boolean[] chosen, double[] goals, int mostSteps, double straight) {
        ProblemVectors problems = new ProblemVectors(objective);
        List<CurvaturePreconditioner.OutputInverse> inverse =
                preconditioner.inverse(point, l2, problems.outputs(chosen));
        boolean[] running = chosen.clone();
        double[] solution = new double[residual.length];
        double[] conditioned = new double[residual.length];
        double[] direction = new double[residual.length];
        double[] product = new double[residual.length];
        double[] lengths = new double[running.length];
        double[] negative = new double[running.length];
        double[] shares = new double[running.length];
        preconditioner.apply(inverse, residual, conditioned);
        problems.copy(conditioned, direction, running);
        double[] products = problems.dot(residual, conditioned);
        for (int k = 0; k < mostSteps; k++) {
            objective.curvature(point, direction, product, problems.outputs(running));
            problems.addWeights(l2, direction, product);
            double[] curvatures = problems.dot(direction, product);
            for (int p = 0; p < running.length; p++) {
                boolean curved = curvatures[p] > 0 && products[p] < Double.MAX_VALUE * Math.min(1, curvatures[p]);
                double otherwise = k == 0 ? straight : 0;
                lengths[p] = !running[p] ? 0 : curved ? products[p] / curvatures[p] : otherwise;
                negative[p] = -lengths[p];
                running[p] &= curved;
            }
            problems.add(solution, lengths, direction, solution);
            problems.add(residual, negative, product, residual);
            double[] norms = problems.norms(residual);
            for (int p = 0; p < running.length; p++) {
                running[p] &= norms[p] > goals[p];
            }
            if (!problems.any(running)) {
                break;
            }
            preconditioner.apply(inverse, residual, conditioned);
            double[] next = problems.dot(residual, conditioned);
            for (int p = 0; p < running.length; p++) {
                shares[p] = running[p] ? next[p] / products[p] : 0;
            }
            problems.add(conditioned, shares, direction, direction);
            products = next;
        }
        return solution;
    }
}
