package org.bochner.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bochner.base.BochnerException;
import org.bochner.base.Setting;
import org.bochner.base.SpellingException;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.Holdout;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.data.sample.NoSets;
import org.bochner.data.sample.RowPass;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapRecipe;
import org.bochner.map.landmark.LandmarkChoice;
import org.bochner.map.landmark.LandmarkRecipe;
import org.bochner.model.evaluate.HeapPeak;
import org.bochner.model.evaluate.TestError;
import org.bochner.model.file.ModelAccess;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;
import org.bochner.stats.MappedRows;

/** Trains and tests the methods of a comparison, one after the other. */
final class ComparisonRun {
    private static final int BLOCK_ROWS = 1024;
    private static final int FEWEST_TRAINING_ROWS = 10;
    private static final int FEWEST_TEST_ROWS = 2;

    private static final long WARM_UP_NANOS = 50_000_000;

    /** The largest number of values of an array, with room for the header. */
    private static final long MOST_VALUES = Integer.MAX_VALUE - 8;

    private final KernelMachine machine;
    private final RowSource testing;
    private final int seeds;
    private final Workers workers;
    private final Progress progress;
    private final Consumer<ComparedMethod> finished;
    private final boolean classes;
    private final int targets;
    private final Survey survey;
    private final RowSource training;
    /** The index in the training labels of each class of the test rows; −1 if it is not among them. */
    private final int[] trainingClass;

    ComparisonRun(
            KernelMachine machine,
            RowSource given,
            RowSource tests,
            int seeds,
            Workers workers,
            Progress progress,
            Consumer<ComparedMethod> finished) {
        NoSets.require(given, "comparisons of methods");
        NoSets.require(tests, "comparisons of methods");
        RowSource training = given.forTraining();
        RowSource testing = tests.encodedBy(training.encoding());
        this.machine = machine;
        this.testing = testing;
        this.seeds = seeds;
        this.workers = workers;
        this.progress = progress;
        this.finished = finished;
        targets = training.labels().targets();
        if (targets == 0) {
            throw new BochnerException(
                    training.name() + ": has no labels; a comparison needs rows with a class or a number to predict");
        }
        classes = training.labels() instanceof Labels.Classes;
        survey = new Survey(training);
        survey.require(FEWEST_TRAINING_ROWS, "to train on");
        survey.requireTwoClasses();
        new Survey(testing).require(FEWEST_TEST_ROWS, "to test on");
        trainingClass = trainingClasses(training.labels(), testing.labels());
        this.training = survey.fitsIntoMemory() ? MemorySource.load(training) : training;
    }

    private static int[] trainingClasses(Labels known, Labels given) {
        if (known instanceof Labels.Classes trained && given instanceof Labels.Classes tested) {
            return tested.names().stream().mapToInt(trained.names()::indexOf).toArray();
        }
        if (known.getClass() != given.getClass() || known.targets() != given.targets()) {
            throw new BochnerException(
                    "the labels of the test rows are of another kind than those of the training rows");
        }
        return new int[0];
    }

    /** Predicts a block of rows: the index of a class per row, or its numbers. */
    @FunctionalInterface
    private interface Predictor {
        void predict(RowBlock rows, double[] predictions);
    }

    /**
     * A fitted method.
     *
     * @param features the number of features; 0 for methods without a feature map
     * @param bytes the size of the saved model
     */
    private record Fitted(Predictor predictor, int features, long bytes) {}

    /** Fits a method to rows. */
    @FunctionalInterface
    private interface Fit {
        Fitted fit(RowSource rows, Seed seed);
    }

    /**
     * A method to measure.
     *
     * @param settings how it differs from the machine of the comparison; empty if it is no kernel machine
     * @param features the number of features that is asked for; 0 if none is
     * @param mostRows the most rows that it is trained on
     */
    private record Plan(
            String name, String kind, Optional<Map<Setting, Object>> settings, int features, long mostRows) {
        /** A kernel machine that is trained on all rows. */
        static Plan of(String name, String kind, int features, Map<Setting, Object> settings) {
            return new Plan(name, kind, Optional.of(settings), features, Long.MAX_VALUE);
        }

        ComparedMethod leftOut(String reason) {
            double none = Double.NaN;
            return new ComparedMethod(
                    name, kind, settings, features, 0, 0, none, none, none, 0, none, 0, Optional.of(reason));
        }
    }

