package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Json;
import org.bochner.base.Notes;
import org.bochner.base.State;
import org.bochner.data.DataIdentity;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.data.Task;
import org.bochner.learn.CalibrationRecipe;
import org.bochner.learn.calibrate.Calibration;
import org.bochner.learn.calibrate.ScoreAccumulator;
import org.bochner.map.FeatureMaps;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.model.file.ModelFile;
import org.bochner.model.file.SavedModel;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Model files whose checksum is right and whose content is not: loading them gives a model that works, or fails with a
 * message, and never with anything else.
 */
class HostileModelTest {
    private static final List<String> TEXTS = List.of(
            "",
            "0",
            "1",
            "2",
            "3",
            "-1",
            "0.5",
            "65536",
            "2147483647",
            "2147483648",
            "1e308",
            "NaN",
            "-Infinity",
            "x",
            "classes",
            "numbers",
            "dense",
            "hadamard",
            "fourier",
            "concatenated",
            "LIBSVM",
            "CSV",
            "PHASE",
            "PAIRS",
            "standard",
            "unit-l1[0:2] + standard[2:3]",
            "gaussian",
            "gaussian(sigma=1)",
            "gaussian(sigma=[0:1=1, 1:2=3])",
            "gaussian(sigma=[0:999999999=1])",
            "laplacian(sigma=1e-300)@log(c=1)",
            "gaussian(sigma=1)[0:2] + gaussian(sigma=2)",
            "matern(nu=1e300, sigma=1)",
            "chi2",
            "chi2(degree=1e300)",
            "exp-chi2(gamma=1)",
            "laplace-hellinger(beta=1e-300)",
            "matern-chi2(nu=1e300, sigma=1e-300)",
            "intersection(degree=1e-300)",
            "composed",
            "binned",
            "binning",
            "spectral",
            "platt",
            "isotonic",
            "selected",
            "picked",
            "gaussian((((((((((",
            "[[[[",
            "1*1*1*");

    private static final double[] NUMBERS = {Double.NaN, Double.POSITIVE_INFINITY, -1, 0, 0.5, 1e300, -1e300};
    private static final int[] INTEGERS = {Integer.MIN_VALUE, -1, 0, 1, 2, Integer.MAX_VALUE};

    private static final List<State> MODELS = new ArrayList<>();
    private static final List<State> CALIBRATED = new ArrayList<>();
    private static final List<State> CASCADES = new ArrayList<>();
    private static final List<State> UNCERTAIN = new ArrayList<>();
    private static final List<State> AVERAGES = new ArrayList<>();

