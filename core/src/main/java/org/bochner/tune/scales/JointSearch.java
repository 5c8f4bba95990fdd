package org.bochner.tune.scales;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.Spelling;
import org.bochner.data.RowSource;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.RowLoss;
import org.bochner.learn.solve.Formulation;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapParameters;
import org.bochner.map.ParameterKind;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.train.WeightFit;
import org.bochner.numeric.Workers;
import org.bochner.numeric.optimise.ConvexTerm;
import org.bochner.numeric.optimise.DescentMonitor;
import org.bochner.numeric.optimise.DescentOptions;
import org.bochner.numeric.optimise.Lbfgs;
import org.bochner.numeric.optimise.Minimum;
import org.bochner.numeric.optimise.ProximalQuasiNewton;
import org.bochner.stats.ClassWeights;
import org.bochner.tune.folds.FoldedRows;

/**
 * Scales learned together with the weights of the machine's own learner, such that the training objective becomes least:
 * any loss, any penalty. It begins at the weights that the learner finds at the scales it starts from; a strength that is
 * left to the data is chosen there, and kept.
 *
 * <p>Losses with kinks are replaced by {@linkplain Loss#smoothed smooth forms} that come closer and closer, for as long as
 * the objective itself gains.
 */
public final class JointSearch {
    /** One over the width of the first smooth form, in units of the scores. */
    private static final double FIRST_GAMMA = 4;

    private static final double NEXT_GAMMA = 4;
    private static final int MOST_FORMS = 4;

    /** Pairs of steps that model the curvature: weights are many, and all of them follow the scales. */
    private static final int MEMORY = 20;

    /** Of the tolerance, because an iteration that moves weights too gets less far than one that solves for them. */
    private static final double TOLERANCE = 0.1;

    /** Iterations for each that was asked for, because they cost a third of those that solve for the weights. */
    private static final int ITERATIONS = 3;

    /** Iterations in one frame. */
    private static final int ROUND = 20;

    private final KernelMachine machine;
    private final RowSource source;
    private final ClassWeights classWeights;
    private final Learner learner;
    private final RowLoss loss;
    private final double weight;
    private final double before;
    private LinearModel functions;

    /**
     * Finds the weights to begin with.
     *
     * @param all the rows that the learner learns from
     */
    public JointSearch(
            KernelMachine machine,
            RowSource source,
            Transformer start,
            FoldedRows all,
            ParameterKind freedom,
            ClassWeights classWeights,
            Workers workers,
            Progress progress,
            Notes notes) {
        this.machine = machine;
        this.source = source;
        this.classWeights = classWeights;
        LinearFit fit = new WeightFit(
                        ModelAccess.settings(machine), source, start, classWeights, workers, progress, new Notes())
                .run()
                .fit();
        learner = machine.learner().withLambda(fit.chosen().lambda());
        loss = new RowLoss(Formulation.of(learner).loss(), source.labels());
        WeightCoordinates frame = new WeightCoordinates(
                all,
                start.map(),
                loss,
                classWeights,
                machine.precision(),
                Double.NaN,
                Formulation.of(learner).l2());
        weight = frame.weight();
        functions = fit.model();
        MapParameters parameters = start.map().parameters(freedom);
        Problem problem = new Problem(all, frame, parameters, still(parameters, freedom), ScalePenalty.NONE);
        before = problem.truth(problem.origin());
        if (!(before < Double.POSITIVE_INFINITY)) {
            throw new BochnerException("the training objective is " + before
                    + " where it starts; scale the columns, targets or weights, which are too large");
        }
        if (machine.learner().isAuto()) {
            notes.choice(learner.strengthName() + "=" + Spelling.print(learner.spelled(learner.lambda()))
                    + " was chosen at the scales it starts from, and kept");
        }
        if (!Formulation.of(learner).loss().smooth()) {
            notes.choice("the loss has kinks: scales were learned with smooth forms of it, and judged by itself");
        }
    }

    /** Every parameter a coordinate. */
    private static Parametrization still(MapParameters parameters, ParameterKind freedom) {
        int[] coordinates = new int[parameters.count()];
        Arrays.setAll(coordinates, p -> p);
        return Parametrization.of(
                freedom == ParameterKind.FREQUENCIES ? Parametrization.Form.VALUE : Parametrization.Form.LOGARITHM,
                parameters.values(),
                coordinates);
    }

    /** The machine with the strength that was kept. */
    public KernelMachine machine() {
        return machine.withLearner(learner);
    }

    /** Its strength. */
    public double lambda() {
        return learner.lambda();
    }

    /** The objective at the scales it started from, relative to that of the best constant. */
    public double before() {
        return before;
    }

    /**
     * Where a move ended.
     *
     * @param map with the scales there
     * @param value of the objective with the loss itself
     */
    public record Found(FeatureMap map, double value, int evaluations, Minimum.End end) {
        /** This, or where some iterations more led, if that is better. */
        private Found or(FeatureMap other, double otherValue, Minimum reached) {
            boolean better = otherValue < value;
            return new Found(
                    better ? other : map,
                    better ? otherValue : value,
                    evaluations + reached.evaluations(),
                    reached.end());
        }
    }

