package org.bochner.model.file;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.SpellingException;
import org.bochner.base.text.JsonFields;
import org.bochner.base.text.JsonObject;
import org.bochner.data.ColumnNames;
import org.bochner.data.ColumnRange;
import org.bochner.data.DataIdentity;
import org.bochner.data.format.IdentityJson;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.Kernels;
import org.bochner.learn.CalibrationRecipe;
import org.bochner.learn.Convergence;
import org.bochner.learn.Learner;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapRecipe;
import org.bochner.model.TrainingRecord;
import org.bochner.random.Seed;
import org.bochner.stats.Components;
import org.jspecify.annotations.Nullable;

/** Writes and reads the training record of a model file as JSON. */
public final class SavedRecord {
    private SavedRecord() {}

    /** Returns the fields of a record; spellings are texts. */
    public static Map<String, Object> write(TrainingRecord record) {
        DataIdentity unlabelled = record.unlabelled();
        TrainingRecord.ChannelWeighting channels = record.channels();
        Convergence convergence = record.convergence();
        Map<String, Object> weighting =
                JsonFields.of("balanced", record.balancedClasses(), "factors", record.classWeights());
        return JsonFields.of(
                "data", record.data().toJson(),
                "rows", record.rows(),
                "kernel", record.kernel().toString(),
                "map", record.map().toString(),
                // Present if the map recipe was given as an object and has no spelling.
                "ownMap", hasSpelling(record.map()) ? null : true,
                "learner", text(record.learner()),
                "lambda", record.learner() == null ? null : record.lambda(),
                // Present if the model only maps rows.
                "mapOnly", (record.learner() == null && record.components() == null) ? true : null,
                "refit", text(record.refit()),
                "classWeighting", weighting,
                "seed", record.seed().value(),
                "components", record.components(),
                "unlabelled", unlabelled == null ? null : unlabelled.toJson(),
                "calibration", text(record.calibration()),
                "kernelSearch", record.kernelSearch(),
                "channels", channels == null ? null : write(channels),
                "convergence", convergence == null ? null : write(convergence),
                "pruning", record.pruning().stream().map(SavedRecord::write).toList(),
                "version", record.version(),
                "created", record.created().toString());
    }

    private static @Nullable String text(@Nullable Object spelled) {
        return spelled == null ? null : spelled.toString();
    }

    private static Map<String, Object> write(TrainingRecord.PruningStep step) {
        return JsonFields.of(
                "kept", step.kept(),
                "of", step.of(),
                "unit", step.unit().toString(),
                "data", step.data().toJson());
    }

    private static Map<String, Object> write(TrainingRecord.ChannelWeighting channels) {
        String ranges = channels.channels().stream().map(ColumnRange::toString).collect(Collectors.joining(","));
        return JsonFields.of(
                "channels",
                ranges,
                "norm",
                channels.norm(),
                "loss",
                channels.loss(),
                "lambda",
                channels.lambda(),
                "folds",
                channels.folds(),
                "plain",
                channels.plain(),
                // Present if they are set.
                "joint",
                channels.joint() ? true : null,
                "scaleL2",
                channels.scaleL2() == 0 ? null : channels.scaleL2(),
                "scalePrior",
                channels.scalePrior() == 0 ? null : channels.scalePrior(),
                "initialKernel",
                text(channels.initialKernel()),
                "features",
                channels.features());
    }

    private static Map<String, Object> write(Convergence convergence) {
        return JsonFields.of(
                "method", convergence.method(),
                "iterations", convergence.iterations(),
                "objective", convergence.objective(),
                "measure", convergence.measure(),
                "residual", convergence.residual(),
                "tolerance", convergence.tolerance(),
                "end", convergence.end().name().toLowerCase(Locale.ROOT));
    }

