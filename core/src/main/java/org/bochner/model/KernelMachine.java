package org.bochner.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.RowException;
import org.bochner.base.Spelling;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.ZeroRows;
import org.bochner.kernel.Domain;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.learn.Ridge;
import org.bochner.learn.RidgeFit;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapRecipe;
import org.bochner.numeric.Blas;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scaling;
import org.bochner.scale.ScalingBuffer;
import org.bochner.scale.Scalings;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.Statistics;
import org.jspecify.annotations.Nullable;

/**
 * The recipe of a {@link KernelModel}: kernel, map, number of features, scaling, learner, seed. Immutable; change it
 * with the {@code with} methods, then {@link #fit} it to a source.
 *
 * <pre>{@code
 * KernelModel model = KernelMachine.of("gaussian")
 *         .withFeatures(2000)
 *         .fit(DataFiles.open(DataOptions.of("train.csv")))
 *         .model();
 * }</pre>
 *
 * <p>A fit reads the source once for a scaling that has to be fitted, once for a bandwidth that has to be found, and once
 * for the statistics. Memory does not depend on the number of rows; only where sparse rows have sparse features, and
 * more features than there are rows, these are kept, because that takes less.
 */
public final class KernelMachine {
    private final KernelRecipe kernel;
    private final MapRecipe map;
    private final OptionalInt features;
    private final @Nullable Scaling scaling;
    private final Ridge ridge;
    private final boolean balanced;
    private final Precision precision;
    private final Seed seed;

    private KernelMachine(
            KernelRecipe kernel,
            MapRecipe map,
            OptionalInt features,
            @Nullable Scaling scaling,
            Ridge ridge,
            boolean balanced,
            Precision precision,
            Seed seed) {
        this.kernel = kernel;
        this.map = map;
        features.ifPresent(count -> Require.atLeast("KernelMachine", "features", count, 1));
        this.features = features;
        this.scaling = scaling;
        this.ridge = ridge;
        this.balanced = balanced;
        this.precision = precision;
        this.seed = seed;
    }

    /** A machine with this kernel, and everything else chosen by default: 1000 features, where a map can make any number. */
    public static KernelMachine of(String kernel) {
        return of(Kernels.recipe(kernel));
    }

    /** The same for a kernel that was read already. */
    public static KernelMachine of(KernelRecipe kernel) {
        return new KernelMachine(
                kernel,
                FeatureMaps.parse("auto"),
                OptionalInt.empty(),
                null,
                Ridge.auto(),
                false,
                Precision.FLOAT32,
                new Seed(1));
    }

    public KernelMachine withMap(MapRecipe map) {
        return new KernelMachine(kernel, map, features, scaling, ridge, balanced, precision, seed);
    }

    /** Makes so many features; for maps that can make any number. */
    public KernelMachine withFeatures(int features) {
        return new KernelMachine(kernel, map, OptionalInt.of(features), scaling, ridge, balanced, precision, seed);
    }

    /**
     * Scales the rows so. Without this, rows are standardised if they are dense, a bandwidth has to be found and the
     * kernel takes any values, and left alone otherwise: a bandwidth or a period that was given is in the units of the
     * data, and histograms and warps need the values as they are.
     */
    public KernelMachine withScaling(Scaling scaling) {
        return new KernelMachine(kernel, map, features, scaling, ridge, balanced, precision, seed);
    }

    public KernelMachine withRidge(Ridge ridge) {
        return new KernelMachine(kernel, map, features, scaling, ridge, balanced, precision, seed);
    }

    /** Gives every class the same total weight. */
    public KernelMachine withBalancedClasses(boolean balanced) {
        return new KernelMachine(kernel, map, features, scaling, ridge, balanced, precision, seed);
    }

    public KernelMachine withPrecision(Precision precision) {
        return new KernelMachine(kernel, map, features, scaling, ridge, balanced, precision, seed);
    }

    public KernelMachine withSeed(Seed seed) {
        return new KernelMachine(kernel, map, features, scaling, ridge, balanced, precision, seed);
    }

    /** Fits on all processors, telling nobody. */
    public Trained fit(RowSource source) {
        return fit(source, Workers.all(), Progress.NONE);
    }

    /** Fits the machine. */
    public Trained fit(RowSource source, Workers workers, Progress progress) {
        return new Fitting(source, workers, progress).run();
    }

    /**
     * Fits scaling and map only.
     *
     * @param notes receives sentences on choices that were made, such as a bandwidth
     */
    public Transformer prepare(RowSource source, Workers workers, Progress progress, List<String> notes) {
        Fitting fitting = new Fitting(source, workers, progress);
        Transformer transformer = fitting.prepare();
        notes.addAll(fitting.notes);
        return transformer;
    }

    /**
     * Fails, saying how much it needs, if the features do not fit the memory of this process whatever the data are: to be
     * asked before data are read. A fit asks again, knowing their width and what the map makes of them.
     */
    public void requireMemory(Workers workers) {
        if (features.isPresent()) {
            requireMemory(map, features.getAsInt(), 1, 1, workers, precision, "");
        }
    }