    @BeforeAll
    static void train(@TempDir Path folder) throws IOException {
        Path csv = Files.writeString(
                folder.resolve("rows.csv"),
                "size,colour,weight,kind\n1,red,2,a\n2,blue,3,b\n3,green,1,c\n4,red,0,a\n5,blue,7,b\n6,green,1,c\n");
        Path libsvm = Files.writeString(folder.resolve("rows.libsvm"), "1 1:1 3:2\n-1 2:1\n1 1:2\n-1 2:3 3:1\n");
        MODELS.add(trained(folder, csv, "gaussian(sigma=2)", "fourier", "standard"));
        MODELS.add(trained(
                folder, csv, "0.5*laplacian(sigma=2)[0:2] + cauchy(sigma=1)@log(c=1)", "fourier(phase)", "none"));
        MODELS.add(
                trained(folder, libsvm, "gaussian(sigma=[0:1=1, 1:3=2])", "structured", "min-max[1:3] + unit-l1[0:1]"));
        MODELS.add(trained(folder, csv, "gaussian(sigma=1)", "fourier", "quantile[0:1] + clip then robust[1:2]"));
        Path table = Files.writeString(
                folder.resolve("table.csv"),
                "day,city,size,kind\n2024-01-31,a,1,x\n2024-02-28,b,,y\n2023-03-01,c,3,x\n,d,4,y\n2022-05-06,,5,x\n");
        MODELS.add(trained(folder, table, "gaussian(sigma=1)", "fourier", "none"));
        MODELS.add(
                trained(folder, csv, "exp-chi2(gamma=1) + 2*matern-intersection(nu=1.5, sigma=1)", "fourier", "none"));
        MODELS.add(byMeans(folder, table));
        MODELS.add(trained(
                folder,
                libsvm,
                "exp-hellinger(gamma=1) + chi2 + intersection",
                "quasi + sampled + unary(bins=3)",
                "none"));
        MODELS.add(trained(
                folder,
                libsvm,
                "exp-chi2(gamma=1)[0:2] + chi2(degree=2) + intersection + hellinger",
                "fourier@chebyshev(terms=2) + direct(terms=3) + piecewise(bins=2, sparse) + exact",
                "unit-l1"));
        MODELS.add(trained(
                folder, libsvm, "matern(nu=0.7, sigma=1)[0:2] + 2*gaussian(sigma=1)@sqrt", "orthogonal", "unit-l2"));
        MODELS.add(trained(
                folder,
                csv,
                "2*laplacian(sigma=2)[0:1] + laplacian(sigma=3)[0:1] * gaussian(sigma=1)[1:4]",
                "binning(grids=5)",
                "none"));
        MODELS.add(compiled(
                folder,
                trained(folder, libsvm, "gaussian(sigma=1)[0:1] + chi2[1:3]", "fourier + sampled", "none"),
                "linear"));
        MODELS.add(compiled(folder, trained(folder, csv, "intersection", "none", "none"), "exact"));
        CALIBRATED.add(calibrated(folder, csv, CalibrationRecipe.Method.PLATT));
        CALIBRATED.add(calibrated(folder, csv, CalibrationRecipe.Method.TEMPERATURE));
        CALIBRATED.add(calibrated(folder, libsvm, CalibrationRecipe.Method.ISOTONIC));
        CASCADES.add(cascade(folder, csv));
        UNCERTAIN.add(uncertain(folder, csv, "kind", "conformal(share=0.5)"));
        UNCERTAIN.add(uncertain(folder, csv, "size", "conformal(folds=2)"));
        UNCERTAIN.add(uncertain(folder, csv, "size", "gaussian"));
        AVERAGES.add(average(folder, csv));
        AVERAGES.add(tree());
        MODELS.add(pruned(
                folder,
                trained(
                        folder,
                        libsvm,
                        "gaussian(sigma=1) + chi2 + polynomial(degree=2, gamma=1, c=1)",
                        "structured + sampled + tensor-sketch",
                        "unit-l1")));
    }

    /** What is left of a model without half of its units. */
    private static State pruned(Path folder, State state) throws IOException {
        Path file = Files.write(folder.resolve("whole.bochner"), ModelFile.toBytes(state));
        KernelModel model = KernelModel.load(file);
        FeatureGroups units = FeatureGroups.unitsOf(model.map());
        int[] kept = units.featuresOf(
                IntStream.range(0, units.count()).filter(unit -> unit % 2 == 1).toArray());
        TrainingRecord.PruningStep step = new TrainingRecord.PruningStep(
                units.count() / 2, units.count(), TrainingRecord.MapUnit.PROJECTIONS, DataIdentity.UNKNOWN);
        TrainingRecord training = model.training().withPruning(step);
        return SavedModel.state(ModelFixtures.parts(model)
                .withMap(model.map().restrict(kept), model.linear().restrict(kept), training));
    }

    /** A model as curves with few knots. */
    private static State compiled(Path folder, State state, String form) throws IOException {
        Path file = Files.write(folder.resolve("whole.bochner"), ModelFile.toBytes(state));
        MemorySource rows = MemorySource.of(
                KernelModel.load(file).columns(),
                new float[2 * KernelModel.load(file).columns()]);
        return ModelFixtures.state(
                AdditiveCurves.compile(KernelModel.load(file), form, 3, rows, new Workers(1), Progress.NONE)
                        .model());
    }