    /**
     * Moves scales, and the weights with them. In rounds: weights are put in a frame that suits the scales, and after some
     * iterations in another one, for as long as that gains.
     *
     * @param last whether a loss with kinks is to be come close to
     */
    public Found move(
            FoldedRows rows,
            FeatureMap from,
            Parametrization moves,
            ScalePenalty penalty,
            DescentOptions given,
            DescentMonitor monitor,
            boolean last) {
        MapParameters parameters = from.parameters(moves.freedom());
        Problem problem = new Problem(rows, frame(rows, from), parameters, moves, penalty);
        double[] point = problem.origin();
        Found best = new Found(from, problem.truth(point), 1, Minimum.End.ITERATIONS);
        LinearModel bestFunctions = functions;
        double gamma = FIRST_GAMMA / problem.frame.targetSize();
        int forms = last && !Formulation.of(learner).loss().smooth() ? MOST_FORMS : 1;
        int left = ITERATIONS * given.iterations();
        while (left > 0) {
            int iterations = learner.sparse() ? left : Math.min(left, ROUND);
            left -= iterations;
            Minimum found = problem.minimize(gamma, point, options(given, iterations), monitor);
            point = found.point();
            double value = Formulation.of(learner).loss().smooth() ? found.value() : problem.truth(point);
            boolean gains = value < best.value - given.tolerance() * Math.abs(value);
            functions = problem.frame.read(point, moves.count());
            FeatureMap map = parameters.with(moves.values(point));
            bestFunctions = value < best.value ? functions : bestFunctions;
            best = best.or(map, value, found);
            if (found.end() == Minimum.End.STOPPED) {
                break;
            }
            if (!gains || found.converged()) {
                forms--;
                gamma *= NEXT_GAMMA;
            }
            if (forms == 0) {
                break;
            }
            problem = new Problem(rows, frame(rows, map), parameters, moves, penalty);
            double[] coordinates = point;
            point = problem.origin();
            System.arraycopy(coordinates, 0, point, 0, moves.count());
        }
        functions = bestFunctions;
        return best;
    }

    private WeightCoordinates frame(FoldedRows rows, FeatureMap map) {
        double curvature = learner.sparse()
                ? Double.NaN
                : Math.min(1, Formulation.of(learner).loss().mostCurvature());
        return new WeightCoordinates(
                rows,
                map,
                loss,
                classWeights,
                machine.precision(),
                curvature,
                Formulation.of(learner).l2());
    }

    private static DescentOptions options(DescentOptions given, int iterations) {
        return given.withMemory(MEMORY)
                .withIterations(iterations)
                .withTolerance(TOLERANCE * given.tolerance(), given.patience())
                .withLargestMove(Double.POSITIVE_INFINITY);
    }

    /** One objective, with the corners of its penalties. */
    private final class Problem {
        private final FoldedRows rows;
        private final WeightCoordinates frame;
        private final MapParameters parameters;
        private final Parametrization moves;
        private final ScalePenalty penalty;
        private final ConvexTerm corners;
        private final boolean smooth;

        /** The share of the rows: sums over fewer rows stand against penalties that are as much smaller. */
        private final double share;

        Problem(
                FoldedRows rows,
                WeightCoordinates frame,
                MapParameters parameters,
                Parametrization moves,
                ScalePenalty penalty) {
            this.rows = rows;
            this.frame = frame;
            this.parameters = parameters;
            this.moves = moves;
            this.penalty = penalty;
            share = frame.weight() / weight;
            boolean factors = moves.form() == Parametrization.Form.FACTOR;
            smooth = !learner.sparse() && !factors;
            List<ConvexTerm.Range> ranges = new ArrayList<>();
            int count = moves.count();
            if (factors) {
                ranges.add(new ConvexTerm.Range(0, count, ConvexTerm.nonNegativeL1(penalty.weights(count))));
            }
            if (learner.sparse()) {
                double factor = share / (frame.weightSize() * frame.nothing());
                int weights = frame.features() * frame.outputs();
                FeatureMap map = parameters.with(moves.values(moves.origin()));
                ranges.add(new ConvexTerm.Range(
                        count, count + weights, Formulation.of(learner).corners(map, frame.outputs(), factor)));
            }
            corners = ConvexTerm.ofRanges(ranges);
        }

        private JointObjective objective(Loss with) {
            return new JointObjective(
                    rows,
                    parameters,
                    moves,
                    penalty,
                    frame,
                    new RowLoss(with, source.labels()),
                    share * Formulation.of(learner).l2(),
                    classWeights,
                    machine.precision());
        }

        double[] origin() {
            return objective(Formulation.of(learner).loss()).origin(functions);
        }

        /** The whole objective, with the loss itself. */
        double truth(double[] point) {
            return objective(Formulation.of(learner).loss()).at(point, new double[point.length]) + corners.value(point);
        }

        Minimum minimize(double gamma, double[] start, DescentOptions options, DescentMonitor monitor) {
            JointObjective objective = objective(Formulation.of(learner).loss().smoothed(gamma));
            return smooth
                    ? new Lbfgs(options).minimize(objective, start, monitor)
                    : new ProximalQuasiNewton(options).minimize(objective, corners, start, monitor);
        }
    }
}
