package org.bochner.tune;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.DoubleUnaryOperator;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.SpellingException;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.ridge.Ridge;
import org.bochner.learn.solve.Formulation;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapParameters;
import org.bochner.map.ParameterKind;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.TrainingRecord;
import org.bochner.model.TrainingResult;
import org.bochner.model.Transformer;
import org.bochner.model.file.ModelAccess;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.NotPositiveDefiniteException;
import org.bochner.numeric.optimise.ConvexTerm;
import org.bochner.numeric.optimise.DescentMonitor;
import org.bochner.numeric.optimise.DescentOptions;
import org.bochner.numeric.optimise.Lbfgs;
import org.bochner.numeric.optimise.Minimum;
import org.bochner.numeric.optimise.ProximalQuasiNewton;
import org.bochner.random.Seed;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FeaturePass;
import org.bochner.tune.folds.FoldStatistics;
import org.bochner.tune.folds.FoldedRows;
import org.bochner.tune.folds.ScoredRows;
import org.bochner.tune.scales.CriterionKind;
import org.bochner.tune.scales.HoldoutLossCriterion;
import org.bochner.tune.scales.JointSearch;
import org.bochner.tune.scales.Parametrization;
import org.bochner.tune.scales.RidgeCriterion;
import org.bochner.tune.scales.ScaleObjective;
import org.bochner.tune.scales.ScalePenalty;
import org.bochner.tune.scales.TargetTotals;
import org.jspecify.annotations.Nullable;

/** One run of kernel learning; its fields are what the stages hand on. */
final class ScaleSearch {
    /** Rows of the sample that it begins with, a feature: enough that a ridge fit on them says something. */
    private static final int SAMPLE_PER_FEATURE = 8;

    private static final String ALL = "all rows";
    private static final int LEAST_SAMPLE = 2000;
    private static final int SAMPLE_ITERATIONS = 40;
    private static final int COARSE_ITERATIONS = 10;

    /** A scale that has changed by more than this factor has run away. */
    private static final double FAR = 1e3;

    /** Digits of the length-scales and of the penalty that come out. */
    private static final MathContext DIGITS = new MathContext(5);

    private final KernelLearning recipe;
    private final KernelMachine machine;
    private final RowSource source;
    private final Workers workers;
    private final Progress progress;
    private final Seed seed;
    private final Precision precision;
    private final Notes notes = new Notes();
    private final List<LearnedKernel.Step> steps = new ArrayList<>();
    private final ClassWeights classWeights;

    /** The strength of the penalty; NaN until it is known. */
    private double lambda = Double.NaN;

    private boolean findsPenalty;
    private boolean stopped;
    private int evaluations;
    private long evaluating;

    /** Learns weights together with scales; null where scales are judged by ridge regression. */
    private @Nullable JointSearch joint;

    /** The weight of all rows, where some are set aside. */
    private double weight;

    ScaleSearch(KernelLearning recipe, RowSource source, Workers workers, Progress progress) {
        this.recipe = recipe;
        this.machine = recipe.machine();
        this.source = source;
        this.workers = workers;
        this.progress = progress;
        seed = machine.seed().derive("kernel learning");
        precision = machine.precision();
        OutputCoding.require(source.name(), source.labels());
        classWeights = ModelAccess.settings(machine).classWeighting.of(source);
    }

    LearnedKernel run() {
        Transformer prepared = prepare();
        Found found = search(prepared);
        lambda = joint == null && machine.learner().isAuto() ? rounded(lambda) : lambda;
        // Who stops learning the kernel wants a model with the best one so far, whose weights are not cut short too.
        Progress telling = stopped ? UnstoppableProgress.of(progress) : progress;
        TrainingResult trained = fittedMachine().fit(source, found.transformer, workers, telling);
        List<LearnedScale> learned = recipe.sharing() == Sharing.FREQUENCY
                ? List.of()
                : LearnedScale.of(
                        prepared.map().parameters(ParameterKind.SCALES),
                        found.transformer.map().parameters(ParameterKind.SCALES),
                        recipe.sharing() != Sharing.COLUMN,
                        ColumnSpread.of(source, found.transformer));
        noteRunaways(learned);
        return new LearnedKernel(
                found.transformer.map().kernel(),
                trained,
                prepared.map(),
                learned,
                steps,
                found.end,
                lambda,
                found.before,
                found.after,
                evaluations,
                evaluations == 0 ? Double.NaN : evaluating * 1e-9 / evaluations,
                found.seconds,
                notes.list());
    }

