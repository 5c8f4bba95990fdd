package org.bochner.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.data.DataOptions;
import org.bochner.data.Labels;
import org.bochner.learn.Learner;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.scale.Scalings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of a cascade of machines. */
final class CascadeFlags {
    static final String HEADING = "%nCascade%n";

    /** The value of --cascade that lets the data choose the stages. */
    private static final String USUAL_STAGES = "auto";

    /** The map of all stages that have no map of their own, except the last stage. */
    private static final String USUAL_MAP = "auto";

    private static final Set<String> SETTINGS = Set.of("map", "features", "scale", "learner");

    @Option(
            names = "--cascade",
            paramLabel = "STAGES",
            description =
                    "Train a cascade for classes: kernels from cheap to expensive, separated by |, such as 'linear | chi2"
                            + " | exp-chi2'. A row is decided by the first stage that is sure of its class. A stage may"
                            + " have settings: 'linear | exp-chi2, map=landmarks, features=2000, scale=unit-l1,"
                            + " learner=svm'. --map and --features are those of the last stage, all other flags hold for"
                            + " all stages. auto takes linear, chi2 and gaussian for data without negative numbers, also"
                            + " after --scale, else linear and gaussian; histograms get exp-chi2 in place of"
                            + " gaussian, and sparse counts linear and chi2. Without --scale, its cheap stages have scalings of their"
                            + " own, which a written list has not.")
    @ReadsBySpelling(ReadsBySpelling.Spelled.CASCADE)
    private @Nullable String cascade;

    @Option(
            names = "--stage",
            paramLabel = "MODEL",
            description = "Make a cascade of saved models instead of training: this model is the next stage. May be"
                    + " repeated, from cheap to expensive. DATA are rows that no stage was trained on; the thresholds are"
                    + " chosen on them.")
    @Reads
    private List<Path> models = new ArrayList<>();

    @Option(
            names = "--max-loss",
            paramLabel = "PERCENT",
            description =
                    "The largest error of the cascade above that of its last stage, on held-out rows, in percentage"
                            + " points, such as 0.5%%. [default: 0%%]")
    private @Nullable String maxLoss;

    /**
     * One stage as it is spelled.
     *
     * @param settings the values of {@link #SETTINGS} that are given
     */
    private record Stage(String kernel, Map<String, String> settings) {
        @Nullable
        String setting(String name) {
            return settings.get(name);
        }
    }

    /** Returns the files of the models that become stages; empty if the stages are trained. */
    List<Path> models() {
        return models;
    }

    /** Loads the models that become stages. */
    List<KernelModel> load() {
        if (models.size() < 2) {
            throw new UsageException("--stage must be given at least twice, from the cheapest model to the last");
        }
        List<KernelModel> loaded = new ArrayList<>();
        for (Path path : models) {
            KernelModel model = KernelModel.load(path);
            if (!(model.labels() instanceof Labels.Classes)) {
                throw new BochnerException(
                        path + ": a cascade predicts classes, and this model predicts numbers",
                        Remedy.advice("take models of classes"));
            }
            loaded.add(model);
        }
        return loaded;
    }

    /** Returns true if a cascade is asked for. */
    boolean given() {
        return cascade != null;
    }

    /** Returns the files that the scalings of the stages read; empty if the text is no list of stages. */
    static List<Path> files(String cascade) {
        try {
            return stages(cascade).stream()
                    .map(stage -> stage.setting("scale"))
                    .filter(Objects::nonNull)
                    .flatMap(scale -> Scalings.files(scale).stream())
                    .toList();
        } catch (UsageException e) {
            return List.of();
        }
    }

    /** Fails if a flag is wrong, as far as this can be seen without data. */
    void check(DataOptions options, MachineFlags machineFlags) {
        if (cascade == null) {
            if (maxLoss != null && models.isEmpty()) {
                throw new UsageException("--max-loss needs a cascade; add --cascade auto");
            }
            return;
        }
        double unused = loss();
        for (Stage stage : stages(cascade)) {
            KernelMachine unusedMachine = machine(
                    stage,
                    new Spelled(stage.kernel(), scale(stage, machineFlags)).before(options),
                    machineFlags,
                    USUAL_MAP,
                    null);
        }
    }