    /**
     * Runs all methods.
     *
     * @param sizes the numbers of features of maps
     * @param exactRows the most rows of the exact machine
     */
    List<ComparedMethod> run(List<Integer> sizes, List<Peer<?>> peers, int exactRows) {
        List<ComparedMethod> results = new ArrayList<>();
        Plan constant = new Plan("constant", "constant", Optional.empty(), 0, Long.MAX_VALUE);
        results.add(measure(constant, (rows, seed) -> constant(rows)));
        results.add(linear());
        results.addAll(maps(sizes));
        for (int size : sizes) {
            results.add(landmarks(size));
        }
        Plan exact = new Plan("exact", "exact", Optional.of(Map.of(Setting.MAP, FeatureMaps.none())), 0, exactRows);
        results.add(measure(exact, fit(machine.withMap(FeatureMaps.none()))));
        for (Peer<?> peer : peers) {
            results.add(peer(peer));
        }
        return results;
    }

    private ComparedMethod linear() {
        KernelMachine linear =
                KernelMachine.of("linear").withLearner(machine.learner()).withPrecision(machine.precision());
        Map<Setting, Object> settings = new LinkedHashMap<>();
        settings.put(Setting.KERNEL, linear.kernel());
        Scaling given = ModelAccess.settings(machine).scaling;
        Scaling usual = training.sparse() ? Scalings.none() : Scalings.standard();
        if (given == null) {
            settings.put(Setting.SCALING, usual);
        }
        return measure(
                Plan.of("linear", "linear", 0, settings), fit(linear.withScaling(given == null ? usual : given)));
    }

    /**
     * Runs the machine's own map at all sizes, or once if the map itself determines its number of features and therefore
     * refuses every size.
     */
    private List<ComparedMethod> maps(List<Integer> sizes) {
        KernelMachine own = machine.withMap(FeatureMaps.auto());
        List<ComparedMethod> results = new ArrayList<>();
        boolean takesFeatures = false;
        for (int size : sizes) {
            Plan plan = Plan.of("default map " + size, "map", size, Map.of(Setting.FEATURES, size));
            try {
                results.add(train(plan, fit(own.withFeatures(size))));
                takesFeatures = true;
            } catch (SpellingException e) {
                results.add(plan.leftOut(e.problem()));
            } catch (BochnerException e) {
                results.add(plan.leftOut(e.problem()));
                takesFeatures = true;
            }
        }
        return takesFeatures ? results : List.of(measure(Plan.of("default map", "default", 0, Map.of()), fit(own)));
    }

    private ComparedMethod landmarks(int size) {
        MapRecipe map = LandmarkRecipe.of(size, LandmarkChoice.K_MEANS);
        Plan plan = Plan.of("landmarks " + size, "landmarks", size, Map.of(Setting.MAP, map));
        return size > survey.rows
                ? plan.leftOut("there are only " + survey.rows + " training rows")
                : measure(plan, fit(machine.withMap(map)));
    }

    private <M> ComparedMethod peer(Peer<M> peer) {
        Plan plan = new Plan(peer.name(), "peer", Optional.empty(), 0, peer.mostRows());
        Optional<String> refused = peer.refuses(training.labels());
        if (refused.isPresent() || !survey.fitsIntoMemory()) {
            return plan.leftOut(refused.orElse("it needs all training rows in memory; give Java more"));
        }
        return measure(plan, (rows, seed) -> {
            M model = peer(peer, () -> peer.fit(rows, seed, workers));
            Predictor predictor = (block, predictions) -> peer(peer, () -> {
                peer.predict(model, block, predictions);
                return block;
            });
            return new Fitted(predictor, 0, peer(peer, () -> peer.bytes(model)));
        });
    }