    /** Scaling and map with the scales that are found, without a model; notes are added to those of someone else. */
    Transformer transformer(Notes others) {
        Found found = search(prepare());
        others.addAll(notes.list());
        others.choice(String.format(
                Locale.ROOT,
                "scales were learned: %s went from %.4g to %.4g",
                recipe.criterion(),
                found.before,
                found.after));
        return found.transformer;
    }

    /**
     * What was found.
     *
     * @param before the criterion at the start, on all rows
     * @param after the criterion in the end
     */
    private record Found(Transformer transformer, Minimum.End end, double before, double after, double seconds) {}

    private Found search(Transformer prepared) {
        requireParameters(prepared.map());
        int features = prepared.map().outputDimension();
        StatisticsMemory.require(
                StatisticsMemory.bytes(recipe.criterion(), features, source.columns(), workers.threads(), precision),
                recipe.criterion() + " and its derivatives with " + features + " features");
        long begun = System.nanoTime();
        long rows = rows();
        long sample = Math.max(LEAST_SAMPLE, (long) SAMPLE_PER_FEATURE * features);
        Stage all = new Stage(prepared, rows, rows, ALL);
        if (recipe.criterion().kind() == CriterionKind.TRAIN
                && !machine.learner().isRidge()) {
            joint = new JointSearch(
                    machine,
                    source,
                    prepared,
                    all.rows,
                    recipe.sharing().freedom(),
                    classWeights,
                    workers,
                    progress,
                    notes);
            lambda = joint.lambda();
        }
        noteJudge();
        if (!recipe.criterion().choosesPenalty() && joint == null) {
            // It is not found with the scales, so it must be the one of all rows from the start.
            all.choosePenalty(prepared);
        }
        Transformer at = prepared;
        boolean resumed = recipe.start() != null;
        if (recipe.sampling() && rows > 1.5 * sample && !resumed) {
            at = onSample(prepared, sample, rows);
        } else if (recipe.sharing() != Sharing.ONE && !resumed) {
            at = all.move(at, Sharing.ONE, COARSE_ITERATIONS);
            at = recipe.sharing() == Sharing.FREQUENCY ? all.move(at, Sharing.COLUMN, SAMPLE_ITERATIONS) : at;
        }
        Transformer moved = all.move(at, recipe.sharing(), recipe.iterations());
        Transformer rounded = recipe.sharing() == Sharing.FREQUENCY ? moved : rounded(moved);
        return new Found(
                rounded,
                all.end(),
                joint == null ? all.criterionAtStart(prepared) : joint.before(),
                joint == null ? all.criterion(rounded) : all.objective,
                (System.nanoTime() - begun) * 1e-9);
    }

    /** Says which length-scales went so far that they say nothing any more. */
    private void noteRunaways(List<LearnedScale> learned) {
        List<String> vanished = new ArrayList<>();
        List<String> exploded = new ArrayList<>();
        for (LearnedScale scale : learned) {
            double factor = scale.after() / scale.before();
            if (factor > FAR) {
                exploded.add(scale.columns());
            } else if (factor < 1 / FAR && !scale.dropped()) {
                vanished.add(scale.columns());
            }
        }
        if (!vanished.isEmpty()) {
            notes.choice("length-scales ran towards infinity, so that these columns hardly count: " + few(vanished)
                    + "; --scale-l1 drops such columns");
        }
        if (!exploded.isEmpty()) {
            notes.choice("length-scales ran towards 0, so that rows are alike only where these columns are equal: "
                    + few(exploded) + "; --scale-l2 holds them back, and another objective may judge them better");
        }
    }

    private static String few(List<String> names) {
        int shown = Math.min(8, names.size());
        return String.join(", ", names.subList(0, shown))
                + (names.size() > shown ? ", ... (" + names.size() + ")" : "");
    }