    private static State trained(Path folder, Path data, String kernel, String map, String scaling) {
        Path file = folder.resolve("valid.bochner");
        KernelMachine machine =
                KernelMachine.of(kernel).withMap(FeatureMaps.parse(map)).withScaling(Scalings.parse(scaling));
        (map.equals("none") || map.startsWith("binning") ? machine : machine.withFeatures(8))
                .fit(FileSource.open(DataOptions.of(data.toString())
                        .withMissingIndicators(true)
                        .withDateFeatures("cyclic")
                        .withCategoryFeatures("hash(buckets=3)")))
                .model()
                .save(file);
        return ModelFile.read(file);
    }

    /** A model with the means of two columns of categories, one of which has missing values. */
    private static State byMeans(Path folder, Path data) {
        Path file = folder.resolve("valid.bochner");
        KernelMachine.of("gaussian(sigma=2)")
                .withFeatures(8)
                .fit(FileSource.open(DataOptions.of(data.toString())
                        .withMissingIndicators(true)
                        .withCategorical(List.of("size"))
                        .withCategoryFeatures("means(above=1)")))
                .model()
                .save(file);
        return ModelFile.read(file);
    }

    private static State uncertain(Path folder, Path data, String label, String recipe) {
        Path file = folder.resolve("valid.bochner");
        KernelMachine.of("gaussian(sigma=2)")
                .withFeatures(8)
                .withLearner("ridge(lambda=1)")
                .withUncertainty(recipe)
                .fit(FileSource.open(DataOptions.of(data.toString())
                        .withLabel(label)
                        .withTask(label.equals("size") ? Task.REGRESS : Task.CLASSIFY)))
                .model()
                .save(file);
        return ModelFile.read(file);
    }

    private static State cascade(Path folder, Path data) {
        Path file = folder.resolve("valid.bochner");
        FileSource rows = FileSource.open(DataOptions.of(data.toString()));
        KernelModel first = KernelMachine.of("linear").fit(rows).model();
        KernelModel last =
                KernelMachine.of("gaussian(sigma=2)").withFeatures(8).fit(rows).model();
        Notes notes = new Notes();
        KernelModel.cascade(List.of(first, last), rows, 1, new Workers(1), Progress.NONE, notes)
                .save(file);
        return ModelFile.read(file);
    }

    private static State average(Path folder, Path data) {
        Path file = folder.resolve("valid.bochner");
        FileSource rows = FileSource.open(DataOptions.of(data.toString()));
        KernelModel first = KernelMachine.of("linear").fit(rows).model();
        KernelModel last =
                KernelMachine.of("gaussian(sigma=2)").withFeatures(8).fit(rows).model();
        KernelModel.average(List.of(first, last), rows, new Workers(1), Progress.NONE, new Notes())
                .save(file);
        return ModelFile.read(file);
    }

    private static State tree() {
        float[] values = new float[200];
        int[] classes = new int[200];
        for (int i = 0; i < 200; i++) {
            values[i] = (float) Math.sin(i);
            classes[i] = i % 4 == 0 ? 1 : 0;
        }
        return ModelFixtures.state(KernelMachine.of("gaussian(sigma=2)")
                .withFeatures(8)
                .withCells("2")
                .fit(MemorySource.of(1, values).withClasses(List.of("a", "b"), classes))
                .model());
    }