    /** Runs the code of another library, which may fail in any way, for example without its native part. */
    private static <T> T peer(Peer<?> peer, Supplier<T> work) {
        try {
            return work.get();
        } catch (BochnerException e) {
            throw e;
        } catch (RuntimeException | LinkageError e) {
            throw new BochnerException(peer.name() + " failed: " + e, e);
        }
    }

    private Fit fit(KernelMachine recipe) {
        return (rows, seed) -> {
            KernelModel model =
                    recipe.withSeed(seed).fit(rows, workers, progress).model();
            MappedRows mapped = model.mapped();
            BlockScorer scorer = model.scorer();
            Predictor predictor = (block, predictions) -> {
                scorer.score(mapped.take(block));
                if (classes) {
                    for (int i = 0; i < block.rows(); i++) {
                        predictions[i] = model.classOf(scorer.scores(), i);
                    }
                } else {
                    System.arraycopy(scorer.scores(), 0, predictions, 0, block.rows() * targets);
                }
            };
            return new Fitted(predictor, model.map().outputDimension(), model.fileBytes());
        };
    }

    /** Fits the most frequent class, or the mean of each number. */
    private Fitted constant(RowSource rows) {
        double[] values = new Survey(rows).constant();
        Predictor predictor = (block, predictions) -> {
            for (int i = 0; i < block.rows() * targets; i++) {
                predictions[i] = values[i % targets];
            }
        };
        return new Fitted(predictor, 0, (long) targets * Double.BYTES);
    }

    /** Trains and tests a method; one that fails is left out. */
    private ComparedMethod measure(Plan plan, Fit fit) {
        try {
            return train(plan, fit);
        } catch (BochnerException e) {
            return plan.leftOut(e.problem());
        }
    }

    /** Trains and tests a method with all seeds. */
    private ComparedMethod train(Plan plan, Fit fit) {
        double[] errors = new double[seeds];
        double testVariance = 0;
        double fitSeconds = 0;
        double predictSeconds = 0;
        long memory = 0;
        long bytes = 0;
        long trained = 0;
        long testRows = 0;
        int made = plan.features;
        for (int s = 0; s < seeds; s++) {
            Seed seed = new Seed(machine.seed().value() + s);
            progress.report("training " + plan.name, 0, Double.NaN);
            RowSource rows = sample(plan.mostRows, seed);
            HeapPeak peak = HeapPeak.start();
            long start = System.nanoTime();
            Fitted fitted = fit.fit(rows, seed);
            fitSeconds += (System.nanoTime() - start) * 1e-9 / seeds;
            memory = Math.max(memory, peak.bytes());
            TestError error = new TestError(classes);
            predictSeconds += test(fitted.predictor(), error) / seeds;
            errors[s] = error.errorOrRmse();
            trained = Math.max(trained, rows == training ? survey.rows : rows.rows());
            testRows = error.rows();
            testVariance += error.variance() / seeds;
            bytes = Math.max(bytes, fitted.bytes());
            made = Math.max(made, fitted.features());
        }
        double mean = Arrays.stream(errors).average().orElse(Double.NaN);
        double betweenSeeds = seeds == 1
                ? 0
                : Arrays.stream(errors).map(e -> (e - mean) * (e - mean)).sum() / (seeds - 1.0) / seeds;
        ComparedMethod method = new ComparedMethod(
                plan.name,
                plan.kind,
                plan.settings.map(settings -> withSample(settings, plan.mostRows)),
                made,
                trained,
                testRows,
                mean,
                Math.sqrt(testVariance + betweenSeeds),
                fitSeconds,
                memory,
                predictSeconds,
                bytes,
                Optional.empty());
        finished.accept(method);
        return method;
    }

    private Map<Setting, Object> withSample(Map<Setting, Object> settings, long mostRows) {
        Map<Setting, Object> all = new LinkedHashMap<>(settings);
        if (mostRows < survey.rows) {
            all.put(Setting.SUBSAMPLE, mostRows);
        }
        return Collections.unmodifiableMap(all);
    }