    /** Whether scales are judged by the learner's own loss on rows set aside. */
    private boolean ownLoss() {
        Learner learner = machine.learner();
        return recipe.criterion().kind() == CriterionKind.VALIDATION
                && !learner.isRidge()
                && Formulation.of(learner).isSmooth();
    }

    private void noteJudge() {
        if (joint == null && !ownLoss() && !machine.learner().isRidge()) {
            notes.choice("scales are judged by ridge regression; the model is learned by " + machine.learner());
        }
    }

    /** The machine that the model comes from: a penalty that was found with the scales stays with them. */
    private KernelMachine fittedMachine() {
        if (joint != null) {
            return joint.machine();
        }
        Learner learner = machine.learner();
        boolean found = ownLoss() || (lambda > 0 && learner.isRidge());
        return found ? machine.withLearner(learner.withLambda(lambda)) : machine;
    }

    private Transformer prepare() {
        KernelModel start = recipe.start();
        if (start == null) {
            return machine.prepare(source, workers, progress, notes);
        }
        if (start.columns() != source.columns() || !start.labels().equals(source.labels())) {
            throw new BochnerException(source.name() + ": the model to go on from has other columns or labels than the"
                    + " rows; go on from a model of the same kind of rows");
        }
        TrainingRecord before = start.training();
        if (before.learner().isRidge()
                && machine.learner().isRidge()
                && machine.learner().isAuto()) {
            lambda = before.lambda();
            findsPenalty = recipe.criterion().choosesPenalty();
        }
        return start.transformer();
    }

    private void requireParameters(FeatureMap map) {
        if (map.parameters(recipe.sharing().freedom()).count() > 0) {
            return;
        }
        String kernel = map.kernel().toString();
        throw new SpellingException(
                recipe.sharing() == Sharing.FREQUENCY
                        ? kernel + ": its map has no frequencies that can be moved one by one; take the map fourier,"
                                + " orthogonal or quasi, and a kernel such as gaussian"
                        : kernel
                                + ": has no scale that can be learned with its map; take a kernel with a bandwidth, such"
                                + " as gaussian, laplacian, cauchy, matern, skewed-chi2 or exp-chi2, and the map fourier,"
                                + " orthogonal, quasi or structured");
    }

