package org.bochner.tune;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.SpellingException;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.DataIdentity;
import org.bochner.data.RowSource;
import org.bochner.data.sample.RowCount;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.solve.Formulation;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapRecipe;
import org.bochner.map.ParameterKind;
import org.bochner.map.binning.BinningRecipe;
import org.bochner.map.landmark.LandmarkRecipe;
import org.bochner.map.landmark.NoMap;
import org.bochner.map.landmark.UnmappedKernel;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.TrainingRecord;
import org.bochner.model.TrainingResult;
import org.bochner.model.Transformer;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.train.ExactFit;
import org.bochner.model.train.TrainingContext;
import org.bochner.model.train.TrainingRun;
import org.bochner.model.train.TrainingSettings;
import org.bochner.numeric.Workers;
import org.bochner.numeric.optimise.Minimum;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FeaturePass;
import org.bochner.tune.exact.ExactCriterion;
import org.bochner.tune.exact.ExactFolds;
import org.bochner.tune.scales.CriterionKind;
import org.bochner.tune.scales.JointSearch;
import org.bochner.tune.scales.Parametrization;
import org.jspecify.annotations.Nullable;

/** One run of kernel learning: stages from few rows and parameters to all, then a model with the learned kernel. */
final class ScaleSearch {
    /** Rows of the sample per feature. */
    private static final int SAMPLE_PER_FEATURE = 8;

    private static final int LEAST_SAMPLE = 2000;
    private static final int SAMPLE_ITERATIONS = 40;
    private static final int COARSE_ITERATIONS = 10;

    /** A scale that changes by more than this factor has diverged. */
    private static final double DIVERGED = 1e3;

    final KernelLearning recipe;
    private final KernelMachine machine;
    /** The machine that learns the scales in place of the one of the recipe; null if the latter does. */
    private final @Nullable StandIn standIn;

    private final RowSource source;
    /** The rows that scales are learned from. */
    final RowSource searched;

    final Workers workers;
    final Progress progress;
    private final Notes notes = new Notes();
    final ClassWeights classWeights;
    final SearchLog log;
    final SearchPenalty penalty;

    /** Learns weights together with scales; null if the weights follow from the scales. */
    private @Nullable JointSearch joint;

    /** True if the machine is learned from kernel values, without features. */
    private final boolean exact;

    ScaleSearch(KernelLearning recipe, RowSource source, Workers workers, Progress progress) {
        this.recipe = recipe;
        exact = isExact(recipe);
        standIn = StandIn.of(recipe, source);
        machine = standIn == null ? withFixedKernel(recipe.machine) : standIn.machine();
        this.source = source;
        searched = standIn == null
                ? source
                : standIn.rows(sampleSize(machine.features().orElseThrow()), notes);
        this.workers = workers;
        this.progress = progress;
        OutputCoding.require(source.name(), source.encoding() != null, source.labels());
        classWeights = ModelAccess.settings(machine).classWeighting.of(source);
        log = new SearchLog(progress);
        penalty = new SearchPenalty(recipe);
    }

    /** Returns true if scales are learned from a sample of the rows alone. */
    boolean searchesSample() {
        return searched != source;
    }

    /** Returns a machine whose kernel cannot be replaced by one that may have no scales. */
    private static KernelMachine withFixedKernel(KernelMachine machine) {
        TrainingSettings settings = ModelAccess.settings(machine).copy();
        settings.kernelIsOpen = false;
        return ModelAccess.machine(settings);
    }

    private static int sampleSize(int features) {
        return Math.max(LEAST_SAMPLE, SAMPLE_PER_FEATURE * features);
    }

    private static boolean isExact(KernelLearning recipe) {
        KernelModel start = recipe.start;
        MapRecipe map = start == null
                ? ModelAccess.settings(recipe.machine).map
                : start.training().map();
        return !map.makesFeatures() && (recipe.method.rounds() == 0 || start != null);
    }

    /** Fails if exact machines cannot be learned as the recipe says. */
    private void requireExactSettings() {
        TrainingSettings settings = fittedSettings();
        ExactFit.requireSettings(settings);
        NoMap.requireAllValues(settings.map, "kernel learning");
        if (recipe.sharing == Sharing.FREQUENCY) {
            throw new SpellingException(
                    "the map none has no features, so it has no frequencies to learn",
                    Remedy.advice("learn one scale per column"),
                    Remedy.set(Setting.MAP, "fourier", "has frequencies"));
        }
        if (recipe.criterion.kind() == CriterionKind.TRAIN && !machine.learner().isRidge()) {
            throw new SpellingException(
                    "with the map none, scales and weights are learned together only with ridge regression, not with "
                            + machine.learner(),
                    Remedy.set(Setting.CRITERION, Criterion.usual(), "learns the scales with ridge regression"),
                    Remedy.set(Setting.LEARNER, "ridge", ""),
                    Remedy.set(Setting.MAP, "fourier", "takes every loss"));
        }
    }

