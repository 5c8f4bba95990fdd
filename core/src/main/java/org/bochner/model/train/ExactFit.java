package org.bochner.model.train;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.SpellingException;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.base.text.Digits;
import org.bochner.data.Holdout;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.data.sample.RowCount;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.tree.TreeForm;
import org.bochner.kernel.tree.TreeKernel;
import org.bochner.learn.exact.IterativeRidge;
import org.bochner.learn.exact.SupportMachine;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.ridge.Ridge;
import org.bochner.learn.solve.Formulation;
import org.bochner.learn.solve.SolverKind;
import org.bochner.learn.solve.StrengthSearch;
import org.bochner.map.FeatureMap;
import org.bochner.map.landmark.IncompleteCholesky;
import org.bochner.map.landmark.LandmarkForm;
import org.bochner.map.landmark.LandmarkMap;
import org.bochner.map.landmark.LandmarkRows;
import org.bochner.map.landmark.NoMap;
import org.bochner.map.landmark.TreeLandmarkMap;
import org.bochner.model.Transformer;
import org.bochner.numeric.Precision;
import org.bochner.scale.Scaler;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.DualAccumulator;
import org.bochner.stats.DualStatistics;
import org.bochner.stats.ExactRows;
import org.jspecify.annotations.Nullable;

/**
 * Fits an exact machine: ridge regression from all kernel values between the rows, or a support vector machine in the
 * dual. The map of the model has training rows as landmarks: all of them, or the support vectors.
 */
public final class ExactFit extends FitRoute {
    /** The most pivots of the preconditioner, and the most operations per penalty that they take; not tuned. */
    private static final double MOST_PIVOTS = 1500;

    private static final double PIVOT_OPERATIONS = 2e10;

    /** A row is no pivot if its residual is at most this share of the largest k(x, x). */
    private static final double PIVOT_CUTOFF = 1e-10;

    private final Scaler scaler;
    private final Kernel kernel;

    ExactFit(TrainingContext context, ClassWeights weights, Scaler scaler, Kernel kernel) {
        super(context, weights, Precision.FLOAT64);
        this.scaler = scaler;
        this.kernel = kernel;
    }

    /** Throws if an exact machine cannot have these settings. */
    public static void requireSettings(TrainingSettings settings) {
        Formulation formulation = Formulation.of(settings.learner);
        if (!settings.learner.isRidge() && !SupportMachine.takes(formulation)) {
            throw new SpellingException(
                    "the map none works with the learners ridge, svm and svr, not with " + settings.learner,
                    Remedy.set(Setting.MAP, "landmarks", "takes every learner"));
        }
        if (formulation.solver() != SolverKind.DIRECT && formulation.solver() != SolverKind.DUAL) {
            throw new SpellingException(
                    "the map none has its own solvers and takes no solver=" + formulation.solver(),
                    Remedy.set(Setting.LEARNER, settings.learner.name(), "without solver"));
        }
        TreeForm form = form(settings);
        if (form != null && !settings.learner.isRidge()) {
            throw new SpellingException(
                    "the " + form.kind().parameter() + " of the map none is for ridge, not for " + settings.learner,
                    Remedy.set(Setting.MAP, "none", "has a solver for " + settings.learner.name()));
        }
        if (settings.features.isPresent()) {
            throw new SpellingException(
                    "the map none takes no number of features", Remedy.set(Setting.FEATURES, "must be left out"));
        }
        if (settings.uncertainty != null && !settings.uncertainty.isConformal()) {
            throw UncertaintyFit.refusal(
                    "needs features, and the map none has none", Remedy.set(Setting.MAP, "fourier", "has features"));
        }
        if (settings.landmarks != null) {
            throw new SpellingException(
                    "the map none uses all rows, so landmarks cannot be given",
                    Remedy.set(Setting.LANDMARKS, "must be left out"),
                    Remedy.set(Setting.MAP, "landmarks", "uses them"));
        }
        if (settings.components != null) {
            throw noComponents(Remedy.set(Setting.COMPONENTS, "must be left out"));
        }
    }

    /** Returns the failure of principal components without features, with further remedies. */
    static SpellingException noComponents(Remedy... others) {
        List<Remedy> remedies = new ArrayList<>(List.of(others));
        remedies.add(Remedy.set(Setting.MAP, "landmarks", "has features"));
        return new SpellingException(
                "the map none has no features, so it has no principal components", remedies.toArray(Remedy[]::new));
    }

