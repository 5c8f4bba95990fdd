package org.bochner.learn.exact;

import java.util.function.Predicate;
import org.bochner.learn.Convergence;
import org.bochner.learn.Iteration;

/**
 * Solves a {@link SupportProblem} by sequential minimal optimisation: each step moves two coefficients, one up and one
 * down by the same amount, to the minimum along this direction. The first is the one with the steepest slope, and the
 * second promises the largest decrease to second order.
 *
 * <p>Cost: two rows of kernel values and 3n operations per step. Threads: not safe.
 *
 * <p>Reference: Fan, Chen and Lin, Working set selection using second order information for training support vector
 * machines, 2005.
 */
final class SupportSolver {
    private static final String METHOD = "sequential minimal optimisation";
    private static final String MEASURE = "KKT residual";

    /** The least curvature along a direction, for rows that are equal. */
    private static final double LEAST_CURVATURE = 1e-12;

    /** Steps between reports. */
    private static final int REPORTED = 1000;

    private final CachedKernel kernel;
    private final SupportProblem problem;
    private final double[] beta;
    /** Kβ − y. */
    private final double[] slope;

    private int first = -1;
    /** The least slope of a coefficient that can grow, and the largest of one that can shrink. */
    private double least;

    private double most;

    /** Starts at β = 0. */
    SupportSolver(CachedKernel kernel, SupportProblem problem) {
        this.kernel = kernel;
        this.problem = problem;
        beta = new double[problem.size()];
        slope = new double[problem.size()];
        for (int i = 0; i < slope.length; i++) {
            slope[i] = -problem.target()[i];
        }
    }

    /** Starts at the solution of another problem for the same rows and targets, whose C is smaller by a factor. */
    SupportSolver(CachedKernel kernel, SupportProblem problem, SupportSolver other, double factor) {
        this(kernel, problem);
        for (int i = 0; i < beta.length; i++) {
            beta[i] = other.beta[i] == other.problem.high()[i]
                    ? problem.high()[i]
                    : other.beta[i] == other.problem.low()[i]
                            ? problem.low()[i]
                            : Math.max(problem.low()[i], Math.min(problem.high()[i], factor * other.beta[i]));
            slope[i] = factor * (other.slope[i] + problem.target()[i]) - problem.target()[i];
        }
    }

    /**
     * Runs until the conditions of optimality hold up to a tolerance.
     *
     * @param tolerance the largest difference, in units of the targets, between the slopes of two coefficients of
     *     which one can grow and the other shrink
     * @param goOn receives the state from time to time; returns false to stop
     */
    Convergence run(double tolerance, long iterations, Predicate<Iteration> goOn) {
        select();
        for (long step = 1; ; step++) {
            if (!(most - least > tolerance)) {
                return convergence(step, tolerance, Convergence.End.CONVERGED);
            }
            if (step > iterations) {
                return convergence(step, tolerance, Convergence.End.ITERATIONS);
            }
            float[] ofFirst = kernel.row(first);
            int second = second(ofFirst);
            double amount = move(second, ofFirst[second]);
            if (!(amount > 0)) {
                return convergence(step, tolerance, Convergence.End.PRECISION);
            }
            add(amount, ofFirst, kernel.row(second));
            select();
            if (step % REPORTED == 0 && !goOn.test(iteration(step))) {
                return convergence(step, tolerance, Convergence.End.STOPPED);
            }
        }
    }

    /** Returns the coefficient that can shrink and whose pair with the first decreases the objective most. */
    private int second(float[] ofFirst) {
        double[] diagonal = kernel.diagonal();
        double[] low = problem.low();
        double epsilon = problem.epsilon();
        double own = diagonal[first];
        int best = -1;
        double bestGain = Double.NEGATIVE_INFINITY;
        for (int j = 0; j < beta.length; j++) {
            double b = beta[j];
            double difference = slope[j] + (b > 0 ? epsilon : -epsilon) - least;
            if (b > low[j] && difference > 0) {
                double gain = difference * difference / Math.max(LEAST_CURVATURE, own + diagonal[j] - 2.0 * ofFirst[j]);
                if (gain > bestGain) {
                    bestGain = gain;
                    best = j;
                }
            }
        }
        return best;
    }