    LearnedKernel run() {
        Transformer prepared = prepare();
        Found found = search(prepared);
        if (joint == null && machine.learner().isAuto()) {
            penalty.set(Parametrization.rounded(penalty.lambda()));
        }
        // A user who stops the search wants a model with the best kernel so far, and the weights in full.
        Progress rest = log.stopped() ? new UnstoppableProgress(progress) : progress;
        TrainingResult trained;
        Transformer learned = found.transformer;
        if (standIn == null) {
            trained = TrainingRun.train(recorded(fittedSettings()), source, workers, rest, learned);
        } else {
            TrainingSettings settings = recorded(standIn.settings(learned, prepared, workers, rest, notes));
            settings.givenKernel = ModelAccess.settings(recipe.machine).kernel;
            trained = TrainingRun.train(settings, source, workers, rest, null);
            learned = new Transformer(
                    trained.model().scaler(), new UnmappedKernel(settings.kernel.complete(), source.columns()));
        }
        List<LearnedScale> scales = recipe.sharing == Sharing.FREQUENCY
                ? List.of()
                : LearnedScale.of(
                        prepared.map().parameters(ParameterKind.SCALES),
                        learned.map().parameters(ParameterKind.SCALES),
                        recipe.sharing != Sharing.COLUMN || recipe.method.full(),
                        ColumnSpread.of(source, learned));
        noteDiverged(scales);
        return new LearnedKernel(
                learned.map().kernel(),
                trained,
                prepared,
                exact ? Parametrization.rounded(found.before.lambda()) : Double.NaN,
                scales,
                log.steps(),
                found.end.reason(),
                penalty.lambda(),
                found.before.value(),
                found.after,
                log.evaluations(),
                log.secondsPerEvaluation(),
                found.seconds,
                recipe.sharing != Sharing.FREQUENCY && (recipe.start == null || remade().makes(found.transformer)),
                standIn != null,
                notes.list());
    }

    /** Returns the learned transformer without training a model, and adds the notes of the search to others. */
    Transformer transformer(Notes others) {
        if (standIn != null) {
            throw new SpellingException(
                    "scales cannot be learned before the weights with the map "
                            + ModelAccess.settings(recipe.machine).map,
                    Remedy.set(Setting.MAP, "fourier", "with a kernel such as gaussian has derivatives by the scales"));
        }
        Found found = search(prepare());
        others.addAll(notes.list());
        others.choice(String.format(
                Locale.ROOT,
                "scales were learned: %s changed from %.4g to %.4g",
                recipe.criterion,
                found.before.value(),
                found.after));
        return found.transformer;
    }

    /**
     * The result of a search.
     *
     * @param before the criterion at the initial scales, on all rows
     * @param after the criterion at the learned scales
     */
    private record Found(
            Transformer transformer, Minimum.End end, SearchStage.AtStart before, double after, double seconds) {}

    private Found search(Transformer prepared) {
        requireParameters(prepared.map(), recipe.sharing);
        long rows = RowCount.of(searched);
        int features = prepared.map().outputDimension();
        if (!exact) {
            String what = recipe.criterion + " and its derivatives with " + features + " features";
            MemoryBudget.whole().require(bytesNeeded(features), what, "take fewer features, folds or threads");
        }
        long begun = System.nanoTime();
        long sample = sampleSize(features);
        SearchStage all = new SearchStage(this, prepared);
        if (recipe.criterion.kind() == CriterionKind.TRAIN
                && !machine.learner().isRidge()
                && Formulation.of(machine.learner()).priors() == null) {
            TrainingContext context =
                    TrainingContext.of(ModelAccess.settings(machine), searched, workers, progress, notes);
            joint = new JointSearch(machine, context, prepared, all.rows(), recipe.sharing.kind(), classWeights);
            penalty.set(joint.lambda());
        } else if (!SearchStage.usesOwnLoss(recipe) && !machine.learner().isRidge()) {
            notes.choice("scales are learned with ridge regression; the model is trained by " + machine.learner());
        }
        if (!recipe.criterion.choosesPenalty() && joint == null) {
            // The criterion cannot choose the penalty, so it is chosen on all rows at the start.
            all.choosePenalty(prepared);
        }
        Transformer at = prepared;
        boolean resumed = recipe.start != null;
        GradientRounds rounds = recipe.method.rounds() > 0 ? new GradientRounds(this, all, prepared, notes) : null;
        if (rounds != null) {
            at = rounds.run(rows);
        } else if (recipe.sampling && rows > 1.5 * sample && !resumed) {
            at = onSample(all, prepared, sample, rows);
        } else if (recipe.sharing != Sharing.ONE && !resumed) {
            at = all.move(at, Sharing.ONE, COARSE_ITERATIONS, joint);
            at = recipe.sharing == Sharing.FREQUENCY ? all.move(at, Sharing.COLUMN, SAMPLE_ITERATIONS, joint) : at;
        }
        Transformer moved = recipe.method.descends() ? all.move(at, recipe.sharing, recipe.iterations, joint) : at;
        Transformer rounded = recipe.sharing == Sharing.FREQUENCY
                ? moved
                : new Transformer(moved.scaler(), Parametrization.rounded(moved.map()));
        SearchStage.AtStart before;
        double after;
        if (joint != null) {
            before = new SearchStage.AtStart(joint.before(), Double.NaN);
            after = all.jointValue();
        } else if (rounds != null && !recipe.method.descends()) {
            before = new SearchStage.AtStart(rounds.before(), Double.NaN);
            after = rounds.after();
        } else {
            before = all.criterionAtStart();
            after = all.criterion(rounded);
        }
        if (!recipe.method.descends() && !(after <= before.value())) {
            notes.choice(
                    "the scales from gradients of fitted functions are not better than the initial ones, which are kept",
                    Remedy.set(Setting.METHOD, "gradient", "may find better ones"));
            all.choosePenalty(prepared);
            rounded = new Transformer(prepared.scaler(), Parametrization.rounded(prepared.map()));
            after = all.criterion(rounded);
        }
        return new Found(rounded, all.end(), before, after, (System.nanoTime() - begun) * 1e-9);
    }

