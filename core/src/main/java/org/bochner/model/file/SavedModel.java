package org.bochner.model.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bochner.base.BochnerException;
import org.bochner.base.Json;
import org.bochner.base.Remedy;
import org.bochner.base.State;
import org.bochner.base.text.JsonObject;
import org.bochner.data.Encoding;
import org.bochner.data.Labels;
import org.bochner.learn.calibrate.Calibration;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.ScoreAxes;
import org.bochner.learn.uncertainty.Uncertainty;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapLoader;
import org.bochner.model.TrainingRecord;
import org.bochner.model.Transformer;
import org.bochner.numeric.Precision;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scalings;
import org.jspecify.annotations.Nullable;

/** The saved form of a model: writes and reads its {@link State}. */
public final class SavedModel {
    private static final String TYPE = "kernel-model";
    private static final String CASCADE = "cascade";
    private static final String STAGE = "stage";
    private static final String MEMBER = "member";
    private static final Set<String> TYPES = Set.of(TYPE, CASCADE, AverageParts.TYPE, TreeParts.TYPE);

    private SavedModel() {}

    /** Returns the saved form of a model. */
    public static State state(ModelParts parts) {
        CombinedParts combined = parts.combined();
        if (combined == null) {
            return stateOf(TYPE, parts, true);
        }
        State state = combined instanceof CascadeParts cascade ? stateOf(cascade) : memberState(parts);
        addEncoding(state.with("labels", labelState(parts.labels())), parts);
        return withUncertainty(state, parts);
    }

    private static State stateOf(CascadeParts cascade) {
        State state = State.of(CASCADE)
                .with("stages", cascade.stages().size())
                .with("rows", Long.toString(cascade.rows()))
                .with("tolerance", cascade.tolerance());
        for (int s = 0; s < cascade.stages().size(); s++) {
            CascadeParts.Stage stage = cascade.stages().get(s);
            state.with(
                    STAGE + "." + s,
                    stateOf(STAGE, stage.model(), false)
                            .with("threshold", stage.threshold())
                            .with("decided", Long.toString(stage.decided()))
                            .with("wrong", Long.toString(stage.wrong()))
                            .with("wrongAlone", Long.toString(stage.wrongAlone())));
        }
        return state;
    }

    /** Returns the saved form of a member, without labels and encoding, which all members share. */
    private static State memberState(ModelParts parts) {
        CombinedParts combined = parts.combined();
        if (combined instanceof AverageParts average) {
            return withRecord(average.state(SavedModel::memberState), parts);
        }
        if (combined instanceof TreeParts tree) {
            return withRecord(tree.state(leaf -> stateOf(MEMBER, leaf, false)), parts);
        }
        return stateOf(MEMBER, parts, false);
    }

    /** Adds what a model that is made of others has besides them. */
    private static State withRecord(State state, ModelParts parts) {
        state.with("training", Json.write(parts.training().toJson()));
        Calibration calibration = parts.calibration();
        return calibration == null ? state : state.with("calibration", calibration.state());
    }

    private static void addEncoding(State state, ModelParts parts) {
        Encoding encoding = parts.encoding();
        if (encoding != null) {
            state.with("encoding", encoding.state());
        }
    }

    /**
     * Returns the saved form of a model of one stage.
     *
     * @param whole true to include labels and encoding; the stages of a cascade share them
     */
    private static State stateOf(String type, ModelParts parts, boolean whole) {
        State state = State.of(type)
                .with("precision", lower(parts.precision()))
                .with("scaler", parts.transformer().scaler().state())
                .with("map", parts.map().state());
        LinearModel linear = parts.linear();
        if (linear != null) {
            state.with("linear", linear.state());
        }
        if (whole) {
            state.with("labels", labelState(parts.labels()));
        }
        state.with("training", Json.write(parts.training().toJson()));
        if (whole) {
            addEncoding(state, parts);
        }
        Calibration calibration = parts.calibration();
        if (calibration != null) {
            state.with("calibration", calibration.state());
        }
        ScoreAxes axes = parts.axes();
        if (axes != null) {
            state.with("axes", axes.state());
        }
        if (parts.ofSets()) {
            state.with("sets", "mean");
        }
        return withUncertainty(state, parts);
    }

    private static State withUncertainty(State state, ModelParts parts) {
        Uncertainty uncertainty = parts.uncertainty();
        return uncertainty == null ? state : state.with("uncertainty", uncertainty.state());
    }

    private static @Nullable Uncertainty loadUncertainty(State state, Labels labels, int features) {
        return state.has("uncertainty.type")
                ? Uncertainty.load(
                        state.part("uncertainty"),
                        labels instanceof Labels.Classes,
                        ModelParts.uncertainOutputs(labels),
                        features)
                : null;
    }

    /**
     * Reads a model from its saved form.
     *
     * @param name stands for the file in messages
     * @param own loaders of feature maps of the user's own
     */
    public static ModelParts load(String name, State state, MapLoader... own) {
        if (!TYPES.contains(state.type())) {
            throw new BochnerException(name + ": holds a " + state.type() + ", not a " + TYPE);
        }
        try {
            return load(state, own);
        } catch (BochnerException e) {
            Remedy[] remedies = e.remedies().toArray(Remedy[]::new);
            throw new BochnerException(name + ": cannot load the model: " + e.problem(), e, remedies);
        } catch (IllegalArgumentException e) {
            throw new BochnerException(name + ": cannot load the model: " + e.getMessage(), e);
        }
    }

