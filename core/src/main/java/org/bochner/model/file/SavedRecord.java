package org.bochner.model.file;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.bochner.base.BochnerException;
import org.bochner.base.SpellingException;
import org.bochner.base.text.JsonObject;
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
import org.bochner.model.TrainingRecord;
import org.bochner.random.Seed;
import org.bochner.stats.Components;

/** Reads the training record of a model file. */
public final class SavedRecord {
    private SavedRecord() {}

    /**
     * Reads a record from the fields that {@link TrainingRecord#toJson} returned.
     *
     * @throws BochnerException if a field is missing, has another type or cannot be parsed
     */
    public static TrainingRecord read(JsonObject json) {
        JsonObject weighting = json.object("classWeighting");
        List<TrainingRecord.PruningStep> steps = new ArrayList<>();
        for (JsonObject step : json.objects("pruning")) {
            steps.add(new TrainingRecord.PruningStep(
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
                weighting.flag("balanced"),
                weighting.object("factors").numbers(),
                new Seed(json.integer("seed")),
                json.has("components")
                        ? Components.parse(json.text("components")).toString()
                        : null,
                json.has("unlabelled") ? IdentityJson.read(json.object("unlabelled")) : null,
                json.has("calibration") ? CalibrationRecipe.parse(json.text("calibration")) : null,
                json.has("channels") ? channels(json.object("channels")) : null,
                json.has("convergence") ? convergence(json.object("convergence")) : null,
                steps,
                json.text("version"),
                day(json.text("created")));
    }

    private static TrainingRecord.ChannelWeighting channels(JsonObject json) {
        return new TrainingRecord.ChannelWeighting(
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
}
