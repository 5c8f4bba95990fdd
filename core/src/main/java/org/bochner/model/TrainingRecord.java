package org.bochner.model;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.function.Consumer;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.SpellingException;
import org.bochner.base.text.JsonObject;
import org.bochner.data.DataIdentity;
import org.bochner.data.format.IdentityJson;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.learn.CalibrationRecipe;
import org.bochner.learn.Convergence;
import org.bochner.learn.Learner;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapRecipe;
import org.bochner.random.Seed;
import org.bochner.stats.ClassWeighting;
import org.bochner.stats.Components;
import org.jspecify.annotations.Nullable;

/**
 * Everything that determined a model, besides what the model itself holds (kernel with its length-scales, scaling,
 * precision). It is saved with the model and read back.
 *
 * <p>The number of threads and the times are not recorded, and the date is a day (UTC): the same command gives the same
 * bytes. The environment variable {@code SOURCE_DATE_EPOCH}, where set, fixes the day as well.
 *
 * @param data the rows it was trained on
 * @param rows how many rows were learned from
 * @param kernel the kernel as it was asked for, perhaps without length-scales
 * @param map the map recipe that was used
 * @param learner the learner as it was asked for, perhaps without a penalty
 * @param lambda the penalty that was used, as the coefficient of the learner's penalty
 * @param refit the learner that learned the weights again after a sparse learner had chosen the features; null for none
 * @param classWeighting the weights of the classes
 * @param seed the seed of everything random
 * @param components the principal components of the features that were learned from; null for the features themselves
 * @param unlabelled the unlabelled rows that the components were found on too; null for none
 * @param calibration how probabilities were fitted; null where they were not
 * @param channels how the weights of several channels were learned; null for a single kernel
 * @param convergence how the solver ended; null where that was not recorded
 * @param pruning the reductions of the map, oldest first
 * @param version the version of this library
 * @param created the day
 */