    private static State calibrated(Path folder, Path data, CalibrationRecipe.Method method) {
        Path file = folder.resolve("valid.bochner");
        KernelModel model = KernelMachine.of("linear")
                .fit(FileSource.open(DataOptions.of(data.toString())))
                .model();
        int outputs = model.linear().outputs();
        ScoreAccumulator rows = new ScoreAccumulator(outputs == 1 ? 2 : outputs);
        for (int i = 0; i < 6; i++) {
            rows.add(new double[] {i * 0.3, 1 - i * 0.1, i * i * 0.02}, 0, i % rows.classes(), 1);
        }
        ModelFixtures.withCalibration(model, Calibration.fit(method, rows, new Workers(1)))
                .save(file);
        return ModelFile.read(file);
    }

    /** Texts and arrays of a state, to be changed at will. */
    private static final class Parts {
        final String type;
        final Map<String, String> texts;
        final Map<String, Object> arrays = new LinkedHashMap<>();

        Parts(State state) {
            type = state.type();
            texts = new LinkedHashMap<>(state.texts());
            state.arrayNames().forEach(name -> arrays.put(name, state.rawArray(name)));
        }

        State state() {
            State state = State.of(type);
            texts.forEach(state::with);
            arrays.forEach((name, values) -> {
                if (values instanceof double[] numbers) {
                    state.with(name, numbers);
                } else {
                    state.with(name, (int[]) values);
                }
            });
            return state;
        }
    }

    private void assertLoadsOrExplains(Parts parts, String change) {
        try {
            // Not from a file: tens of thousands of files would take longer than all else.
            KernelModel model =
                    ModelFixtures.load("hostile", ModelFile.fromBytes("hostile", ModelFile.toBytes(parts.state())));
            if (model.columns() < 1000) {
                double[] row = new double[model.columns()];
                assertTrue(model.classOf(model.score(row), 0) >= 0);
                // Zeros tell nothing of maps that make zeros of them.
                Arrays.fill(row, 0.7);
                assertTrue(model.classOf(model.score(row), 0) >= 0);
            }
            if (model.uncertainty().isPresent() && model.labels() instanceof Labels.Numbers) {
                PredictionInterval interval =
                        model.intervals(new double[model.columns()], 0.8).get(0);
                assertTrue(interval.lower() <= interval.upper(), change + " gave " + interval);
            } else if (model.uncertainty().isPresent()) {
                assertFalse(model.classSet(new double[model.columns()], 0.8).isEmpty());
            }
            assertTrue(model.map().kernel().minimumColumns() <= model.columns());
            ModelFile.toBytes(ModelFixtures.state(model));
        } catch (BochnerException e) {
            assertTrue(e.getMessage() != null && !e.getMessage().contains("null"), change + ": " + e.getMessage());
        } catch (RuntimeException | Error e) {
            fail(change + " gave " + e, e);
        }
    }

    @Test
    void everyTextReplacedOrMissing() {
        Set<String> replaced = new HashSet<>();
        replaceEveryText(MODELS, "", replaced);
        replaceEveryText(CALIBRATED, "calibration.", replaced);
        replaceEveryText(CASCADES, "", replaced);
        replaceEveryText(UNCERTAIN, "uncertainty.", replaced);
        replaceEveryText(AVERAGES, "", replaced);
    }

    /** Stages that disagree with each other: the fields of a cascade, each with some numbers. */
    @Test
    void everyTextOfACascadeReplacedByANumber() {
        for (State cascade : List.of(CASCADES.get(0), AVERAGES.get(0), AVERAGES.get(1))) {
            for (String key : cascade.texts().keySet()) {
                for (String text : List.of("0", "2", "2147483647")) {
                    Parts parts = new Parts(cascade);
                    parts.texts.put(key, text);
                    assertLoadsOrExplains(parts, key + " = '" + text + "'");
                }
            }
        }
    }

