package org.bochner.learn.exact;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.gram.CrossKernel;
import org.bochner.learn.Convergence;
import org.bochner.learn.Iteration;
import org.bochner.learn.Learner;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.solve.Formulation;
import org.bochner.learn.solve.StrengthSearch;
import org.bochner.map.landmark.LandmarkRows;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Strips;
import org.bochner.stats.ExactRows;
import org.jspecify.annotations.Nullable;

/**
 * An exact support vector machine: the hinge loss for classes, one against the rest, or the ε-insensitive loss for
 * numbers, with the penalty l2 = 1/C on half the squared norm of the function in the space of the kernel. The intercept
 * is not penalised.
 *
 * <p>Cost: one row of n kernel values for each row that becomes a support vector, or more if they do not fit into the
 * memory for kept values, and 3n operations per step. Outputs share the kept values. Threads: not safe.
 */
public final class SupportMachine {
    private static final double USUAL_TOLERANCE = 1e-3;

    /** Factor on the tolerance of the solutions that only serve to compare values of C. */
    private static final double SEARCH_SLACK = 10;

    private static final long FEWEST_ITERATIONS = 10_000_000;
    private static final int ITERATIONS_PER_ROW = 100;

    /** Rows whose scores are computed together. */
    private static final int STRIP = 64;

    private final ExactRows rows;
    private final Kernel kernel;
    private final Learner learner;
    private final Formulation formulation;
    private final OutputCoding coding;
    private final CachedKernel cached;
    private final Workers workers;
    private final BiPredicate<Learner, Iteration> goOn;

    /**
     * Creates a machine.
     *
     * @param learner a learner that {@link #takes} returns true for
     * @param bytes the memory for kept kernel values
     * @param goOn receives the states of the solver; returns false to stop it
     */
    public SupportMachine(
            ExactRows rows,
            Kernel kernel,
            Learner learner,
            long bytes,
            Workers workers,
            BiPredicate<Learner, Iteration> goOn) {
        this.rows = rows;
        this.kernel = kernel;
        this.learner = learner;
        this.workers = workers;
        this.goOn = goOn;
        formulation = Formulation.of(learner);
        coding = OutputCoding.of(rows.labels());
        cached = new CachedKernel(kernel, rows.rows(), bytes, workers);
    }

    /** Returns true for the losses of this machine with the penalty l2 alone. */
    public static boolean takes(Formulation formulation) {
        return !formulation.sparse()
                && (formulation.loss() instanceof Loss.Hinge || formulation.loss() instanceof Loss.EpsilonInsensitive);
    }

    /** Returns the least bytes that the solver needs beside the rows. */
    public static double bytesNeeded(long rows, int outputs) {
        return rows * (Float.BYTES * CachedKernel.FEWEST + 24.0 + 40.0 * outputs);
    }

    /**
     * A fitted machine.
     *
     * @param support the support vectors, as ascending indices of rows: those with a coefficient for some output
     * @param fit the functions of the kernel values at the support vectors
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Fit(int[] support, LinearFit fit) {}

    /** Fits with the penalty of the learner. */
    public Fit fit() {
        return fit(learner.lambda(), Double.NaN, List.of(), learner.strengthName() + " was given");
    }

    /**
     * Fits with a penalty that was chosen on other rows.
     *
     * @param validation the number of rows on which it was chosen
     * @param trained the total weight of the rows that were learned from then
     */
    public Fit fit(StrengthSearch.Found<?> choice, long validation, double trained) {
        // The loss is a sum over rows, so an equally strong penalty grows with the total row weight.
        double strength = choice.point().lambda() * rows.totalWeight() / trained;
        return fit(strength, choice.point().validationError(), choice.path(), choice.reason(validation, "rows"));
    }

    private Fit fit(double strength, double validationError, List<PathPoint> path, String reason) {
        Solved solved = solve(strength, 1, null);
        int[] support = support(solved);
        PathPoint point = point(strength, solved, support, validationError);
        return new Fit(support, new LinearFit(model(solved, support), point, path, reason, solved.convergence));
    }

    /**
     * Searches the penalty with the least loss on other rows: from the mean of k(x, x) up or down in factors of ten, and
     * then among the neighbours at factors of √10.
     */
    public StrengthSearch.Found<?> choose(ExactRows validation) {
        double reference = Arrays.stream(cached.diagonal()).average().orElse(0);
        return new StrengthSearch<Solved>(false, reference > 0 ? reference : 1, (strength, nearest) -> {
                    Solved solved = solve(strength, SEARCH_SLACK, nearest);
                    int[] support = support(solved);
                    double loss = meanLoss(model(solved, support), support, validation);
                    return new StrengthSearch.Tried<>(solved, point(strength, solved, support, loss));
                })
                .run();
    }