    /** Returns the training rows, or a sample of {@code most} rows if there are more. */
    private RowSource sample(long most, Seed seed) {
        return survey.rows <= most
                ? training
                : MemorySource.load(Holdout.sample(training, (int) Math.min(most, Integer.MAX_VALUE), seed));
    }

    /** Predicts all test rows, adds their losses and returns the seconds per row. */
    private double test(Predictor predictor, TestError error) {
        double[] predictions = new double[BLOCK_ROWS * targets];
        RowBlockBuilder builder = new RowBlockBuilder();
        long nanos = 0;
        boolean cold = true;
        try (RowCursor cursor = testing.open()) {
            while (cursor.next(builder, BLOCK_ROWS)) {
                RowBlock block = builder.build();
                if (cold) {
                    warmUp(predictor, block, predictions);
                    cold = false;
                }
                long start = PredictionSpeed.nanos();
                predictor.predict(block, predictions);
                nanos += PredictionSpeed.nanos() - start;
                for (int i = 0; i < block.rows(); i++) {
                    error.add(loss(block, i, predictions));
                }
            }
        }
        return nanos * 1e-9 / error.rows();
    }

    /** Repeats a prediction until its code is compiled. */
    private static void warmUp(Predictor predictor, RowBlock block, double[] predictions) {
        long start = System.nanoTime();
        do {
            predictor.predict(block, predictions);
        } while (System.nanoTime() - start < WARM_UP_NANOS);
    }

    private double loss(RowBlock block, int row, double[] predictions) {
        if (classes) {
            double target = block.target(row, 0);
            return !Double.isNaN(target) && trainingClass[(int) target] == (int) predictions[row] ? 0 : 1;
        }
        double sum = 0;
        for (int j = 0; j < targets; j++) {
            double difference = predictions[row * targets + j] - block.target(row, j);
            sum += difference * difference;
        }
        return sum / targets;
    }

    /** The number of rows and values of a source, and the weighted sums of its labels. */
    private static final class Survey {
        private final RowSource source;
        private final boolean classes;
        private final double[] sums;
        private double weight;
        private long rows;
        private long entries;

        Survey(RowSource source) {
            this.source = source;
            classes = source.labels() instanceof Labels.Classes;
            sums = new double
                    [source.labels() instanceof Labels.Classes known
                            ? known.names().size()
                            : source.labels().targets()];
            RowPass.blocks(source, this::add);
        }

        private void add(RowBlock block) {
            rows += block.rows();
            entries += block instanceof SparseRows sparse ? sparse.entries() : (long) block.rows() * block.columns();
            for (int i = 0; i < block.rows(); i++) {
                double own = block.rowWeight(i);
                weight += own;
                if (!classes) {
                    for (int j = 0; j < sums.length; j++) {
                        sums[j] += own * block.target(i, j);
                    }
                } else if (!Double.isNaN(block.target(i, 0))) {
                    sums[(int) block.target(i, 0)] += own;
                }
            }
        }

        void require(int fewest, String purpose) {
            if (rows < fewest) {
                throw new BochnerException(source.name() + ": has " + rows + (rows == 1 ? " row " : " rows ") + purpose
                        + "; a comparison needs at least " + fewest);
            }
        }

        void requireTwoClasses() {
            if (classes && Arrays.stream(sums).filter(sum -> sum > 0).count() < 2) {
                throw new BochnerException(source.name()
                        + ": all training rows are of one class; a comparison needs at least two classes");
            }
        }

        boolean fitsIntoMemory() {
            long bytes = entries * (source.sparse() ? Float.BYTES + Integer.BYTES : Float.BYTES);
            return entries <= MOST_VALUES && MemoryBudget.kept().holds((double) bytes);
        }

        /** Returns the class of the largest weight, or the means of the numbers. */
        double[] constant() {
            if (!classes) {
                return Arrays.stream(sums).map(sum -> sum / weight).toArray();
            }
            int most = 0;
            for (int c = 1; c < sums.length; c++) {
                most = sums[c] > sums[most] ? c : most;
            }
            return new double[] {most};
        }
    }
}
