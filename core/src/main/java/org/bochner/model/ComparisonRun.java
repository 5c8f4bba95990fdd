package org.bochner.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.bochner.base.BochnerException;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
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

    /** The number of rows of an exact machine, whose memory grows with their square. */
    private static final long EXACT_ROWS = 5000;

    private static final long WARM_UP_NANOS = 50_000_000;

    /** The largest number of values of an array, with room for the header. */
    private static final long MOST_VALUES = Integer.MAX_VALUE - 8;

    private final KernelMachine machine;
    private final RowSource testing;
    private final int seeds;
    private final Workers workers;
    private final Progress progress;
    private final boolean classes;
    private final int targets;
    private final Survey survey;
    private final RowSource training;
    /** The index in the training labels of each class of the test rows; −1 if it is not among them. */
    private final int[] trainingClass;

    ComparisonRun(
            KernelMachine machine,
            RowSource training,
            RowSource testing,
            int seeds,
            Workers workers,
            Progress progress) {
        this.machine = machine;
        this.testing = testing;
        this.seeds = seeds;
        this.workers = workers;
        this.progress = progress;
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
     * Runs all methods.
     *
     * @param sizes the numbers of features of maps
     */
    List<ComparedMethod> run(List<Integer> sizes, List<Peer<?>> peers) {
        List<ComparedMethod> results = new ArrayList<>();
        results.add(measure("constant", "constant", 0, Long.MAX_VALUE, (rows, seed) -> constant(rows)));
        Scaling given = ModelAccess.settings(machine).scaling;
        Scaling usual = training.sparse() ? Scalings.none() : Scalings.standard();
        KernelMachine linear = KernelMachine.of("linear")
                .withLearner(machine.learner())
                .withPrecision(machine.precision())
                .withScaling(given == null ? usual : given);
        results.add(measure("linear", "linear", 0, Long.MAX_VALUE, fit(linear)));
        results.addAll(maps(sizes));
        for (int size : sizes) {
            results.add(landmarks(size));
        }
        results.add(measure("exact", "exact", 0, EXACT_ROWS, fit(machine.withMap("none"))));
        for (Peer<?> peer : peers) {
            results.add(peer(peer));
        }
        return results;
    }

    /** Runs the machine's own map at all sizes, or once if the map itself determines its number of features. */
    private List<ComparedMethod> maps(List<Integer> sizes) {
        KernelMachine own = machine.withMap("auto");
        List<ComparedMethod> results = sizes.stream()
                .map(size -> measure("default map, " + size, "map", size, Long.MAX_VALUE, fit(own.withFeatures(size))))
                .toList();
        return results.stream().anyMatch(ComparedMethod::measured)
                ? results
                : List.of(measure("default map", "default", 0, Long.MAX_VALUE, fit(own)));
    }

    private ComparedMethod landmarks(int size) {
        String name = "landmarks, " + size;
        if (size > survey.rows) {
            return leftOut(name, "landmarks", size, "there are only " + survey.rows + " training rows");
        }
        KernelMachine landmarks = machine.withMap("landmarks(features=" + size + ", by=k-means)");
        return measure(name, "landmarks", size, Long.MAX_VALUE, fit(landmarks));
    }

    private <M> ComparedMethod peer(Peer<M> peer) {
        Optional<String> refused = peer.refuses(training.labels());
        if (refused.isPresent() || !survey.fitsIntoMemory()) {
            return leftOut(
                    peer.name(), "peer", 0, refused.orElse("it needs all training rows in memory; give Java more"));
        }
        return measure(peer.name(), "peer", 0, peer.mostRows(), (rows, seed) -> {
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
            double[][] scores = new double[1][0];
            Predictor predictor = (block, predictions) -> {
                scores[0] = model.score(mapped.take(block), scores[0]);
                if (classes) {
                    for (int i = 0; i < block.rows(); i++) {
                        predictions[i] = model.classOf(scores[0], i);
                    }
                } else {
                    System.arraycopy(scores[0], 0, predictions, 0, block.rows() * targets);
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

    private static ComparedMethod leftOut(String name, String kind, int features, String reason) {
        double none = Double.NaN;
        return new ComparedMethod(name, kind, features, 0, 0, none, none, none, 0, none, 0, Optional.of(reason));
    }

    private ComparedMethod measure(String name, String kind, int features, long mostRows, Fit fit) {
        double[] errors = new double[seeds];
        double testVariance = 0;
        double fitSeconds = 0;
        double predictSeconds = 0;
        long memory = 0;
        long bytes = 0;
        long testRows = 0;
        int made = features;
        for (int s = 0; s < seeds; s++) {
            Seed seed = new Seed(machine.seed().value() + s);
            progress.report("training " + name, 0, Double.NaN);
            RowSource rows = sample(mostRows, seed);
            try {
                HeapPeak peak = HeapPeak.start();
                long start = System.nanoTime();
                Fitted fitted = fit.fit(rows, seed);
                fitSeconds += (System.nanoTime() - start) * 1e-9 / seeds;
                memory = Math.max(memory, peak.bytes());
                TestError error = new TestError(classes);
                predictSeconds += test(fitted.predictor(), error) / seeds;
                errors[s] = error.errorOrRmse();
                testRows = error.rows();
                testVariance += error.variance() / seeds;
                bytes = Math.max(bytes, fitted.bytes());
                made = Math.max(made, fitted.features());
            } catch (BochnerException e) {
                return leftOut(name, kind, features, e.problem());
            }
        }
        double mean = Arrays.stream(errors).average().orElse(Double.NaN);
        double betweenSeeds = seeds == 1
                ? 0
                : Arrays.stream(errors).map(e -> (e - mean) * (e - mean)).sum() / (seeds - 1.0) / seeds;
        double error = Math.sqrt(testVariance + betweenSeeds);
        long trained = Math.min(mostRows, survey.rows);
        Optional<String> none = Optional.empty();
        return new ComparedMethod(
                name, kind, made, trained, testRows, mean, error, fitSeconds, memory, predictSeconds, bytes, none);
    }

    /** Returns the training rows, or a sample of exactly {@code most} rows if there are more. */
    private RowSource sample(long most, Seed seed) {
        if (survey.rows <= most) {
            return training;
        }
        Seed own = seed.derive("comparison sample");
        long[] drawn = new long[Math.toIntExact(survey.rows)];
        Arrays.setAll(drawn, row -> own.derive((long) row).value());
        Arrays.sort(drawn);
        long bound = drawn[(int) most];
        return MemorySource.load(training, row -> own.derive(row).value() < bound);
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
            RowBlockBuilder builder = new RowBlockBuilder();
            try (RowCursor cursor = source.open()) {
                while (cursor.next(builder, BLOCK_ROWS)) {
                    add(builder.build());
                }
            }
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