    /** Returns how kernel values are left out or approximated; null if all are stored. */
    private static @Nullable TreeForm form(TrainingSettings settings) {
        return settings.map instanceof NoMap exact ? exact.form() : null;
    }

    @Override
    public Learned run() {
        requireSettings(settings);
        if (settings.validation > 0 && (learner.isRidge() || !learner.isAuto())) {
            notes.choice("no rows were set aside: an exact machine has one solution, without iterations to test");
        }
        return learner.isRidge() ? ridge() : supportVectors();
    }

    private Learned ridge() {
        if (settings.map instanceof NoMap exact && exact.form() != null) {
            exact.requireKernel(kernel, source.columns());
            return treeRidge(exact.form());
        }
        return denseRidge();
    }

    private Learned denseRidge() {
        long count = RowCount.of(source);
        int outputs = OutputCoding.of(source.labels()).targets();
        bytes = (long) (DualAccumulator.bytesNeeded(count, 0, 0, outputs, workers.threads()) + leastRowBytes(count));
        boolean near = TreeKernel.takes(kernel, source.columns());
        ExactRows.requireMatrix(source.name(), count, (double) bytes, near);
        sayMemory(count, (double) bytes);
        ExactRows rows = load(source);
        long multiplying = System.nanoTime();
        progress.report("computing kernel values", rows.read(), Double.NaN);
        DualStatistics statistics = rows.statistics(kernel, workers);
        long solving = System.nanoTime();
        times.productNanos += (solving - multiplying) * workers.threads();
        progress.report("solving", rows.read(), Double.NaN);
        LinearFit fit = (learner.isAuto() ? Ridge.auto() : Ridge.of(learner.lambda()))
                .fit(statistics, Precision.FLOAT64, workers);
        noteRows(rows.count(), "training row");
        return learned(rows.rows(), fit, rows.read(), solving);
    }

    /** Fits with the near rows that a tree finds, by conjugate gradients. */
    private Learned treeRidge(TreeForm form) {
        long count = RowCount.of(source);
        int outputs = OutputCoding.of(source.labels()).count();
        int rank = rank(count);
        double needed = leastRowBytes(count)
                + TreeKernel.bytes(count, source.columns())
                + TreeKernel.productBytes(form, count, outputs)
                + IterativeRidge.bytesNeeded(count, outputs, rank);
        ExactRows.requireMemory(source.name(), count, needed);
        sayMemory(count, needed);
        ExactRows rows = load(source);
        long multiplying = System.nanoTime();
        progress.report("building the tree", rows.read(), Double.NaN);
        TreeLandmarkMap map = new TreeLandmarkMap(kernel, rows.rows(), form);
        TreeKernel tree = map.tree();
        progress.report("counting kernel values", rows.read(), Double.NaN);
        TreeKernel.Product product = tree.product(needed, workers);
        bytes = (long) (needed + 12.0 * product.values());
        IncompleteCholesky pivots = IncompleteCholesky.random(
                kernel, rows.rows(), rank, PIVOT_CUTOFF, settings.seed.derive("preconditioner"), workers);
        long solving = System.nanoTime();
        times.productNanos += (solving - multiplying) * workers.threads();
        progress.report("solving", rows.read(), Double.NaN);
        IterativeRidge ridge = new IterativeRidge(
                rows,
                product.product(),
                tree.diagonal(),
                pivots,
                Formulation.of(learner).tolerance(),
                workers,
                (lambda, iteration) -> {
                    progress.iteration(learner.withLambda(lambda).toString(), iteration, Double.NaN);
                    return !progress.stopRequested();
                });
        LinearFit fit = learner.isAuto() ? ridge.fit() : ridge.fit(learner.lambda());
        noteForm(tree, product, rows.rows(), fit);
        noteRows(rows.count(), "training row");
        return learned(map, fit, rows.read(), solving);
    }

    /** Returns the number of pivots of the preconditioner. */
    private static int rank(long count) {
        double affordable = (double) MemoryBudget.spare().bytes() / (8.0 * count);
        double wanted = Math.min(MOST_PIVOTS, Math.sqrt(PIVOT_OPERATIONS / count));
        return (int) Math.max(1, Math.min((double) count, Math.min(affordable, wanted)));
    }