    /**
     * Each text once in each field of each type of object, wherever the models hold such an object first.
     *
     * @param replaced the fields that need no more changes; those of these models are added
     */
    private void replaceEveryText(List<State> states, String prefix, Set<String> replaced) {
        for (State model : states) {
            for (String key : model.texts().keySet()) {
                if (!key.startsWith(prefix) || !replaced.add(field(model.texts(), key))) {
                    continue;
                }
                // All texts that are no numbers are alike to a reader of numbers.
                boolean number = String.valueOf(model.texts().get(key)).matches("-?[0-9.]+(E-?[0-9]+)?");
                for (String text : number ? TEXTS.subList(0, TEXTS.indexOf("x") + 1) : TEXTS) {
                    Parts parts = new Parts(model);
                    parts.texts.put(key, text);
                    assertLoadsOrExplains(parts, key + " = '" + text + "'");
                }
                Parts parts = new Parts(model);
                parts.texts.remove(key);
                assertLoadsOrExplains(parts, "without " + key);
            }
        }
    }

    /** Returns the type of the object that has the text, and the name of the text in it. */
    private static String field(Map<String, String> texts, String key) {
        int dot = key.lastIndexOf('.');
        String owner = dot < 0 ? "" : key.substring(0, dot);
        return texts.getOrDefault(owner + ".type", owner) + "." + key.substring(dot + 1);
    }

    @Test
    void everyFieldOfTheTrainingRecordReplacedOrMissing() {
        Set<String> replaced = new HashSet<>();
        for (State model : MODELS) {
            Map<String, Object> record =
                    ModelFixtures.load("valid", model).training().toJson();
            replaceEveryField(model, record, record, "", replaced);
        }
    }

    @Test
    void negativePenaltiesAndPruningThatKeepsMoreThanThereWas() {
        State model = MODELS.get(0);
        Map<String, Object> record =
                ModelFixtures.load("valid", model).training().toJson();
        record.put("lambda", -1);
        byte[] bytes = ModelFile.toBytes(withRecord(model, record).state());
        BochnerException e = assertThrows(
                BochnerException.class, () -> ModelFixtures.load("hostile", ModelFile.fromBytes("hostile", bytes)));
        assertTrue(String.valueOf(e.getMessage()).contains("lambda must be at least 0"), e.getMessage());
        assertThrows(
                IllegalArgumentException.class,
                () -> new TrainingRecord.PruningStep(9, 3, TrainingRecord.MapUnit.FEATURES, DataIdentity.UNKNOWN));
    }

    /** Each value once in each field, in the first model that has it. */
    @SuppressWarnings("unchecked")
    private void replaceEveryField(
            State model, Map<String, Object> record, Map<String, Object> fields, String path, Set<String> replaced) {
        for (String key : List.copyOf(fields.keySet())) {
            Object before = fields.get(key);
            if (before instanceof Map<?, ?> nested && !nested.isEmpty() && !key.equals("selections")) {
                replaceEveryField(model, record, (Map<String, Object>) nested, path + key + ".", replaced);
            }
            if (!replaced.add(path + key)) {
                continue;
            }
            for (Object value : List.of("", "x", -1, 0.5, 1e300, Long.MAX_VALUE, true, List.of(1), Map.of("x", 1))) {
                fields.put(key, value);
                assertLoadsOrExplains(withRecord(model, record), key + " = " + value);
            }
            fields.remove(key);
            assertLoadsOrExplains(withRecord(model, record), "without " + key);
            fields.put(key, before);
        }
    }

    private static Parts withRecord(State model, Map<String, Object> record) {
        Parts parts = new Parts(model);
        parts.texts.put("training", Json.write(record));
        return parts;
    }

    @Test
    void everyArrayShorterLongerMissingOrOfTheOtherType() {
        replaceEveryArray(MODELS, "");
        replaceEveryArray(CALIBRATED, "calibration.");
        replaceEveryArray(CASCADES, "stage.");
        replaceEveryArray(UNCERTAIN, "uncertainty.");
        replaceEveryArray(AVERAGES, "");
    }