    private PathPoint point(double strength, Solved solved, int[] support, double validationError) {
        double loss = solved.outputs.stream()
                        .mapToDouble(output -> output.trainingLoss(1 / strength))
                        .sum()
                / (rows.totalWeight() * coding.count());
        return new PathPoint(strength, support.length, loss, validationError);
    }

    /** The solutions of all outputs at a strength. */
    private record Solved(double strength, List<SupportSolver> outputs, Convergence convergence) {}

    private Solved solve(double strength, double slack, @Nullable Solved start) {
        double tolerance = slack * (formulation.tolerance() > 0 ? formulation.tolerance() : USUAL_TOLERANCE);
        long most = formulation.iterations() > 0
                ? formulation.iterations()
                : Math.max(FEWEST_ITERATIONS, (long) ITERATIONS_PER_ROW * rows.count());
        Learner trying = learner.withLambda(strength);
        List<SupportSolver> outputs = new ArrayList<>();
        List<Convergence> ends = new ArrayList<>();
        for (int o = 0; o < coding.count(); o++) {
            SupportProblem problem = SupportProblem.of(rows, coding, o, formulation.loss(), 1 / strength);
            SupportSolver solver = start == null
                    ? new SupportSolver(cached, problem)
                    : new SupportSolver(cached, problem, start.outputs.get(o), start.strength / strength);
            ends.add(solver.run(tolerance, most, iteration -> goOn.test(trying, iteration)));
            outputs.add(solver);
        }
        return new Solved(strength, outputs, together(ends, strength));
    }

    /** Returns how the solver ended for all outputs, with the objective of the learner instead of its dual. */
    private static Convergence together(List<Convergence> ends, double strength) {
        Convergence worst = ends.stream()
                .max(Comparator.comparing(Convergence::end).thenComparing(Convergence::residual))
                .orElseThrow();
        return new Convergence(
                worst.method(),
                ends.stream().mapToInt(Convergence::iterations).max().orElseThrow(),
                -strength * ends.stream().mapToDouble(Convergence::objective).sum(),
                worst.measure(),
                worst.residual(),
                worst.tolerance(),
                worst.end());
    }

    /** Returns the support vectors; one row without coefficients if there are none. */
    private int[] support(Solved solved) {
        int[] support = IntStream.range(0, rows.count())
                .filter(i -> solved.outputs.stream().anyMatch(output -> output.coefficients()[i] != 0))
                .toArray();
        return support.length == 0 ? new int[1] : support;
    }

    private LinearModel model(Solved solved, int[] support) {
        int outputs = coding.count();
        double[] weights = new double[Math.multiplyExact(support.length, outputs)];
        double[] intercepts = new double[outputs];
        for (int o = 0; o < outputs; o++) {
            double[] beta = solved.outputs.get(o).coefficients();
            for (int s = 0; s < support.length; s++) {
                weights[s * outputs + o] = beta[support[s]];
            }
            intercepts[o] = solved.outputs.get(o).intercept();
        }
        return new LinearModel(support.length, outputs, weights, intercepts);
    }

    /** Returns the mean loss on other rows, averaged over the outputs. */
    private double meanLoss(LinearModel model, int[] support, ExactRows others) {
        CrossKernel cross = CrossKernel.of(kernel, LandmarkRows.select(rows.rows(), support));
        Loss.PerScore loss = (Loss.PerScore) formulation.loss();
        double[] losses = new double[others.count()];
        Strips.each(workers, others.count(), STRIP, (from, to) -> {
            RowBlock strip = LandmarkRows.range(others.rows(), from, to);
            double[] values = new double[(to - from) * support.length];
            cross.values(strip, values, 0, support.length);
            for (int i = from; i < to; i++) {
                int start = (i - from) * support.length;
                double[] scores = model.apply(Arrays.copyOfRange(values, start, start + support.length));
                for (int o = 0; o < scores.length; o++) {
                    losses[i] += others.rows().rowWeight(i) * loss.value(scores[o], coding.target(others.rows(), i, o));
                }
            }
        });
        return Arrays.stream(losses).sum() / (others.totalWeight() * coding.count());
    }
}