    private void noteForm(TreeKernel tree, TreeKernel.Product product, RowBlock rows, LinearFit fit) {
        TreeForm form = tree.form();
        int count = rows.rows();
        if (form.kind() == TreeForm.Kind.THRESHOLD) {
            // The weights β solve (K + λW⁻¹)β = y − b with Σβ = 0, where W has the row weights; K is positive definite.
            double largestWeight =
                    IntStream.range(0, count).mapToDouble(rows::rowWeight).max().orElse(1);
            notes.choice(String.format(
                    Locale.ROOT,
                    "kernel values below %s times k(x, x) count as 0, in training and in prediction: %,d values are"
                            + " stored, %.3g%% of all. The matrix changes by at most %.2g in norm, and the weights by at"
                            + " most %.2g of their norm",
                    Digits.shortest(form.level()),
                    product.values(),
                    100.0 * product.values() / ((double) count * count),
                    product.error(),
                    largestWeight * product.error() / fit.chosen().lambda()));
            return;
        }
        int outputs = fit.model().outputs();
        double[] sums = new double[outputs];
        double[] weights = fit.model().weights();
        for (int k = 0; k < weights.length; k++) {
            sums[k % outputs] += Math.abs(weights[k]);
        }
        notes.choice(String.format(
                Locale.ROOT,
                "each kernel value is within %s times k(x, x) of the exact one, in training and in prediction. With these"
                        + " weights, scores are within %.2g of those of the exact kernel, and usually much closer",
                Digits.shortest(form.level()),
                form.level() * tree.diagonal() * Arrays.stream(sums).max().orElse(0)));
    }

    private Learned supportVectors() {
        long count = RowCount.of(source);
        int outputs = OutputCoding.of(source.labels()).count();
        double needed = leastRowBytes(count) + SupportMachine.bytesNeeded(count, outputs);
        ExactRows.requireMemory(source.name(), count, needed);
        // A full matrix of kernel values needs no more.
        long cache = (long) Math.min(
                (double) MemoryBudget.kept(settings.memory, (long) needed).bytes(), 4.0 * count * count);
        bytes = (long) needed + cache;
        sayMemory(count, (double) bytes);
        if (!learner.isAuto()) {
            ExactRows rows = load(source);
            long solving = System.nanoTime();
            return learned(rows, machine(rows, cache).fit(), solving);
        }
        boolean asked = settings.validation > 0;
        Holdout split = heldOut();
        ExactRows training = load(split.train());
        ExactRows validation = load(split.test());
        long solving = System.nanoTime();
        SupportMachine machine = machine(training, cache);
        StrengthSearch.Found<?> choice = machine.choose(validation);
        // By default, the final fit includes the held-out rows.
        ExactRows all = asked ? training : load(source);
        SupportMachine last = asked ? machine : machine(all, cache);
        return learned(all, last.fit(choice, validation.read(), training.totalWeight()), solving);
    }

    /** Returns the bytes of dense rows; 0 for sparse rows, whose non-zeros are counted while they are read. */
    private double leastRowBytes(long count) {
        boolean sparse = source.sparse() && scaler.keepsZeros();
        return ExactRows.bytes(count, sparse ? 0 : (double) count * source.columns(), sparse);
    }

    private ExactRows load(RowSource from) {
        progress.report("reading rows", 0, Double.NaN);
        return ExactRows.load(from, scaler, kernel, weights);
    }

    private SupportMachine machine(ExactRows rows, long cache) {
        return new SupportMachine(rows, kernel, learner, cache, workers, (trying, iteration) -> {
            progress.iteration(trying.toString(), iteration, Double.NaN);
            return !progress.stopRequested();
        });
    }

    private Learned learned(ExactRows rows, SupportMachine.Fit fit, long solving) {
        noteRows(fit.support().length, "support vector");
        return learned(LandmarkRows.select(rows.rows(), fit.support()), fit.fit(), rows.read(), solving);
    }

    private void sayMemory(long count, double needed) {
        progress.memory(String.format(Locale.ROOT, "%,d rows of an exact machine", count), needed);
    }

    private void noteRows(int count, String what) {
        notes.choice(String.format(Locale.ROOT, "the model contains %,d %s%s", count, what, count == 1 ? "" : "s"));
    }

    private Learned learned(RowBlock landmarks, LinearFit fit, long rows, long solving) {
        return learned(new LandmarkMap(kernel, landmarks, LandmarkForm.RAW), fit, rows, solving);
    }

    private Learned learned(FeatureMap map, LinearFit fit, long rows, long solving) {
        return new Learned(new Transformer(scaler, map), fit, rows, solving);
    }
}
