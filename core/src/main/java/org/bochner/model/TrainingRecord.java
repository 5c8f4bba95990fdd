package org.bochner.model;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.bochner.base.Require;
import org.bochner.base.text.JsonFields;
import org.bochner.data.DataIdentity;
import org.bochner.kernel.KernelRecipe;
import org.bochner.learn.CalibrationRecipe;
import org.bochner.learn.Convergence;
import org.bochner.learn.Learner;
import org.bochner.map.MapRecipe;
import org.bochner.random.Seed;
import org.bochner.stats.ClassWeighting;
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
 * @param balancedClasses whether every class had the same total row weight
 * @param classWeights the factors of row weights that were given for some classes, by class name
 * @param seed the seed of everything random
 * @param components the number of principal components that were learned from, or their share of the variance, as a
 *     spelling; null for the features themselves
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
        boolean balancedClasses,
        Map<String, Double> classWeights,
        Seed seed,
        @Nullable String components,
        @Nullable DataIdentity unlabelled,
        @Nullable CalibrationRecipe calibration,
        @Nullable ChannelWeighting channels,
        @Nullable Convergence convergence,
        List<PruningStep> pruning,
        String version,
        LocalDate created) {
    public TrainingRecord {
        classWeights = new ClassWeighting(balancedClasses, classWeights).factors();
        pruning = List.copyOf(pruning);
    }

    /**
     * One reduction of a model's map.
     *
     * @param kept the number of units of the map that were kept
     * @param of the number of units before
     * @param unit what the units are: {@code columns}, {@code features} or {@code projections} (a cosine and a sine)
     * @param data the rows that the weights were learned again from; {@link DataIdentity#UNKNOWN} if units without
     *     weights were left out and the other weights did not change
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
    public TrainingRecord withPruning(PruningStep step, Learner learner, double lambda) {
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
                balancedClasses,
                classWeights,
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
        Map<String, Object> map = JsonFields.of(
                "data", data.toJson(),
                "rows", rows,
                "kernel", kernel.toString(),
                "map", this.map.toString(),
                "learner", learner.toString(),
                "lambda", lambda);
        putPresent(map, "refit", refit == null ? null : refit.toString());
        map.put("classWeighting", JsonFields.of("balanced", balancedClasses, "factors", classWeights));
        map.put("seed", seed.value());
        putPresent(map, "components", components);
        putPresent(map, "unlabelled", unlabelled == null ? null : unlabelled.toJson());
        putPresent(map, "calibration", calibration == null ? null : calibration.toString());
        putPresent(map, "channels", channels == null ? null : toJson(channels));
        putPresent(map, "convergence", convergence == null ? null : toJson(convergence));
        map.put(
                "pruning",
                pruning.stream()
                        .map(step -> JsonFields.of(
                                "kept", step.kept(),
                                "of", step.of(),
                                "unit", step.unit(),
                                "data", step.data().toJson()))
                        .toList());
        map.put("version", version);
        map.put("created", created.toString());
        return map;
    }

    private static void putPresent(Map<String, Object> map, String name, @Nullable Object value) {
        if (value != null) {
            map.put(name, value);
        }
    }

    private static Map<String, Object> toJson(ChannelWeighting channels) {
        return JsonFields.of(
                "channels", channels.channels(),
                "norm", channels.norm(),
                "loss", channels.loss(),
                "lambda", channels.lambda(),
                "folds", channels.folds());
    }

    private static Map<String, Object> toJson(Convergence convergence) {
        return JsonFields.of(
                "method", convergence.method(),
                "iterations", convergence.iterations(),
                "objective", convergence.objective(),
                "measure", convergence.measure(),
                "residual", convergence.residual(),
                "tolerance", convergence.tolerance(),
                "end", lower(convergence.end()));
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
