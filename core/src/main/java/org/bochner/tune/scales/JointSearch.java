package org.bochner.tune.scales;

import java.util.ArrayList;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Spelling;
import org.bochner.data.RowSource;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.RowLoss;
import org.bochner.learn.solve.Formulation;
import org.bochner.map.FeatureMap;
import org.bochner.map.ParameterKind;
import org.bochner.model.KernelMachine;
import org.bochner.model.Transformer;
import org.bochner.model.train.TrainingContext;
import org.bochner.model.train.WeightFit;
import org.bochner.numeric.optimise.ConvexTerm;
import org.bochner.numeric.optimise.DescentMonitor;
import org.bochner.numeric.optimise.DescentOptions;
import org.bochner.numeric.optimise.Lbfgs;
import org.bochner.numeric.optimise.Minimum;
import org.bochner.numeric.optimise.ProximalQuasiNewton;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.RowWeights;
import org.bochner.tune.Sharing;
import org.bochner.tune.folds.FoldedRows;

/**
 * A search that minimises the training objective of the machine's own learner (any loss, any penalty) over scales and
 * weights together. It starts from the weights that the learner finds at the initial scales. A penalty that the
 * learner chooses itself is chosen there and kept.
 *
 * <p>Losses with kinks are replaced by {@linkplain Loss#smoothed smooth approximations}, which get closer for as long
 * as the objective itself decreases.
 */
public final class JointSearch {
    /** One over the width of the first smooth approximation, in units of the scores. */
    private static final double FIRST_GAMMA = 4;

    private static final double NEXT_GAMMA = 4;
    private static final int MOST_APPROXIMATIONS = 4;

    /** Pairs of steps that model the curvature; large, because there are many weights, and all depend on the scales. */
    private static final int MEMORY = 20;

    /** Factor of the tolerance: an iteration that also moves weights gains less than one that solves for them. */
    private static final double TOLERANCE = 0.1;

    /** Iterations per iteration asked for: each costs a third of one that solves for the weights. */
    private static final int ITERATIONS = 3;

    /** Iterations with the same weight coordinates. */
    private static final int ROUND = 20;

    private final KernelMachine machine;
    private final RowSource source;
    private final ClassWeights classWeights;
    private final Learner learner;
    private final Formulation formulation;
    private final RowLoss loss;
    /** About the second derivative of the loss; NaN if the penalty has corners. */
    private final double curvature;

    private LinearModel model;
    /** The row weight of all training rows. */
    private double totalRowWeight;

    private double before;

    /**
     * Trains the learner at the initial scales and creates a search that starts from its weights.
     *
     * @param context the settings of the machine and the training rows
     * @param all the training rows, scaled
     */
    public JointSearch(
            KernelMachine machine,
            TrainingContext context,
            Transformer start,
            FoldedRows all,
            ParameterKind kind,
            ClassWeights classWeights) {
        this.machine = machine;
        this.classWeights = classWeights;
        source = context.source();
        TrainingContext first =
                TrainingContext.of(context.settings(), source, context.workers(), context.progress(), new Notes());
        LinearFit fit = new WeightFit(first, start, classWeights).run().fit();
        learner = machine.learner().withLambda(fit.chosen().lambda());
        model = fit.model();
        formulation = Formulation.of(learner);
        loss = new RowLoss(formulation.loss(), source.labels());
        curvature =
                learner.sparse() ? Double.NaN : Math.min(1, formulation.loss().mostCurvature());
        measure(start.map(), all, kind);
        if (machine.learner().isAuto()) {
            context.notes()
                    .choice(learner.strengthName() + "=" + Spelling.print(learner.spelled(learner.lambda()))
                            + " was chosen at the initial scales, and kept");
        }
        if (!formulation.loss().smooth()) {
            context.notes()
                    .choice(
                            "the loss has kinks: scales were learned with smooth approximations of it, and compared by the loss itself");
        }
    }

    /** Computes the objective at the initial scales. */
    private void measure(FeatureMap start, FoldedRows all, ParameterKind kind) {
        WeightCoordinates frame = frame(all, start, Double.NaN);
        totalRowWeight = frame.totalRowWeight();
        Sharing each = kind == ParameterKind.FREQUENCIES ? Sharing.FREQUENCY : Sharing.COLUMN;
        Parametrization still = Parametrization.of(each, false, List.of(), start, start);
        Problem problem = new Problem(all, frame, still, ScalePenalty.NONE);
        before = problem.truth(problem.origin());
        if (!(before < Double.POSITIVE_INFINITY)) {
            throw new BochnerException(
                    "the training objective is " + before + " at the initial scales",
                    Remedy.advice("scale the columns, targets or row weights, which are too large"));
        }
    }

    /** Returns the machine with the penalty that was kept. */
    public KernelMachine machine() {
        return machine.withLearner(learner);
    }

    /** Returns the penalty. */
    public double lambda() {
        return learner.lambda();
    }

    /** Returns the objective at the initial scales, relative to that of the best constant. */
    public double before() {
        return before;
    }