    /**
     * Reads a record from the fields that {@link #write} returned.
     *
     * @throws BochnerException if a field is missing, has another type or cannot be parsed
     */
    public static TrainingRecord read(JsonObject json) {
        JsonObject weighting = json.object("classWeighting");
        boolean maps = json.has("components") || (json.has("mapOnly") && json.flag("mapOnly"));
        boolean unlearned = maps && !json.has("learner") && !json.has("lambda");
        List<TrainingRecord.PruningStep> steps = new ArrayList<>();
        for (JsonObject step : json.objects("pruning")) {
            steps.add(new TrainingRecord.PruningStep(
                    step.count("kept"),
                    step.count("of"),
                    step.constant("unit", TrainingRecord.MapUnit.class),
                    IdentityJson.read(step.object("data"))));
        }
        return new TrainingRecord(
                IdentityJson.read(json.object("data")),
                json.whole("rows"),
                kernelRecipe(json.text("kernel")),
                mapRecipe(json.text("map"), json.has("ownMap") && json.flag("ownMap")),
                unlearned ? null : Learner.parse(json.text("learner")),
                unlearned ? Double.NaN : json.number("lambda"),
                json.has("refit") ? Learner.parse(json.text("refit")) : null,
                weighting.flag("balanced"),
                weighting.object("factors").numbers(),
                new Seed(json.integer("seed")),
                json.has("components")
                        ? Components.parse(json.text("components")).toString()
                        : null,
                json.has("unlabelled") ? IdentityJson.read(json.object("unlabelled")) : null,
                json.has("calibration") ? CalibrationRecipe.parse(json.text("calibration")) : null,
                json.has("kernelSearch") ? json.text("kernelSearch") : null,
                json.has("channels") ? channels(json.object("channels")) : null,
                json.has("convergence") ? convergence(json.object("convergence")) : null,
                steps,
                json.text("version"),
                day(json.text("created")));
    }

    private static TrainingRecord.ChannelWeighting channels(JsonObject json) {
        return new TrainingRecord.ChannelWeighting(
                ColumnNames.none().channels(json.text("channels")),
                json.text("norm"),
                json.text("loss"),
                json.number("lambda"),
                json.count("folds"),
                // The first versions with plain solutions did not save the kind.
                json.has("plain") ? (Boolean) json.flag("plain") : null,
                json.has("joint") && json.flag("joint"),
                json.has("scaleL2") ? json.number("scaleL2") : 0,
                json.has("scalePrior") ? json.number("scalePrior") : 0,
                json.has("initialKernel") ? kernelRecipe(json.text("initialKernel")) : null,
                json.has("features") ? (Integer) json.count("features") : null);
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

    /** Parses the spelling of a map recipe; a recipe that was given as an object has none. */
    private static MapRecipe mapRecipe(String text, boolean own) {
        if (own) {
            return new ForeignRecipe(text);
        }
        try {
            return FeatureMaps.parse(text);
        } catch (SpellingException e) {
            throw new BochnerException(
                    "it was trained with the map '" + text + "', which this program does not know: " + e.problem(), e);
        }
    }

    private static boolean hasSpelling(MapRecipe map) {
        try {
            FeatureMaps.parse(map.toString());
            return true;
        } catch (SpellingException e) {
            return false;
        }
    }

    /** Returns today, or the day of the environment variable {@code SOURCE_DATE_EPOCH}. */
    public static LocalDate today() {
        return day(Optional.ofNullable(System.getenv("SOURCE_DATE_EPOCH")));
    }

    /**
     * Returns today, or the day of a given time.
     *
     * @param epoch seconds since 1970
     */
    static LocalDate day(Optional<String> epoch) {
        if (epoch.isEmpty()) {
            return LocalDate.now(ZoneOffset.UTC);
        }
        if (!epoch.get().matches("\\d{1,11}")) {
            throw new BochnerException(
                    "SOURCE_DATE_EPOCH must be a number of seconds since 1970, got '" + epoch.get() + "'",
                    Remedy.advice("write digits only, as 1700000000, or unset it to record today"));
        }
        return Instant.ofEpochSecond(Long.parseLong(epoch.get()))
                .atZone(ZoneOffset.UTC)
                .toLocalDate();
    }
}
