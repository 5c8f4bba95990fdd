package org.bochner.tune;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongToIntFunction;
import org.bochner.base.BochnerException;
import org.bochner.data.ColumnRange;
import org.bochner.data.Labels;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.learn.Iteration;
import org.bochner.learn.Learner;
import org.bochner.learn.Ridge;
import org.bochner.map.FeatureMap;
import org.bochner.map.Freedom;
import org.bochner.map.MapParameters;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.Trained;
import org.bochner.model.Transformer;
import org.bochner.numeric.ConvexTerm;
import org.bochner.numeric.DescentMonitor;
import org.bochner.numeric.DescentOptions;
import org.bochner.numeric.Lbfgs;
import org.bochner.numeric.Minimum;
import org.bochner.numeric.Precision;
import org.bochner.numeric.ProximalQuasiNewton;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.GramAccumulator;
import org.jspecify.annotations.Nullable;

/** One run of kernel learning; its fields are what the stages hand on. */
final class ScaleSearch {
    /** Rows of the sample that it begins with, a feature: enough that a ridge fit on them says something. */
    private static final int SAMPLE_PER_FEATURE = 8;

    private static final String ALL = "all rows";
    private static final int LEAST_SAMPLE = 2000;
    private static final int SAMPLE_ITERATIONS = 40;

    /** Digits of the length-scales that come out. */
    private static final MathContext DIGITS = new MathContext(5);

    private final KernelLearning recipe;
    private final KernelMachine machine;
    private final RowSource source;
    private final Workers workers;
    private final Progress progress;
    private final Seed seed;
    private final Precision precision;
    private final List<String> notes = new ArrayList<>();
    private final List<LearnedKernel.Step> steps = new ArrayList<>();
    private final ClassWeights classWeights;

    /** The strength of the penalty; NaN until it is known. */
    private double lambda = Double.NaN;