    private long rows() {
        long known = source.rows();
        if (known >= 0) {
            return known;
        }
        long count = 0;
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = source.open()) {
            while (cursor.next(builder, FeaturePass.TILE_ROWS)) {
                count += builder.rows();
            }
        }
        return count;
    }

    /** Finds scales on some of the rows, from coarse to fine. */
    private Transformer onSample(Transformer prepared, long sample, long rows) {
        Stage stage;
        try {
            stage = new Stage(prepared, sample, rows, String.format(Locale.ROOT, "%,d rows", sample));
        } catch (BochnerException e) {
            notes.choice("all rows were gone over from the start, because of a sample it was said: " + e.getMessage());
            return prepared;
        }
        Transformer at = stage.move(
                stage.start, Sharing.ONE, recipe.sharing() == Sharing.ONE ? SAMPLE_ITERATIONS : COARSE_ITERATIONS);
        return switch (recipe.sharing()) {
            case ONE -> at;
            case RANGE -> stage.move(at, Sharing.RANGE, SAMPLE_ITERATIONS);
            case COLUMN, FREQUENCY -> stage.move(at, Sharing.COLUMN, SAMPLE_ITERATIONS);
        };
    }

    /** Optimisation on some of the rows, or on all. */
    private final class Stage {
        private final Transformer start;
        private final FoldedRows rows;
        private final String name;
        private final @Nullable TargetTotals parts;
        private final long budget;
        private Minimum.@Nullable End end;

        /** What weights and scales together came to, where they are learned together. */
        private double objective = Double.NaN;

        private @Nullable HoldoutLossCriterion judge;

        Stage(Transformer start, long wanted, long count, String name) {
            this.start = start;
            this.name = name;
            // Of the rows of the sample and, where the learner's own loss judges, of features as much may be kept
            // again.
            budget = machine.memory().orElse(MemoryBudget.spare().bytes()) / 3;
            rows = new FoldedRows(
                    source,
                    start.scaler(),
                    start.map().kernel(),
                    recipe.criterion().foldOf(seed, (double) wanted / count),
                    recipe.criterion().foldCount(),
                    budget,
                    workers);
            parts = recipe.criterion().kind() == CriterionKind.VALIDATION ? new TargetTotals(rows, classWeights) : null;
            if (parts != null) {
                parts.check(source.name(), recipe.criterion());
            }
            if (parts != null && wanted == count) {
                weight = parts.weight(0) + parts.weight(1);
            }
        }

        /** The judge by the learner's own loss; null where ridge regression judges. */
        private @Nullable HoldoutLossCriterion judge(Transformer from) {
            if (parts == null || !ownLoss()) {
                return null;
            }
            if (!(lambda >= 0)) {
                beginWithLearner(from);
            }
            if (judge == null) {
                judge = new HoldoutLossCriterion(
                        rows,
                        parts,
                        machine.learner().withLambda(lambda),
                        weight,
                        classWeights,
                        precision,
                        HoldoutLossCriterion.tolerance(precision),
                        budget);
            }
            return judge;
        }

        Minimum.End end() {
            return Objects.requireNonNull(end);
        }

        /** The criterion without what scales cost, at the penalty that was taken. */
        double criterion(Transformer at) {
            MapParameters parameters = at.map().parameters(ParameterKind.SCALES);
            Parametrization moves = Parametrization.of(Sharing.ONE, false, List.of(), at.map(), at.map());
            ScaleObjective objective = objective(parameters, moves, ScalePenalty.NONE, lambda, judge(at));
            return objective.value(moves.origin());
        }

        /** The criterion at the scales it began with, at the penalty that is best there: what moving the scales gains on. */
        double criterionAtStart(Transformer at) {
            double taken = lambda;
            if (judge == null) {
                choosePenalty(at);
            }
            double value = criterion(at);
            lambda = taken;
            return value;
        }

        private ScaleObjective objective(
                MapParameters parameters,
                Parametrization moves,
                ScalePenalty penalty,
                double fixed,
                @Nullable HoldoutLossCriterion ownJudge) {
            return new ScaleObjective(
                    rows,
                    parameters,
                    moves,
                    penalty,
                    recipe.criterion().kind(),
                    classWeights,
                    precision,
                    fixed,
                    ownJudge);
        }

        /** Moves what is shared so, from where the transformer is. */
        Transformer move(Transformer from, Sharing sharing, int iterations) {
            if (stopped && end != null) {
                return from;
            }
            MapParameters parameters = from.map().parameters(sharing.freedom());
            ScalePenalty penalty = sharing == recipe.sharing() ? recipe.penalty() : ScalePenalty.NONE;
            Parametrization moves =
                    Parametrization.of(sharing, penalty.drops(), recipe.ranges(), start.map(), from.map());
            DescentOptions options = DescentOptions.withDefaults()
                    .withIterations(stopped ? 0 : iterations)
                    .withTolerance(recipe.tolerance(), 3)
                    .withLargestMove(2);
            DescentMonitor monitor = monitor(sharing);
            long began = System.nanoTime();
            if (joint != null) {
                boolean last = this.name.equals(ALL) && sharing == recipe.sharing();
                JointSearch.Found found = joint.move(rows, from.map(), moves, penalty, options, monitor, last);
                end = found.end();
                objective = found.value();
                evaluated(found.evaluations(), began);
                return new Transformer(from.scaler(), found.map());
            }
            HoldoutLossCriterion ownJudge = judge(from);
            if (ownJudge == null) {
                choosePenalty(from);
                began = System.nanoTime();
            }
            ScaleObjective criterion =
                    objective(parameters, moves, penalty, findsPenalty ? Double.NaN : lambda, ownJudge);
            double[] origin = Arrays.copyOf(moves.origin(), criterion.size());
            if (findsPenalty) {
                origin[moves.count()] = Math.log(lambda);
            }
            Minimum found = moves.form() == Parametrization.Form.FACTOR
                    ? new ProximalQuasiNewton(options)
                            .minimize(
                                    criterion,
                                    ConvexTerm.ofRanges(List.of(new ConvexTerm.Range(
                                            0,
                                            moves.count(),
                                            ConvexTerm.nonNegativeL1(penalty.weights(moves.count()))))),
                                    origin,
                                    monitor)
                    : new Lbfgs(options).minimize(criterion, origin, monitor);
            end = found.end();
            evaluated(found.evaluations(), began);
            double[] point = found.point();
            if (findsPenalty) {
                lambda = criterion.lambda(point);
            }
            return new Transformer(from.scaler(), criterion.map(point));
        }

        private void evaluated(int times, long began) {
            if (name.equals(ALL)) {
                evaluations += times;
                evaluating += System.nanoTime() - began;
            }
        }

        private DescentMonitor monitor(Sharing sharing) {
            return (iteration, value, point, slope) -> {
                steps.add(new LearnedKernel.Step(sharing + ", " + name, iteration, value, slope));
                progress.report(
                        String.format(Locale.ROOT, "learning scales (%s, %s): %.5g", sharing, name, value),
                        iteration,
                        Double.NaN);
                stopped |= progress.stopRequested();
                return !stopped;
            };
        }

        /**
         * The penalty to begin with: what was given, or the best at these scales, by the criterion where it can be asked
         * without going over the rows. A penalty that is far off leads scales astray before it is found.
         */
        private void choosePenalty(Transformer from) {
            Learner learner = machine.learner();
            if (learner.isRidge() && !learner.isAuto()) {
                lambda = learner.lambda();
                return;
            }
            findsPenalty = recipe.criterion().choosesPenalty();
            boolean cheap = findsPenalty && recipe.criterion().kind() != CriterionKind.LEAVE_ONE_OUT;
            if (lambda > 0 && !cheap) {
                return;
            }
            RidgeCriterion.Problem problem = new RidgeCriterion(
                            recipe.criterion().kind(), source.labels(), classWeights, workers)
                    .prepare(FoldStatistics.of(rows, from.map(), classWeights, precision, done -> {}));
            if (!(lambda > 0)) {
                lambda = Ridge.auto()
                        .fit(problem.total(), precision, workers)
                        .chosen()
                        .lambda();
            }
            if (cheap) {
                ScoredRows scored = new ScoredRows(rows, from.map(), precision);
                lambda = walk(
                        penalty -> problem.judge(penalty, scored).value(),
                        problem.total().scatterTrace());
            }
        }

        /** Walks downhill from the current penalty in steps of √10, up to {@code most}, and returns the best. */
        private double walk(DoubleUnaryOperator criterion, double most) {
            double best = lambda;
            double least = valueAt(criterion, best);
            for (double factor : new double[] {Math.sqrt(10), 1 / Math.sqrt(10)}) {
                boolean gains = true;
                while (gains && best * factor < most) {
                    double value = valueAt(criterion, best * factor);
                    gains = value < least;
                    best = gains ? best * factor : best;
                    least = gains ? value : least;
                }
            }
            return best;
        }

        private static double valueAt(DoubleUnaryOperator criterion, double penalty) {
            try {
                return criterion.applyAsDouble(penalty);
            } catch (NotPositiveDefiniteException e) {
                return Double.POSITIVE_INFINITY;
            }
        }
    }

    /** The strength that the learner has, or finds at the scales it starts from; it is moved on from there. */
    private void beginWithLearner(Transformer from) {
        Learner learner = machine.learner();
        if (!learner.isAuto()) {
            lambda = learner.lambda();
            return;
        }
        TrainingResult trained = machine.withoutCalibration().fit(source, from, workers, progress);
        lambda = trained.report().learner().lambda();
        findsPenalty = true;
    }

    /** Length-scales with a few digits, as people write them, and the map with these. */
    private static Transformer rounded(Transformer transformer) {
        MapParameters parameters = transformer.map().parameters(ParameterKind.SCALES);
        double[] values = parameters.values();
        for (int p = 0; p < values.length; p++) {
            if (values[p] > 0) {
                values[p] = 1 / rounded(1 / values[p]);
            }
        }
        return new Transformer(transformer.scaler(), parameters.with(values));
    }

    /** As people write it, where it is a number. */
    private static double rounded(double value) {
        return value < Double.POSITIVE_INFINITY
                ? new BigDecimal(value).round(DIGITS).doubleValue()
                : value;
    }
}