    /**
     * The result of a search.
     *
     * @param map the map with the best scales
     * @param value the objective there, with the loss itself
     */
    public record Found(FeatureMap map, double value, int evaluations, Minimum.End end) {
        /** Returns this result, or the end of some more iterations if it is better. */
        private Found or(FeatureMap other, double otherValue, Minimum reached) {
            boolean better = otherValue < value;
            int all = evaluations + reached.evaluations();
            return new Found(better ? other : map, better ? otherValue : value, all, reached.end());
        }
    }

    /**
     * Moves scales and weights in rounds: after some iterations, new weight coordinates are computed for the current
     * scales, for as long as the objective decreases.
     *
     * @param last true to use closer and closer approximations of a loss with kinks
     */
    public Found move(
            FoldedRows rows,
            FeatureMap from,
            Parametrization moves,
            ScalePenalty penalty,
            DescentOptions given,
            DescentMonitor monitor,
            boolean last) {
        Problem problem = new Problem(rows, frame(rows, from, curvature), moves, penalty);
        double[] point = problem.origin();
        Found best = new Found(from, problem.truth(point), 1, Minimum.End.ITERATIONS);
        LinearModel bestModel = model;
        double gamma = FIRST_GAMMA / problem.frame.targetSize();
        int approximations = last && !formulation.loss().smooth() ? MOST_APPROXIMATIONS : 1;
        int left = ITERATIONS * given.iterations();
        while (left > 0) {
            int iterations = learner.sparse() ? left : Math.min(left, ROUND);
            left -= iterations;
            Minimum found = problem.minimize(gamma, point, options(given, iterations), monitor);
            point = found.point();
            double value = formulation.loss().smooth() ? found.value() : problem.truth(point);
            boolean gains = value < best.value - given.tolerance() * Math.abs(value);
            model = problem.frame.read(point, moves.count());
            FeatureMap map = moves.map(point);
            bestModel = value < best.value ? model : bestModel;
            best = best.or(map, value, found);
            if (found.end() == Minimum.End.STOPPED) {
                break;
            }
            if (!gains || found.converged()) {
                approximations--;
                gamma *= NEXT_GAMMA;
            }
            if (approximations == 0) {
                break;
            }
            problem = new Problem(rows, frame(rows, map, curvature), moves, penalty);
            double[] coordinates = point;
            point = problem.origin();
            System.arraycopy(coordinates, 0, point, 0, moves.count());
        }
        model = bestModel;
        return best;
    }

    private WeightCoordinates frame(FoldedRows rows, FeatureMap map, double about) {
        return WeightCoordinates.measure(rows, map, loss, classWeights, machine.precision(), about, formulation.l2());
    }

    private static DescentOptions options(DescentOptions given, int iterations) {
        return given.withMemory(MEMORY)
                .withIterations(iterations)
                .withTolerance(TOLERANCE * given.tolerance(), given.patience())
                .withLargestMove(Double.POSITIVE_INFINITY);
    }

    /** One objective, with the terms of its penalties that have corners. */
    private final class Problem {
        private final FoldedRows rows;
        private final WeightCoordinates frame;
        private final Parametrization moves;
        private final ScalePenalty penalty;
        private final ConvexTerm corners;
        private final boolean smooth;

        /** The share of the row weight; penalties are scaled by it, because sums over fewer rows are smaller. */
        private final double share;

        Problem(FoldedRows rows, WeightCoordinates frame, Parametrization moves, ScalePenalty penalty) {
            this.rows = rows;
            this.frame = frame;
            this.moves = moves;
            this.penalty = penalty;
            share = frame.totalRowWeight() / totalRowWeight;
            boolean factors = moves.form() == Parametrization.Form.FACTOR;
            smooth = !learner.sparse() && !factors;
            List<ConvexTerm.Range> ranges = new ArrayList<>();
            int count = moves.count();
            if (factors) {
                ranges.add(penalty.corners(count));
            }
            if (learner.sparse()) {
                double factor = share / (frame.weightSize() * frame.constantLoss());
                int weights = frame.features() * frame.outputs();
                FeatureMap map = moves.map(moves.origin());
                ranges.add(new ConvexTerm.Range(
                        count, count + weights, formulation.corners(map, frame.outputs(), factor)));
            }
            corners = ConvexTerm.ofRanges(ranges);
        }

        private JointObjective objective(Loss with) {
            RowLoss loss = new RowLoss(with, source.labels());
            RowWeights weights = new RowWeights(source.labels(), classWeights);
            double l2 = share * formulation.l2();
            return new JointObjective(rows, moves, penalty, frame, loss, l2, weights, machine.precision());
        }

        double[] origin() {
            return objective(formulation.loss()).origin(model);
        }

        /** Returns the whole objective, with the loss itself. */
        double truth(double[] point) {
            return objective(formulation.loss()).at(point, new double[point.length]) + corners.value(point);
        }

        Minimum minimize(double gamma, double[] start, DescentOptions options, DescentMonitor monitor) {
            JointObjective objective = objective(formulation.loss().smoothed(gamma));
            return smooth
                    ? new Lbfgs(options).minimize(objective, start, monitor)
                    : new ProximalQuasiNewton(options).minimize(objective, corners, start, monitor);
        }
    }
}