    /** Fails if the criterion of an exact machine exceeds the memory, and says what it takes. */
    private void requireExactMemory() {
        long rows = RowCount.of(source);
        int outputs = OutputCoding.of(source.labels()).count();
        CriterionKind kind = recipe.criterion.kind();
        double bytes = ExactCriterion.bytesNeeded(kind, rows, source.columns(), outputs, workers.threads());
        ExactFolds.requireMemory(source.name() + ": " + recipe.criterion, rows, bytes);
        progress.memory(
                String.format(Locale.ROOT, "%s from the kernel values between %,d rows", recipe.criterion, rows),
                bytes);
    }

    /**
     * The bytes of a criterion with its derivatives: matrices of all folds, of all rows, of all rows but a fold, a
     * factor and a copy; and for each thread the products of a block and the derivatives by frequencies.
     */
    private double bytesNeeded(int features) {
        double square = (double) features * features;
        CriterionKind kind = recipe.criterion.kind();
        double leverages = kind == CriterionKind.LEAVE_ONE_OUT || kind == CriterionKind.EVIDENCE ? 8 * square : 0;
        double worker = machine.precision().bytes() * (square + 2.0 * FeaturePass.TILE_ROWS * features)
                + 12.0 * source.columns() * features
                + leverages;
        // The columns of the inverse factor, in both precisions.
        double inverse = kind == CriterionKind.EVIDENCE ? 24 * square : 0;
        return 8 * square * (recipe.criterion.foldCount() + 4) + inverse + workers.threads() * worker;
    }

    /** Notes which length-scales went towards infinity or 0. */
    private void noteDiverged(List<LearnedScale> scales) {
        noteColumns(
                scales.stream().filter(scale -> scale.after() / scale.before() < 1 / DIVERGED && !scale.dropped()),
                "length-scales went towards infinity, so that these columns hardly count: ",
                Remedy.set(Setting.SCALE_L1, "drops such columns"));
        noteColumns(
                scales.stream().filter(scale -> scale.after() / scale.before() > DIVERGED),
                "length-scales went towards 0, so that rows are similar only if these columns are equal: ",
                Remedy.set(Setting.SCALE_L2, "holds them back"),
                Remedy.advice("try another criterion"));
    }

    /** Makes a note that names up to eight of the columns, if there are any. */
    private void noteColumns(Stream<LearnedScale> scales, String text, Remedy... remedies) {
        List<String> columns = scales.map(LearnedScale::columns).toList();
        int shown = Math.min(8, columns.size());
        if (shown > 0) {
            String more = columns.size() > shown ? ", ... (" + columns.size() + ")" : "";
            notes.choice(text + String.join(", ", columns.subList(0, shown)) + more, remedies);
        }
    }

    /** The machine of the model: a penalty that was found with the scales is kept. */
    private KernelMachine fittedMachine() {
        if (joint != null) {
            return joint.machine();
        }
        Learner learner = machine.learner();
        boolean found = SearchStage.usesOwnLoss(recipe) || (penalty.lambda() > 0 && learner.isRidge());
        return found ? machine.withLearner(learner.withLambda(penalty.lambda())) : machine;
    }