    /**
     * Returns the memory needed, or fails.
     *
     * @param otherwise what the failure says of another way to learn, in parentheses after a space, or nothing
     */
    private static long requireMemory(
            MapRecipe map, int features, int columns, int targets, Workers workers, Precision used, String otherwise) {
        long needed = bytesNeeded(map, features, columns, targets, workers, used);
        long allowed = Runtime.getRuntime().maxMemory();
        if (needed > 0.95 * allowed) {
            int low = 0;
            int high = features;
            while (low + 1 < high) {
                int middle = (low + high) >>> 1;
                if (bytesNeeded(map, middle, columns, targets, workers, used) > 0.95 * allowed) {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            throw new BochnerException(String.format(
                    Locale.ROOT,
                    "%d features need %s of memory%s, and this process may use %s; %s give the JVM more"
                            + " memory (-Xmx, which BOCHNER_OPTS passes on)",
                    features,
                    gigabytes(needed),
                    otherwise,
                    gigabytes(allowed),
                    low < 2 ? "so wide rows need another map, or" : "use at most " + low / 2 * 2 + " features, or"));
        }
        return needed;
    }

    private static long bytesNeeded(
            MapRecipe map, int features, int columns, int targets, Workers workers, Precision used) {
        // In doubles, whose cast keeps to the largest long where the sum would overflow.
        return (long) (GramAccumulator.bytesNeeded(features, targets, workers.threads(), used)
                + map.bytesNeeded(columns, features));
    }

    /** One run; its fields are what the stages hand on. */
    private final class Fitting {
        private final ZeroRows source;
        private final Workers workers;
        private final Progress progress;
        private final List<String> notes = new ArrayList<>();
        private MapRecipe chosen = map;

        Fitting(RowSource source, Workers workers, Progress progress) {
            this.source = new ZeroRows(source);
            this.workers = workers;
            this.progress = progress;
        }

        Trained run() {
            checkLabels();
            if (features.isPresent()) {
                checkMemory(features.getAsInt(), precision, "");
            }
            long preparing = System.nanoTime();
            Transformer transformer = prepare();
            double prepareSeconds = (System.nanoTime() - preparing) * 1e-9;
            Scaler scaler = transformer.scaler();
            FeatureMap featureMap = transformer.map();
            Kernel fitted = featureMap.kernel();
            ClassWeights weights = classWeights();
            DualPass dual = new DualPass(source, transformer, workers);
            boolean inDual = dual.isSmaller(notes);
            String otherwise = dual.otherwise();
            Precision used = precision;
            long bytes = inDual ? dual.requireMemory() : checkMemory(featureMap.outputDimension(), used, otherwise);
            // Loaded now, if it was not before, so that the times below are those of the work.
            Blas.get();
            long start = System.nanoTime();
            GramPass primal = new GramPass(source, transformer, workers);
            Statistics statistics = inDual ? dual.run(weights, progress) : primal.run(weights, used, progress);
            bytes = inDual ? dual.bytesNeeded() : bytes;
            long solving = System.nanoTime();
            if (!inDual && used == Precision.FLOAT32 && tooCoarse(statistics)) {
                used = Precision.FLOAT64;
                bytes = checkMemory(featureMap.outputDimension(), used, otherwise);
                statistics = primal.run(weights, used, progress);
                solving = System.nanoTime();
            }
            noteZeroRows(scaler, fitted);
            progress.report("solving", statistics.rows(), Double.NaN);
            RidgeFit fit = ridge.fit(statistics, inDual ? Precision.FLOAT64 : used, workers);
            long end = System.nanoTime();
            KernelModel model = new KernelModel(
                    scaler,
                    featureMap,
                    fit.model(),
                    source.labels(),
                    used,
                    source.encoding(),
                    provenance(transformer, fit, statistics.rows(), used));
            TrainingReport report = new TrainingReport(
                    statistics.rows(),
                    fitted,
                    chosen.toString(),
                    fit,
                    notes,
                    prepareSeconds,
                    (end - start) * 1e-9,
                    (inDual ? dual.mapNanos() : primal.mapNanos()) * 1e-9 / workers.threads(),
                    (inDual ? dual.productNanos() : primal.productNanos()) * 1e-9 / workers.threads(),
                    (end - solving) * 1e-9,
                    bytes);
            return new Trained(model, report);
        }

        Transformer prepare() {
            kernel.requireColumns(source);
            Scaler scaler = scaling().fit(source, workers);
            boolean look = kernel.needsData() || map.needsData(kernel.complete());
            RowSample rows = look ? sample(scaler) : RowSample.none(source.columns());
            Kernel fitted = kernel.needsData() ? kernel.fit(rows) : kernel.complete();
            if (kernel.needsData()) {
                notes.add("scale taken from the data, measured on sampled rows: " + fitted);
            }
            progress.report("making the map", 0, Double.NaN);
            chosen = map.chosen(fitted, rows, features, notes::add);
            return new Transformer(scaler, chosen.build(fitted, rows, features, seed.derive("map"), notes::add));
        }

        private RowSample sample(Scaler scaler) {
            progress.report("measuring distances", 0, Double.NaN);
            ScalingBuffer buffer = new ScalingBuffer();
            Kernel anyScale = kernel.withUnitScales();
            try {
                return RowSample.of(
                        source,
                        rows -> {
                            RowBlock scaled = scaler.apply(rows, buffer);
                            new Domain(anyScale, scaled).check();
                            return scaled;
                        },
                        RowSample.DEFAULT_ROWS,
                        seed.derive("bandwidth"));
            } catch (RowException e) {
                throw e.in(source.name(), scaler.scaling().toString());
            }
        }

        private void checkLabels() {
            if (source.labels() instanceof Labels.None) {
                throw new BochnerException(source.name()
                        + ": has no labels to learn from; --label COLUMN or --labels FILE says where they are");
            }
            if (source.labels() instanceof Labels.Classes classes
                    && classes.names().size() < 2) {
                throw new BochnerException(source.name() + ": all rows are of one class, "
                        + String.join(", ", classes.names()) + "; there is nothing to tell apart");
            }
        }

        private Scaling scaling() {
            if (scaling != null) {
                return scaling;
            }
            boolean standard =
                    kernel.needsData() && kernel.takesAnyValue() && kernel.takesAnyUnit() && !source.sparse();
            if (standard) {
                notes.add("columns were standardised, because the bandwidth comes from the data");
            }
            return Scalings.parse(standard ? "standard" : "none");
        }

        private long checkMemory(int features, Precision used, String otherwise) {
            int targets = DualPass.targets(source.labels());
            return requireMemory(chosen, features, source.columns(), targets, workers, used, otherwise);
        }

        private ClassWeights classWeights() {
            if (!balanced) {
                return ClassWeights.none();
            }
            if (!(source.labels() instanceof Labels.Classes classes)) {
                throw new BochnerException("balanced class weights need classes; " + source.name() + " has numbers");
            }
            long[] counts = new long[classes.names().size()];
            try (RowCursor cursor = source.open()) {
                RowBlockBuilder builder = new RowBlockBuilder();
                while (cursor.next(builder, KernelModel.BLOCK_ROWS)) {
                    RowBlock rows = builder.build();
                    for (int i = 0; i < rows.rows(); i++) {
                        // Those of no known class are refused, with their place, when the statistics are made.
                        if (rows.target(i, 0) >= 0) {
                            counts[(int) rows.target(i, 0)]++;
                        }
                    }
                }
            }
            return ClassWeights.balanced(counts);
        }

        /**
         * Rows of zeros are allowed; where they stay zero, and are without a norm or equal to nothing, that should be known.
         */
        private void noteZeroRows(Scaler scaler, Kernel fitted) {
            if (source.count() == 0 || !scaler.keepsZeros()) {
                return;
            }
            double[] zeros = new double[source.columns()];
            if (scaler.scaling().normalises() || fitted.value(zeros, zeros) == 0) {
                notes.add("all-zero rows: " + source.count() + " (first: row " + (source.first() + 1)
                        + " of those trained on); they stay zero, and the model gives all of them the same answer");
            }
        }

        private boolean tooCoarse(Statistics statistics) {
            double smallest = Ridge.smallestLambda(statistics, Precision.FLOAT32);
            if (ridge.isAuto() || ridge.lambda() >= smallest) {
                return false;
            }
            notes.add("lambda=" + Spelling.print(ridge.lambda()) + " is below " + Spelling.print(smallest)
                    + ", where the rounding of float32 statistics starts to matter: computed in float64 instead");
            return true;
        }

        private Provenance provenance(Transformer transformer, RidgeFit fit, long rows, Precision used) {
            Map<String, String> entries = new LinkedHashMap<>(source.provenance());
            entries.put("rows", Long.toString(rows));
            entries.put("kernel", transformer.map().kernel().toString());
            entries.put("kernel asked for", kernel.toString());
            entries.put("map", chosen.toString());
            entries.put("features", Integer.toString(transformer.map().outputDimension()));
            entries.put("scaling", transformer.scaler().toString());
            entries.put("learner", ridge.toString());
            entries.put("lambda", Spelling.print(fit.chosen().lambda()));
            entries.put("class weights", balanced ? "balanced" : "none");
            entries.put("precision", used.name().toLowerCase(Locale.ROOT));
            entries.put("seed", Long.toString(seed.value()));
            entries.put("bochner", Provenance.version());
            entries.put("created", Provenance.today());
            return Provenance.of(entries);
        }
    }

    static String gigabytes(long bytes) {
        return String.format(Locale.ROOT, "%.2f GB", bytes * 1e-9);
    }
}