    /** Each array of each type of object, wherever the models hold such an object first. */
    private void replaceEveryArray(List<State> states, String prefix) {
        Set<String> replaced = new HashSet<>();
        for (State model : states) {
            for (String key : model.arrayNames()) {
                if (!key.startsWith(prefix) || !replaced.add(field(model.texts(), key))) {
                    continue;
                }
                Parts whole = new Parts(model);
                boolean wide = whole.arrays.get(key) instanceof double[];
                int length = model.shape(key).stream().reduce(1, (a, b) -> a * b);
                for (int other : new int[] {0, 1, length - 1, length, length + 1, 2 * length}) {
                    Parts numbers = new Parts(model);
                    numbers.arrays.put(key, new double[other]);
                    assertLoadsOrExplains(numbers, key + " of " + other + " numbers");
                    Parts integers = new Parts(model);
                    integers.arrays.put(key, new int[other]);
                    assertLoadsOrExplains(integers, key + " of " + other + " integers");
                }
                for (int i = 0; i < (wide ? NUMBERS.length : INTEGERS.length); i++) {
                    Parts parts = new Parts(model);
                    if (wide) {
                        double[] values = new double[length];
                        Arrays.fill(values, NUMBERS[i]);
                        parts.arrays.put(key, values);
                    } else {
                        int[] values = new int[length];
                        Arrays.fill(values, INTEGERS[i]);
                        parts.arrays.put(key, values);
                    }
                    assertLoadsOrExplains(parts, key + " filled with value " + i);
                }
                whole.arrays.remove(key);
                assertLoadsOrExplains(whole, "without " + key);
            }
        }
    }

    /** Several changes at once get further than one: counts that agree with each other, types with their parts. */
    @Test
    void severalChangesAtOnce() {
        RandomStream stream = new Seed(7).stream();
        List<String> counts = List.of("0", "1", "2", "3", "4", "2147483647", "1073741824", "65536");
        for (int trial = 0; trial < 2500; trial++) {
            State model = MODELS.get(stream.nextInt(MODELS.size()));
            Parts parts = new Parts(model);
            List<String> keys = new ArrayList<>(parts.texts.keySet());
            List<String> arrays = new ArrayList<>(parts.arrays.keySet());
            String count = counts.get(stream.nextInt(counts.size()));
            StringBuilder change = new StringBuilder("trial " + trial);
            for (int c = 0; c < 4; c++) {
                String key = keys.get(stream.nextInt(keys.size()));
                String text = stream.nextInt(2) == 0 ? count : TEXTS.get(stream.nextInt(TEXTS.size()));
                if (stream.nextInt(4) == 0) {
                    key = arrays.get(stream.nextInt(arrays.size()));
                    text = "an empty array";
                    parts.arrays.put(key, stream.nextInt(2) == 0 ? new double[0] : new int[0]);
                } else if (key.matches(".*(type|kind|count|columns|width|features|outputs|parts|from|to|frequencies)")
                        || stream.nextInt(3) == 0) {
                    parts.texts.put(key, text);
                }
                change.append(", ").append(key).append(" = ").append(text);
            }
            assertLoadsOrExplains(parts, change.toString());
        }
    }

    /** A file of n bytes could otherwise name maps within maps n/4 deep. */
    @Test
    void mapsWithinMapsAreRefused() {
        Parts parts = new Parts(MODELS.get(0));
        String prefix = "map";
        // Twenty thousand levels overflow the stack of a reader that follows them; two hundred show the refusal.
        for (int depth = 0; depth < 200; depth++) {
            parts.texts.put(prefix + ".type", "scaled");
            parts.texts.put(prefix + ".factor", "1");
            prefix += ".map";
        }
        byte[] bytes = ModelFile.toBytes(parts.state());
        BochnerException e = assertThrows(
                BochnerException.class, () -> ModelFixtures.load("hostile", ModelFile.fromBytes("hostile", bytes)));
        assertTrue(String.valueOf(e.getMessage()).contains("cannot be part of"), e.getMessage());
    }
}