    /** The settings of the model, with the map and the history of the model that learning continued from. */
    private TrainingSettings fittedSettings() {
        TrainingSettings settings = ModelAccess.settings(fittedMachine()).copy();
        KernelModel start = recipe.start;
        if (start != null) {
            settings.map = start.training().map();
            settings.pruning = start.training().pruning();
        }
        return settings;
    }

    private RemadeFeatures remade() {
        return new RemadeFeatures(fittedSettings(), source, workers, progress);
    }

    /** Returns the settings of the model, which say how the kernel was learned. */
    private TrainingSettings recorded(TrainingSettings settings) {
        settings.kernelSearch = recipe.method + ", objective " + recipe.criterion
                + (recipe.sharing == Sharing.FREQUENCY
                        ? ", frequencies"
                        : recipe.method.full()
                                ? ", a matrix in the scaling"
                                : recipe.sharing == Sharing.ONE ? ", one scale" : ", one scale per " + recipe.sharing);
        return settings;
    }

    /** Notes if the rows are not those that the initial model was trained on. */
    private void noteOtherRows(DataIdentity before) {
        DataIdentity now = source.identity();
        if (before.files().isEmpty() || now.files().isEmpty()) {
            return;
        }
        if (!hashes(before).equals(hashes(now))) {
            notes.data("the model to continue from was trained on other files; rows that are held out now may be among"
                    + " those it was trained on");
        } else if (!before.equals(new DataIdentity(before.files(), now.groupColumn(), now.selections()))) {
            notes.data("the model to continue from was trained on another selection of these rows; rows that are held"
                    + " out now may be among those it was trained on");
        }
    }

    private static List<String> hashes(DataIdentity data) {
        return data.files().stream().map(DataIdentity.File::sha256).toList();
    }

    private Transformer prepare() {
        recipe.method.require(recipe, exact);
        if (exact) {
            requireExactSettings();
            requireExactMemory();
        }
        KernelModel start = recipe.start;
        if (start == null) {
            if (!exact) {
                return machine.prepare(source, workers, progress, notes);
            }
            KernelMachine.KernelFit fit = machine.fitKernel(source, workers, progress, notes);
            return new Transformer(fit.scaler(), new UnmappedKernel(fit.kernel(), source.columns()));
        }
        if (start.columns() != source.columns() || !start.labels().equals(source.labels())) {
            throw new BochnerException(
                    source.name() + ": the model to continue from has other columns or labels than the"
                            + " rows; continue from a model of the same kind of rows");
        }
        TrainingRecord before = start.training();
        if (!exact && (before.map() instanceof LandmarkRecipe || before.map() instanceof BinningRecipe)) {
            throw new BochnerException(
                    "learning cannot continue from a model with the map " + before.map()
                            + ", which has no derivatives by the scales",
                    Remedy.advice("learn anew"));
        }
        noteOtherRows(before.data());
        if (before.requireLearner().isRidge()
                && machine.learner().isRidge()
                && machine.learner().isAuto()) {
            penalty.resume(before.lambda());
        }
        return exact
                ? new Transformer(start.scaler(), new UnmappedKernel(start.map().kernel(), start.columns()))
                : start.transformer();
    }

    /** Fails if a map has no parameters that can be learned. */
    static void requireParameters(FeatureMap map, Sharing sharing) {
        if (map.parameters(sharing.kind()).count() > 0) {
            return;
        }
        boolean exact = map instanceof UnmappedKernel;
        throw new SpellingException(map.kernel()
                + (sharing == Sharing.FREQUENCY
                        ? ": its map has no frequencies that can move one by one; take the map fourier, orthogonal or quasi,"
                                + " and a kernel such as gaussian"
                        : ": has no scale that can be learned" + (exact ? "" : " with its map")
                                + "; take a kernel with a bandwidth, such as gaussian, laplacian, cauchy, matern,"
                                + " skewed-chi2 or exp-chi2"
                                + (exact ? "" : ", and the map fourier, orthogonal, quasi or structured")));
    }

    /** Finds scales on a sample of the rows, first one for all columns. */
    private Transformer onSample(SearchStage all, Transformer prepared, long sample, long rows) {
        SearchStage stage;
        try {
            stage = all.sample(sample, rows);
        } catch (BochnerException e) {
            notes.choice(
                    "all rows were used from the start, because a sample failed: " + e.problem(),
                    e.remedies().toArray(Remedy[]::new));
            return prepared;
        }
        boolean one = recipe.sharing == Sharing.ONE;
        Transformer at = stage.move(prepared, Sharing.ONE, one ? SAMPLE_ITERATIONS : COARSE_ITERATIONS, joint);
        Sharing finer = recipe.sharing == Sharing.FREQUENCY ? Sharing.COLUMN : recipe.sharing;
        return one ? at : stage.move(at, finer, SAMPLE_ITERATIONS, joint);
    }
}