    /** Returns the machine of the last stage, with the stages before it. */
    KernelMachine machine(Session session, MachineFlags machineFlags, LearningFlags learningFlags) {
        String text = cascade == null ? USUAL_STAGES : cascade;
        List<KernelMachine> machines = new ArrayList<>();
        if (text.strip().equals(USUAL_STAGES)) {
            String scale = new Spelled(machineFlags.kernel(), machineFlags.scale())
                    .in(session.source())
                    .scale();
            List<KernelMachine> usual =
                    KernelMachine.usualStages(session.training(), scale == null ? null : Scalings.parse(scale));
            for (KernelMachine stage : usual) {
                boolean last = machines.size() == usual.size() - 1;
                machines.add(learningFlags.apply(last ? machineFlags.completed(stage) : machineFlags.tuned(stage)));
            }
        } else {
            List<Stage> stages = stages(text);
            for (Stage stage : stages) {
                boolean last = machines.size() == stages.size() - 1;
                Spelled spelled = new Spelled(stage.kernel(), scale(stage, machineFlags)).in(session.source());
                KernelMachine machine = machine(
                        stage,
                        spelled,
                        machineFlags,
                        last ? machineFlags.map() : USUAL_MAP,
                        last ? machineFlags.features() : null);
                machine = learningFlags.apply(machine);
                String learner = stage.setting("learner");
                machines.add(learner == null ? machine : machine.withLearner(learner));
            }
        }
        int last = machines.size() - 1;
        return machines.get(last).withStages(machines.subList(0, last), loss());
    }

    /** Returns the share of the rows by which errors may exceed those of the last stage. */
    double loss() {
        double loss = maxLoss == null ? 0 : PruneCommand.loss(maxLoss);
        if (loss > 1) {
            throw new UsageException("--max-loss must be at most 100%, got " + maxLoss);
        }
        return loss;
    }

    private static @Nullable String scale(Stage stage, MachineFlags machineFlags) {
        String own = stage.setting("scale");
        return own == null ? machineFlags.scale() : own;
    }

    private static KernelMachine machine(
            Stage stage, Spelled spelled, MachineFlags machineFlags, String usualMap, @Nullable Integer usualFeatures) {
        String map = stage.setting("map");
        String learner = stage.setting("learner");
        if (learner != null) {
            Learner unused = UsageException.orUsage(() -> Learner.parse(learner));
        }
        return machineFlags.tuned(Recipes.machine(
                spelled,
                map == null ? usualMap : map,
                stage.setting("features") == null ? usualFeatures : features(stage),
                machineFlags.seed()));
    }

    private static Integer features(Stage stage) {
        String text = String.valueOf(stage.setting("features"));
        if (!text.matches("\\d{1,9}")) {
            throw new UsageException("--cascade: features must be a whole number, got '" + text + "'");
        }
        return Integer.valueOf(text);
    }

    private static List<Stage> stages(String text) {
        if (text.strip().equals(USUAL_STAGES)) {
            return List.of();
        }
        List<Stage> stages = UsageException.orUsage(() -> Spelling.splitTopLevel("--cascade", text, '|').stream()
                .map(CascadeFlags::stage)
                .toList());
        if (stages.size() < 2) {
            throw new UsageException("--cascade needs at least two stages, separated by |, such as 'linear | "
                    + (text.isBlank() || text.strip().equals("linear") ? "gaussian" : text.strip())
                    + "'; auto chooses them");
        }
        return stages;
    }

    private static Stage stage(String text) {
        List<String> parts = Spelling.splitTopLevel("--cascade", text, ',');
        Map<String, String> settings = new HashMap<>();
        for (String part : parts.subList(1, parts.size())) {
            int equals = part.indexOf('=');
            String name = (equals < 0 ? part : part.substring(0, equals)).strip();
            if (!SETTINGS.contains(name)) {
                throw Spelling.unknown("setting of a stage", name, SETTINGS);
            }
            String value = equals < 0 ? "" : part.substring(equals + 1).strip();
            if (value.isEmpty() || settings.put(name, value) != null) {
                throw new SpellingException("--cascade: '" + text.strip() + "' needs one value for " + name);
            }
        }
        String kernel = parts.get(0).strip();
        if (kernel.isEmpty()) {
            throw new SpellingException("--cascade: a stage has no kernel; write 'linear | exp-chi2', for example");
        }
        return new Stage(kernel, settings);
    }
}