public record TrainingRecord(
        DataIdentity data,
        long rows,
        KernelRecipe kernel,
        MapRecipe map,
        Learner learner,
        double lambda,
        @Nullable Learner refit,
        ClassWeighting classWeighting,
        Seed seed,
        @Nullable Components components,
        @Nullable DataIdentity unlabelled,
        @Nullable CalibrationRecipe calibration,
        @Nullable ChannelWeighting channels,
        @Nullable Convergence convergence,
        List<PruningStep> pruning,
        String version,
        LocalDate created) {
    public TrainingRecord {
        pruning = List.copyOf(pruning);
    }

    /**
     * One reduction of a model's map.
     *
     * @param kept the number of units of the map that were kept
     * @param of the number of units before
     * @param unit what the units are: {@code columns}, {@code features} or {@code projections} (a cosine and a sine)
     * @param data the rows that the weights were learned again from; {@link DataIdentity#UNKNOWN} if units without weights
     *     were left out and the other weights did not change
     */
    public record PruningStep(int kept, int of, String unit, DataIdentity data) {
        private static final List<String> UNITS = List.of("columns", "features", "projections");

        public PruningStep {
            Require.that(UNITS.contains(unit), "pruning", "unit must be one of " + UNITS + ", got '" + unit + "'");
        }
    }

    /**
     * How the weights of several channels were learned. The texts are spellings.
     *
     * @param channels the column ranges of the channels
     * @param norm the norm over the channels
     * @param loss the loss and the penalty that were asked for
     * @param lambda the penalty of the norm
     * @param folds the number of folds that the penalty was chosen with
     */
    public record ChannelWeighting(String channels, String norm, String loss, double lambda, int folds) {}

    /** The learner with the penalty that was used. */
    public Learner fittedLearner() {
        return learner.withLambda(lambda);
    }

    /** Returns true if every class had the same total row weight. */
    public boolean balancedClasses() {
        return classWeighting.balanced();
    }

    /** Returns the factors of row weights that were given for some classes, by class name. */
    public Map<String, Double> classWeights() {
        return classWeighting.factors();
    }

    /** Forgets probabilities that belong to other scores. */
    TrainingRecord withoutCalibration() {
        return with(learner, lambda, refit, null, pruning, version, created);
    }

    /**
     * Adds a reduction of the map, which this version makes today.
     *
     * @param learner the learner of the weights that are left
     * @param lambda its penalty
     */
    TrainingRecord withPruning(PruningStep step, Learner learner, double lambda) {
        List<PruningStep> steps = new ArrayList<>(pruning);
        steps.add(step);
        return with(learner, lambda, refit, calibration, steps, libraryVersion(), today());
    }

    private TrainingRecord with(
            Learner learner,
            double lambda,
            @Nullable Learner refit,
            @Nullable CalibrationRecipe calibration,
            List<PruningStep> pruning,
            String version,
            LocalDate created) {
        return new TrainingRecord(
                data,
                rows,
                kernel,
                map,
                learner,
                lambda,
                refit,
                classWeighting,
                seed,
                components,
                unlabelled,
                calibration,
                channels,
                convergence,
                pruning,
                version,
                created);
    }

    /** Returns the fields for JSON; spellings are texts. */
    public Map<String, Object> toJson() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("data", data.toJson());
        map.put("rows", rows);
        map.put("kernel", kernel.toString());
        map.put("map", this.map.toString());
        map.put("learner", learner.toString());
        map.put("lambda", lambda);
        if (refit != null) {
            map.put("refit", refit.toString());
        }
        Map<String, Object> weighting = new LinkedHashMap<>();
        weighting.put("balanced", classWeighting.balanced());
        weighting.put("factors", classWeighting.factors());
        map.put("classWeighting", weighting);
        map.put("seed", seed.value());
        if (components != null) {
            map.put("components", components.toString());
        }
        if (unlabelled != null) {
            map.put("unlabelled", unlabelled.toJson());
        }
        if (calibration != null) {
            map.put("calibration", calibration.toString());
        }
        if (channels != null) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("channels", channels.channels());
            fields.put("norm", channels.norm());
            fields.put("loss", channels.loss());
            fields.put("lambda", channels.lambda());
            fields.put("folds", channels.folds());
            map.put("channels", fields);
        }
        if (convergence != null) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("method", convergence.method());
            fields.put("iterations", convergence.iterations());
            fields.put("objective", convergence.objective());
            fields.put("measure", convergence.measure());
            fields.put("residual", convergence.residual());
            fields.put("tolerance", convergence.tolerance());
            fields.put("end", lower(convergence.end()));
            map.put("convergence", fields);
        }
        List<Map<String, Object>> steps = new ArrayList<>();
        for (PruningStep step : pruning) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("kept", step.kept());
            fields.put("of", step.of());
            fields.put("unit", step.unit());
            fields.put("data", step.data().toJson());
            steps.add(fields);
        }
        map.put("pruning", steps);
        map.put("version", version);
        map.put("created", created.toString());
        return map;
    }

    /**
     * Reads what {@link #toJson} returned.
     *
     * @throws BochnerException if a field is missing, has another type or cannot be parsed
     */
    static TrainingRecord fromJson(JsonObject json) {
        JsonObject weighting = json.object("classWeighting");
        List<PruningStep> steps = new ArrayList<>();
        for (JsonObject step : json.objects("pruning")) {
            steps.add(new PruningStep(
                    step.count("kept"), step.count("of"), step.text("unit"), IdentityJson.read(step.object("data"))));
        }
        return new TrainingRecord(
                IdentityJson.read(json.object("data")),
                json.whole("rows"),
                kernelRecipe(json.text("kernel")),
                mapRecipe(json.text("map")),
                Learner.parse(json.text("learner")),
                json.number("lambda"),
                json.has("refit") ? Learner.parse(json.text("refit")) : null,
                new ClassWeighting(
                        weighting.flag("balanced"), weighting.object("factors").numbers()),
                new Seed(json.integer("seed")),
                json.has("components") ? Components.parse(json.text("components")) : null,
                json.has("unlabelled") ? IdentityJson.read(json.object("unlabelled")) : null,
                json.has("calibration") ? CalibrationRecipe.parse(json.text("calibration")) : null,
                json.has("channels") ? channels(json.object("channels")) : null,
                json.has("convergence") ? convergence(json.object("convergence")) : null,
                steps,
                json.text("version"),
                day(json.text("created")));
    }

    private static ChannelWeighting channels(JsonObject json) {
        return new ChannelWeighting(
                json.text("channels"),
                json.text("norm"),
                json.text("loss"),
                json.number("lambda"),
                json.count("folds"));
    }

    private static Convergence convergence(JsonObject json) {
        return new Convergence(
                json.text("method"),
                json.count("iterations"),
                json.number("objective"),
                json.text("measure"),
                json.number("residual"),
                json.number("tolerance"),
                json.constant("end", Convergence.End.class));
    }

    private static LocalDate day(String text) {
        try {
            return LocalDate.parse(text);
        } catch (DateTimeException e) {
            throw new BochnerException("training.created must be a day, got '" + text + "'", e);
        }
    }

    private static KernelRecipe kernelRecipe(String spelling) {
        try {
            return Kernels.recipe(spelling);
        } catch (SpellingException e) {
            throw new BochnerException(
                    "it was trained with the kernel '" + spelling + "', which this program does not know. If it is a"
                            + " kernel of your own, put its KernelFamily on the class path and name the class in"
                            + " META-INF/services/org.bochner.kernel.KernelFamily",
                    e);
        }
    }

    private static MapRecipe mapRecipe(String spelling) {
        try {
            return FeatureMaps.parse(spelling);
        } catch (SpellingException e) {
            return new ForeignRecipe(spelling);
        }
    }

    /** The recipe of a map that was given as an object: the model holds the map, but its recipe has no spelling. */
    private record ForeignRecipe(String name) implements MapRecipe {
        @Override
        public FeatureMap build(
                Kernel kernel, RowSample rows, OptionalInt features, Seed seed, Consumer<String> notes) {
            throw new BochnerException("the map recipe '" + name + "' has no spelling, so it cannot be built again");
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** Today, or the day that {@code SOURCE_DATE_EPOCH} names. */
    public static LocalDate today() {
        String epoch = System.getenv("SOURCE_DATE_EPOCH");
        if (epoch != null && epoch.matches("\\d{1,11}")) {
            return Instant.ofEpochSecond(Long.parseLong(epoch))
                    .atZone(ZoneOffset.UTC)
                    .toLocalDate();
        }
        return LocalDate.now(ZoneOffset.UTC);
    }

    /** The version of this library, as its build recorded it. */
    public static String libraryVersion() {
        try (InputStream in = TrainingRecord.class.getResourceAsStream("/org/bochner/version.properties")) {
            Properties properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return properties.getProperty("version", "unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