    /** Finds the coefficient with the least slope that can grow, and the largest slope of one that can shrink. */
    private void select() {
        double[] low = problem.low();
        double[] high = problem.high();
        double epsilon = problem.epsilon();
        int best = -1;
        double lowest = Double.POSITIVE_INFINITY;
        double highest = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < beta.length; i++) {
            double b = beta[i];
            double up = slope[i] + (b < 0 ? -epsilon : epsilon);
            double down = slope[i] + (b > 0 ? epsilon : -epsilon);
            if (b < high[i] && up < lowest) {
                lowest = up;
                best = i;
            }
            if (b > low[i] && down > highest) {
                highest = down;
            }
        }
        first = best;
        least = lowest;
        most = highest;
    }

    /** Moves the first coefficient up and another down, up to a bound or to 0; returns the distance. */
    private double move(int second, double between) {
        double curvature = kernel.diagonal()[first] + kernel.diagonal()[second] - 2 * between;
        double down = slope[second] + (beta[second] > 0 ? problem.epsilon() : -problem.epsilon());
        double wanted = (down - least) / Math.max(LEAST_CURVATURE, curvature);
        // At 0, the slope of ε·|β| changes.
        double above = beta[first] < 0 ? 0 : problem.high()[first];
        double below = beta[second] > 0 ? Math.max(0, problem.low()[second]) : problem.low()[second];
        double amount = Math.min(wanted, Math.min(above - beta[first], beta[second] - below));
        beta[first] = amount == above - beta[first] ? above : beta[first] + amount;
        beta[second] = amount == beta[second] - below ? below : beta[second] - amount;
        return amount;
    }

    private void add(double amount, float[] up, float[] down) {
        for (int i = 0; i < slope.length; i++) {
            slope[i] += amount * ((double) up[i] - down[i]);
        }
    }

    private double epsilonAt(int i) {
        return Math.signum(beta[i]) * problem.epsilon();
    }

    /** Returns β; the array must not be changed. */
    double[] coefficients() {
        return beta;
    }

    /** Returns b: the mean over the coefficients between their bounds, or else the middle of the interval of b. */
    double intercept() {
        double sum = 0;
        int count = 0;
        for (int i = 0; i < beta.length; i++) {
            if (beta[i] != 0 && beta[i] > problem.low()[i] && beta[i] < problem.high()[i]) {
                sum += slope[i] + epsilonAt(i);
                count++;
            }
        }
        if (count > 0) {
            return -sum / count;
        }
        // With rows of one class, one end of the interval is infinite.
        return Double.isInfinite(least) ? -most : Double.isInfinite(most) ? -least : -(least + most) / 2;
    }

    /** Returns βᵀKβ/2 − yᵀβ + ε·Σ|βᵢ|. */
    double objective() {
        double sum = 0;
        for (int i = 0; i < beta.length; i++) {
            sum += beta[i] * ((slope[i] - problem.target()[i]) / 2 + epsilonAt(i));
        }
        return sum;
    }

    /** Returns the sum over the rows of the weighted loss, in units of C. */
    double trainingLoss(double c) {
        double b = intercept();
        double sum = 0;
        for (int i = 0; i < beta.length; i++) {
            double residual = slope[i] + b;
            // A bound of 0 leaves the loss of margins above 1 out.
            double above = -problem.low()[i] * Math.max(0, residual - problem.epsilon());
            double below = problem.high()[i] * Math.max(0, -residual - problem.epsilon());
            sum += (above + below) / c;
        }
        return sum;
    }

    private Iteration iteration(long step) {
        int support = 0;
        for (double b : beta) {
            support += b != 0 ? 1 : 0;
        }
        return new Iteration((int) Math.min(Integer.MAX_VALUE, step), objective(), MEASURE, most - least, support);
    }

    private Convergence convergence(long step, double tolerance, Convergence.End end) {
        return new Convergence(
                METHOD,
                (int) Math.min(Integer.MAX_VALUE, step - 1),
                objective(),
                MEASURE,
                Math.max(0, most - least),
                tolerance,
                end);
    }
}