    private boolean findsPenalty;
    private boolean stopped;

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
        checkLabels();
        classWeights = machine.classWeights(source);
    }

    private void checkLabels() {
        if (source.labels() instanceof Labels.None) {
            throw new BochnerException(source.name()
                    + ": has no labels to learn from; --label COLUMN or --labels FILE says where they are");
        }
        if (source.labels() instanceof Labels.Classes classes && classes.names().size() < 2) {
            throw new BochnerException(source.name() + ": all rows are of one class, "
                    + String.join(", ", classes.names()) + "; there is nothing to tell apart");
        }
    }

    LearnedKernel run() {
        Transformer prepared = prepare();
        MapParameters scales = prepared.map().parameters(Freedom.SCALES);
        requireParameters(prepared.map());
        long begun = System.nanoTime();
        long rows = rows();
        long sample = Math.max(
                LEAST_SAMPLE, (long) SAMPLE_PER_FEATURE * prepared.map().outputDimension());
        boolean begin = recipe.sampling() && rows > 1.5 * sample;
        Transformer at = prepared;
        Stage all = new Stage(prepared, rows, rows, ALL);
        if (recipe.criterion().kind() == Criterion.Kind.TRAIN
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
            all.before = joint.before();
        }
        noteJudge();
        if (begin) {
            at = onSample(new Stage(prepared, sample, rows, String.format(Locale.ROOT, "%,d rows", sample)));
        } else if (recipe.sharing() != Sharing.ONE) {
            at = all.move(at, Sharing.ONE, 10);
        }
        if (recipe.sharing() == Sharing.FREQUENCY) {
            at = begin ? at : all.move(at, Sharing.COLUMN, SAMPLE_ITERATIONS);
        }
        Transformer moved = all.move(at, recipe.sharing(), recipe.iterations());
        Transformer rounded = recipe.sharing() == Sharing.FREQUENCY ? moved : rounded(moved);
        double seconds = (System.nanoTime() - begun) * 1e-9;
        Reached reached = all.reached();
        // Who stops learning the kernel wants a model with the best one so far, whose weights are not cut short too.
        Trained trained = fittedMachine().fit(source, rounded, workers, stopped ? toTheEnd(progress) : progress);
        return new LearnedKernel(
                rounded.map().kernel(),
                trained,
                prepared.map(),
                learned(scales, rounded.map().parameters(Freedom.SCALES)),
                steps,
                reached.end(),
                lambda,
                all.before(),
                reached.value(),
                reached.evaluations(),
                seconds,
                notes);
    }

    /** Whether scales are judged by the learner's own loss on rows set aside. */
    private boolean ownLoss() {
        Learner learner = machine.learner();
        return recipe.criterion().kind() == Criterion.Kind.VALIDATION && !learner.isRidge() && learner.isSmooth();
    }

    private void noteJudge() {
        if (joint == null && !ownLoss() && !machine.learner().isRidge()) {
            notes.add("scales are judged by ridge regression; the model is learned by " + machine.learner());
        }
    }

    /** The machine that the model comes from: with the strength that was found or kept, where its own loss judged. */
    private KernelMachine fittedMachine() {
        if (joint != null) {
            return joint.machine();
        }
        return ownLoss() ? machine.withLearner(machine.learner().withLambda(lambda)) : machine;
    }

    /** Hears the same, and does not stop what has begun. */
    private static Progress toTheEnd(Progress progress) {
        return new Progress() {
            @Override
            public void report(String stage, long rows, double fraction) {
                progress.report(stage, rows, fraction);
            }

            @Override
            public void iteration(String learner, Iteration iteration, double validationError) {
                progress.iteration(learner, iteration, validationError);
            }
        };
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
        return start.transformer();
    }

    private void requireParameters(FeatureMap map) {
        if (map.parameters(recipe.sharing().freedom()).count() > 0) {
            return;
        }
        String kernel = map.kernel().toString();
        throw new BochnerException(
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
            while (cursor.next(builder, GramAccumulator.TILE_ROWS)) {
                count += builder.rows();
            }
        }
        return count;
    }

    /** Finds scales on some of the rows, from coarse to fine. */
    private Transformer onSample(Stage stage) {
        Transformer at = stage.move(stage.start, Sharing.ONE, recipe.sharing() == Sharing.ONE ? SAMPLE_ITERATIONS : 10);
        return switch (recipe.sharing()) {
            case ONE -> at;
            case BLOCK -> stage.move(at, Sharing.BLOCK, SAMPLE_ITERATIONS);
            case COLUMN, FREQUENCY -> stage.move(at, Sharing.COLUMN, SAMPLE_ITERATIONS);
        };
    }

    /** Where a stage ended: why, the criterion there, and how often it was computed. */
    private record Reached(Minimum.End end, double value, int evaluations) {}

    /** Optimisation on some of the rows, or on all. */
    private final class Stage {
        private final Transformer start;
        private final FoldedRows rows;
        private final String name;
        private final @Nullable Parts parts;
        private final long budget;
        private @Nullable Reached reached;
        private @Nullable LossJudge judge;
        private double before = Double.NaN;

        Stage(Transformer start, long wanted, long count, String name) {
            this.start = start;
            this.name = name;
            budget = machine.memory().orElse(Runtime.getRuntime().maxMemory() / 4);
            rows = new FoldedRows(
                    source,
                    start.scaler(),
                    start.map().kernel(),
                    folds((double) wanted / count),
                    recipe.criterion().parts(),
                    budget,
                    workers);
            parts = recipe.criterion().kind() == Criterion.Kind.VALIDATION ? new Parts(rows, classWeights) : null;
            if (parts != null && wanted == count) {
                parts.check(source.name(), recipe.criterion());
                weight = parts.weight(0) + parts.weight(1);
            }
        }

        /** The judge by the learner's own loss; null where ridge regression judges. */
        private @Nullable LossJudge judge(Transformer from) {
            if (parts == null || !ownLoss()) {
                return null;
            }
            if (!(lambda >= 0)) {
                beginWithLearner(from);
            }
            if (judge == null) {
                judge = new LossJudge(
                        rows,
                        parts,
                        machine.learner().withLambda(lambda),
                        weight,
                        classWeights,
                        precision,
                        LossJudge.tolerance(precision),
                        budget);
            }
            return judge;
        }

        Reached reached() {
            return Objects.requireNonNull(reached);
        }

        double before() {
            return before;
        }

        /** Moves what is shared so, from where the transformer is. */
        Transformer move(Transformer from, Sharing sharing, int iterations) {
            if (stopped && reached != null) {
                return from;
            }
            MapParameters parameters = from.map().parameters(sharing.freedom());
            boolean drops = recipe.penalty().drops() && sharing == recipe.sharing() && sharing != Sharing.FREQUENCY;
            Moves.Form form =
                    sharing == Sharing.FREQUENCY ? Moves.Form.VALUE : drops ? Moves.Form.FACTOR : Moves.Form.LOGARITHM;
            Moves moves = new Moves(form, parameters.values(), coordinates(parameters, sharing));
            ScalePenalty penalty = sharing == recipe.sharing() ? recipe.penalty() : ScalePenalty.NONE;
            DescentOptions options = DescentOptions.withDefaults()
                    .withIterations(stopped ? 0 : iterations)
                    .withTolerance(recipe.tolerance(), 3)
                    .withLargestMove(2);
            DescentMonitor monitor = monitor(sharing);
            if (joint != null) {
                boolean last = this.name.equals(ALL) && sharing == recipe.sharing();
                JointSearch.Found found = joint.move(rows, from.map(), moves, penalty, options, monitor, last);
                reached = new Reached(found.end(), found.value(), found.evaluations());
                return new Transformer(from.scaler(), found.map());
            }
            LossJudge ownJudge = judge(from);
            if (ownJudge == null) {
                choosePenalty(from, parameters, moves);
            }
            ScaleObjective objective = new ScaleObjective(
                    rows,
                    parameters,
                    moves,
                    penalty,
                    recipe.criterion(),
                    classWeights,
                    precision,
                    findsPenalty ? Double.NaN : lambda,
                    ownJudge);
            double[] origin = Arrays.copyOf(moves.origin(), objective.size());
            if (findsPenalty) {
                origin[moves.count()] = Math.log(lambda);
            }
            Minimum found = drops
                    ? new ProximalQuasiNewton(options)
                            .minimize(
                                    objective,
                                    ConvexTerm.ofRanges(List.of(new ConvexTerm.Range(
                                            0,
                                            moves.count(),
                                            ConvexTerm.nonNegativeL1(penalty.weights(moves.count()))))),
                                    origin,
                                    monitor)
                    : new Lbfgs(options).minimize(objective, origin, monitor);
            reached = new Reached(found.end(), found.value(), found.evaluations());
            double[] point = found.point();
            if (findsPenalty) {
                lambda = Math.exp(point[moves.count()]);
            }
            return new Transformer(from.scaler(), objective.map(point));
        }

        private DescentMonitor monitor(Sharing sharing) {
            return (iteration, value, point, slope) -> {
                steps.add(new LearnedKernel.Step(sharing + ", " + name, iteration, value, slope));
                before = Double.isNaN(before) ? value : before;
                progress.report(
                        String.format(Locale.ROOT, "learning scales (%s, %s): %.5g", sharing, name, value),
                        iteration,
                        Double.NaN);
                stopped |= progress.stopRequested();
                return !stopped;
            };
        }

        /** The penalty to begin with: what was given, or the best for ridge regression by generalised cross-validation. */
        private void choosePenalty(Transformer from, MapParameters parameters, Moves moves) {
            Learner learner = machine.learner();
            if (lambda > 0) {
                return;
            }
            if (learner.isRidge() && !learner.isAuto()) {
                lambda = learner.lambda();
                return;
            }
            findsPenalty = recipe.criterion().choosesPenalty();
            ScaleObjective any = new ScaleObjective(
                    rows, parameters, moves, ScalePenalty.NONE, recipe.criterion(), classWeights, precision, 1);
            GramAccumulator sum = new GramAccumulator(from.map().outputDimension(), source.labels());
            any.statistics(from.map()).forEach(sum::combine);
            lambda = Ridge.auto().fit(sum.freeze(), precision, workers).chosen().lambda();
        }
    }

    /** The strength that the learner has, or finds at the scales it starts from; it is moved on from there. */
    private void beginWithLearner(Transformer from) {
        Learner learner = machine.learner();
        if (!learner.isAuto()) {
            lambda = learner.lambda();
            return;
        }
        Trained trained = machine.withCalibration(null).fit(source, from, workers, progress);
        lambda = trained.report().learner().lambda();
        findsPenalty = true;
    }

    /** The part of every row: a part of its own seed decides whether it is in the sample, and in which fold. */
    private LongToIntFunction folds(double share) {
        Seed sampled = seed.derive("sample");
        Seed folded = seed.derive("folds");
        Criterion criterion = recipe.criterion();
        return row -> {
            if (share < 1 && unit(sampled, row) >= share) {
                return FoldedRows.NONE;
            }
            return switch (criterion.kind()) {
                case VALIDATION -> unit(folded, row) < criterion.share() ? 1 : 0;
                case CROSS_VALIDATION -> (int) (unit(folded, row) * criterion.folds());
                case TRAIN, GCV, LEAVE_ONE_OUT -> 0;
            };
        };
    }

    private static double unit(Seed seed, long row) {
        return (seed.derive(row).value() >>> 11) * 0x1p-53;
    }

    /** The coordinate of each parameter. */
    private int[] coordinates(MapParameters parameters, Sharing sharing) {
        int[] coordinates = new int[parameters.count()];
        Map<Object, Integer> known = new HashMap<>();
        double[] values = parameters.values();
        for (int p = 0; p < coordinates.length; p++) {
            MapParameters.Scope scope = sharing == Sharing.FREQUENCY ? null : parameters.scope(p);
            Object key =
                    switch (sharing) {
                        case ONE -> scope == null ? p : scope.term();
                        case BLOCK -> scope == null ? p : scope.term() + ":" + block(scope, values[p]);
                        case COLUMN, FREQUENCY -> p;
                    };
            coordinates[p] = known.computeIfAbsent(key, unused -> known.size());
        }
        return coordinates;
    }

    private Object block(MapParameters.Scope scope, double value) {
        for (ColumnRange range : recipe.blocks()) {
            if (scope.from() >= range.from() && scope.from() < range.to()) {
                return range;
            }
        }
        return value;
    }

    /** Length-scales with a few digits, as people write them, and the map with these. */
    private static Transformer rounded(Transformer transformer) {
        MapParameters parameters = transformer.map().parameters(Freedom.SCALES);
        double[] values = parameters.values();
        for (int p = 0; p < values.length; p++) {
            if (values[p] > 0) {
                values[p] = oneOver(new BigDecimal(1 / values[p]).round(DIGITS).doubleValue());
            }
        }
        return new Transformer(transformer.scaler(), parameters.with(values));
    }

    /** The number one over which is the given one, to the last bit where there is such a number. */
    private static double oneOver(double sigma) {
        double scale = 1 / sigma;
        for (double near : new double[] {scale, Math.nextUp(scale), Math.nextDown(scale)}) {
            if (1 / near == sigma) {
                return near;
            }
        }
        return scale;
    }

    private List<LearnedScale> learned(MapParameters before, MapParameters after) {
        List<LearnedScale> learned = new ArrayList<>();
        if (recipe.sharing() == Sharing.FREQUENCY) {
            return learned;
        }
        double[] old = before.values();
        double[] now = after.values();
        for (int p = 0; p < now.length; p++) {
            MapParameters.Scope scope = after.scope(p);
            learned.add(new LearnedScale(scope.term(), scope.from(), scope.to(), old[p], now[p]));
        }
        return learned;
    }
}