    private static ModelParts load(State state, MapLoader... own) {
        Labels labels = loadLabels(state.part("labels"));
        Encoding encoding = state.has("encoding.type") ? Encoding.load(state.part("encoding")) : null;
        if (state.type().equals(TYPE)) {
            return load(state, labels, encoding, own);
        }
        if (!state.type().equals(CASCADE)) {
            boolean single = state.type().equals(TreeParts.TYPE);
            return loadCombined(state, labels, member -> loadMember(member, single, labels, encoding, own))
                    .withUncertainty(loadUncertainty(state, labels, 0));
        }
        int count = state.count("stages");
        List<CascadeParts.Stage> stages = new ArrayList<>();
        for (int s = 0; s < count; s++) {
            State stage = state.part(STAGE + "." + s);
            stages.add(new CascadeParts.Stage(
                    load(stage, labels, encoding, own),
                    stage.number("threshold"),
                    whole(stage, "decided"),
                    whole(stage, "wrong"),
                    whole(stage, "wrongAlone")));
        }
        ModelParts cascade = ModelParts.of(new CascadeParts(stages, whole(state, "rows"), state.number("tolerance")));
        return cascade.withUncertainty(loadUncertainty(state, labels, 0));
    }

    private static ModelParts loadCombined(State state, Labels labels, Function<State, ModelParts> ofMember) {
        // First, because it fails with the best message if the kernel is one of the user's own.
        TrainingRecord training = SavedRecord.read(JsonObject.parse("training", state.text("training")));
        CombinedParts combined = state.type().equals(TreeParts.TYPE)
                ? TreeParts.load(state, ofMember)
                : AverageParts.load(state, ofMember);
        return ModelParts.of(combined, training, loadCalibration(state, labels));
    }

    /** Reads a member: a single model, or a tree of single models. */
    private static ModelParts loadMember(
            State state, boolean single, Labels labels, @Nullable Encoding encoding, MapLoader... own) {
        if (!single && state.type().equals(TreeParts.TYPE)) {
            return loadCombined(state, labels, leaf -> loadMember(leaf, true, labels, encoding, own));
        }
        if (!state.type().equals(MEMBER)) {
            throw new BochnerException("a member cannot be a " + state.type());
        }
        return load(state, labels, encoding, own);
    }

    private static @Nullable Calibration loadCalibration(State state, Labels labels) {
        return state.has("calibration.type")
                ? Calibration.load(state.part("calibration"), ModelParts.classes(labels))
                : null;
    }

    static long whole(State state, String key) {
        String text = state.text(key);
        if (!text.matches("\\d{1,18}")) {
            throw new BochnerException(key + " must be a whole number, the file has '" + text + "'");
        }
        return Long.parseLong(text);
    }

    private static ModelParts load(State state, Labels labels, @Nullable Encoding encoding, MapLoader... own) {
        // First, because it fails with the best message if the kernel is one of the user's own.
        TrainingRecord training = SavedRecord.read(JsonObject.parse("training", state.text("training")));
        Scaler scaler = Scalings.load(state.part("scaler"));
        Transformer transformer = new Transformer(scaler, FeatureMaps.load(state.part("map"), own));
        ModelParts parts = new ModelParts(
                transformer,
                labels.targets() == 0 ? null : LinearModel.load(state.part("linear")),
                labels,
                precision(state.text("precision")),
                encoding,
                training,
                loadCalibration(state, labels),
                state.has("axes.type") ? ScoreAxes.load(state.part("axes")) : null,
                loadSets(state));
        return parts.withUncertainty(
                loadUncertainty(state, labels, transformer.map().outputDimension()));
    }

    private static boolean loadSets(State state) {
        if (!state.has("sets")) {
            return false;
        }
        String pooled = state.text("sets");
        if (!pooled.equals("mean")) {
            throw new BochnerException(
                    "sets: the features of a set can be joined by 'mean', the file has '" + pooled + "'");
        }
        return true;
    }

    private static Precision precision(String text) {
        List<Precision> known = List.of(Precision.values());
        String names = known.stream().map(SavedModel::lower).collect(Collectors.joining(", "));
        return known.stream()
                .filter(precision -> lower(precision).equals(text))
                .findFirst()
                .orElseThrow(() ->
                        new BochnerException("precision must be one of " + names + ", the file has '" + text + "'"));
    }

    private static String lower(Precision precision) {
        return precision.name().toLowerCase(Locale.ROOT);
    }

    private static State labelState(Labels labels) {
        List<String> names = labels.names();
        String kind = labels instanceof Labels.Classes ? "classes" : labels.targets() > 0 ? "numbers" : "none";
        State state = State.of(kind).with("count", names.size());
        for (int i = 0; i < names.size(); i++) {
            state.with("name." + i, names.get(i));
        }
        return state;
    }

    private static Labels loadLabels(State state) {
        int count = state.count("count");
        // A loop, because a stream would reserve memory for the stated count before the first name is read.
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(state.text("name." + i));
        }
        return switch (state.type()) {
            case "none" -> Labels.none();
            case "classes" -> new Labels.Classes(names);
            case "numbers" -> new Labels.Numbers(names);
            default -> throw new BochnerException("labels: the saved form has the unknown type '" + state.type() + "'");
        };
    }
}
