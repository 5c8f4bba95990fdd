package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Multiple kernels, as the command has them: points of rings beside columns that say nothing. */
class MklCommandTest {
    private static final String CHANNELS = "place=0:2,noise=2:4";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    @SuppressWarnings("NullAway.Init") // before each test
    private Path data;

    /** Coordinates of other rows are as good as noise. */
    private static String noise(int row) {
        return Rings.x(7 * row + 1000, 1) + "," + Rings.x(11 * row + 500, 0);
    }

    @BeforeEach
    void writeData() throws IOException {
        data = Rings.write(
                folder.resolve("rings.csv"),
                "x,y,u,v,where",
                300,
                i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + noise(i) + "," + Rings.label(i));
    }

    private Object[] arguments(Object... more) {
        List<Object> all = new ArrayList<>(List.of("mkl", data, "--features", 30));
        all.addAll(Arrays.asList(more));
        return all.toArray();
    }

    private Run mkl(Object... more) {
        return Run.here(arguments(more));
    }

    private static double weight(Map<?, ?> result, int channel) {
        List<?> channels = (List<?>) Objects.requireNonNull(result.get("channels"));
        Map<?, ?> one = (Map<?, ?>) channels.get(channel);
        return ((Number) Objects.requireNonNull(one.get("weight"))).doubleValue();
    }

    @Test
    void leavesNoiseOutAndSavesAModel() {
        Path model = folder.resolve("m.bochner");
        Run run =
                mkl("--channels", CHANNELS, "--holdout", 0.25, "--model", model).worked();
        assertTrue(run.lines().get(0).matches("channel +columns +kernel +weight +share"), run.out());
        assertTrue(run.lines().get(2).matches("noise +2:4 +gaussian\\(.*\\) +0 +0.0%"), run.out());
        assertTrue(run.out().contains("holdout"), run.out());
        assertTrue(run.err().contains("standardised"), run.err());
        Run inspected = Run.here("inspect", model).worked();
        assertTrue(inspected.out().contains(CHANNELS), inspected.out());
        Run evaluated = Run.here("evaluate", model, data, "--json", "--quiet").worked();
        assertEquals(300, evaluated.number("rows"));
    }

    @Test
    void dropsTheChannelOfNoise() {
        Run run = mkl("--channels", CHANNELS, "--json", "--quiet").worked();
        assertEquals("", run.err());
        assertEquals(0, weight(run.json(), 1));
        assertTrue(weight(run.json(), 0) > 0);
        mkl("--channels", "place=0:2,noise=1:4").refused(Main.USAGE, "overlap");
    }

    @Test
    void givesThePlainSolutionAtAPenalty() {
        Run path = mkl("--channels", CHANNELS, "--plain", "--balanced", "--json", "--quiet")
                .worked();
        double most =
                ((Number) Objects.requireNonNull(((Map<?, ?>) path.list("path").get(0)).get("lambda"))).doubleValue();
        Run one = mkl("--channels", CHANNELS, "--plain", "--balanced", "--lambda", most / 20, "--json", "--quiet")
                .worked();
        assertEquals(most / 20, one.number("lambda"), 1e-12 * most);
        assertEquals(1, one.list("path").size());
        assertEquals(true, one.json().get("plain"));
        assertTrue(weight(one.json(), 0) > weight(one.json(), 1), one.out());
    }

    @Test
    void learnsScalesTogetherWithTheWeights() throws IOException {
        Path model = folder.resolve("joint.bochner");
        Path plot = folder.resolve("joint.svg");
        Object[] flags = {"--channels", CHANNELS, "--joint", "--plain", "--scale-prior", 0.1, "--steps", 3, "--quiet"};
        List<Object> all = new ArrayList<>(Arrays.asList(flags));
        all.addAll(List.of("--model", model, "--plot", plot, "--json"));
        Run run = mkl(all.toArray()).worked();
        assertTrue(run.number("after") < run.number("before"), run.out());
        assertEquals(0.1, run.number("scalePrior"));
        assertEquals(
                2,
                ((List<?>) Objects.requireNonNull(((Map<?, ?>) run.list("path").get(0)).get("scaleFactors"))).size());
        assertTrue(Files.readString(plot).contains("length-scales along the path"));
        String inspected = Run.here("inspect", model).worked().out();
        assertTrue(inspected.contains("learned together with the weights, scale-prior 0.1"), inspected);
        assertTrue(inspected.contains("plain: no refit"), inspected);
        Run text = mkl(flags).worked();
        assertTrue(text.lines().get(0).matches("channel +columns +initial kernel +kernel +weight +share"), text.out());
        mkl("--channels", CHANNELS, "--resume", model, "--plain")
                .refused(Main.USAGE, "not given before the weights; --joint must be added");
        mkl("--channels", CHANNELS, "--resume", model, "--joint")
                .refused(Main.USAGE, "the solution of the model: plain, not refitted; --plain must be added");
        mkl("--channels", CHANNELS, "--resume", model, "--joint", "--plain", "--steps", 2, "--quiet")
                .worked();
    }

    @Test
    void learnsTheScaleOfASingleKernel() {
        Run run = mkl("--channels", "all=0:4", "--joint", "--norm", "average", "--steps", 2, "--json", "--quiet")
                .worked();
        assertTrue(run.number("after") < run.number("before"), run.out());
    }

    @Test
    void continuesFromAModel() {
        Path model = folder.resolve("begun.bochner");
        mkl("--channels", CHANNELS, "--steps", 1, "--seed", 3, "--model", model, "--quiet")
                .worked();
        Run run = mkl("--channels", CHANNELS, "--resume", model, "--model", model, "--json")
                .worked();
        assertTrue(run.err().contains("continuing from"), run.err());
        assertEquals(3, run.number("seed"));
        assertEquals(model.toString(), run.json().get("resumed"));
        assertTrue(run.list("path").size() > 1);
        mkl("--channels", CHANNELS, "--resume", model, "--norm", 2).refused(Main.USAGE, "the norm of the model: 1");
        mkl("--channels", CHANNELS, "--resume", model, "--lambda", 2).refused(Main.USAGE, "remove --lambda");
        mkl("--channels", CHANNELS, "--resume", model, "--scale", "none")
                .refused(Main.USAGE, "the scaling of the model: standard, not none; --scale must be left out");
        Run.here("mkl", data, "--channels", CHANNELS, "--features", 50, "--resume", model)
                .refused(Main.USAGE, "the number of features per channel of the model: 30, not 50; --features 30");
    }

    @Test
    void continuesWithTheTaskAndTheScalingOfTheModel() throws IOException {
        Path model = folder.resolve("units.bochner");
        Path units = Rings.write(
                folder.resolve("units.csv"),
                "x,y,z,t",
                100,
                i -> 1e3 * Rings.x(i, 0) + "," + 1e5 * Rings.x(i, 1) + "," + 1e7 * Rings.x(3 * i, 0) + ","
                        + Rings.height(i));
        Object[] flags = {"mkl", units, "--channels", "a=0:2,b=2:3", "--norm", "average", "--features", 30, "--steps", 2
        };
        List<Object> all = new ArrayList<>(Arrays.asList(flags));
        all.addAll(List.of("--json", "--quiet", "--model", model));
        Run first = Run.here(all.toArray()).worked();
        all.addAll(List.of("--resume", model));
        Run resumed = Run.here(all.toArray()).worked();
        assertEquals("standard", resumed.json().get("scaling"));
        double least = first.list("path").stream()
                .mapToDouble(step -> ((Number) Objects.requireNonNull(((Map<?, ?>) step).get("loss"))).doubleValue())
                .min()
                .orElseThrow();
        Object loss = ((Map<?, ?>) resumed.list("path").get(0)).get("loss");
        assertEquals(least, ((Number) Objects.requireNonNull(loss)).doubleValue(), 1e-6 * least);
        Path classes = Rings.write(
                folder.resolve("classes.csv"),
                "x,y,z,t",
                100,
                i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + Rings.x(3 * i, 0) + "," + Rings.label(i));
        all.set(1, classes);
        Run.here(all.toArray()).refused(Main.USAGE, "the model to continue from predicts numbers");
    }

    @Test
    void namesTheKeysOfTheJson() {
        Run run = mkl("--channels", CHANNELS, "--holdout", 0.25, "--json", "--quiet")
                .worked();
        String help = Run.here("help", "mkl").worked().out();
        Stream.concat(
                        run.json().keySet().stream(),
                        ((Map<?, ?>) run.list("path").get(0)).keySet().stream())
                .forEach(key -> assertTrue(
                        Pattern.compile("\\b" + key + "\\b").matcher(help).find(), () -> key + " is not in the help"));
        help.lines().forEach(line -> assertTrue(line.length() <= 80, line));
        assertTrue(run.number("error") < 0.1);
    }

    @Test
    void givesAKernelThatTrainTakes() {
        Map<?, ?> result = mkl("--channels", CHANNELS, "--norm", 2, "--json", "--quiet")
                .worked()
                .json();
        Run trained = Run.here(
                        "train",
                        data,
                        "--holdout",
                        0.25,
                        "--scale",
                        "standard",
                        "--features",
                        60,
                        "--kernel",
                        String.valueOf(result.get("kernel")),
                        "--learner",
                        String.valueOf(result.get("learner")),
                        "--json",
                        "--quiet")
                .worked();
        assertEquals(result.get("kernel"), trained.json().get("kernel"));
        assertTrue(trained.number("error") < 0.15);
    }

    @Test
    void joinsFilesAsChannels() throws IOException {
        Path place = Rings.write(folder.resolve("a.csv"), "", 200, i -> Rings.x(i, 0) + "," + Rings.x(i, 1));
        Path noise = Rings.write(folder.resolve("b.csv"), "", 200, MklCommandTest::noise);
        Path labels = Rings.labels(folder.resolve("y.txt"), 200);
        Map<?, ?> result = Run.here(
                        "mkl",
                        "--channel",
                        "place=" + place,
                        "--channel",
                        "noise=" + noise,
                        "--labels",
                        labels,
                        "--label",
                        "none",
                        "--kernel",
                        "place=cauchy,noise=laplacian",
                        "--features",
                        20,
                        "--scale",
                        "min-max[place] + standard[noise]",
                        "--json",
                        "--quiet")
                .worked()
                .json();
        assertEquals(0, weight(result, 1));
        assertTrue(String.valueOf(result.get("kernel")).contains("*cauchy("), result::toString);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"--loss|logistic", "--norm|average", "--kernel|noise=cauchy,gaussian", "--kernel|matern(nu=1.5)"})
    void takesOtherLossesNormsAndKernels(String flag, String value) {
        Run run = mkl("--channels", CHANNELS, "--folds", 2, "--steps", 3, flag, value, "--json", "--quiet")
                .worked();
        assertTrue(run.list("path").size() == 3 && weight(run.json(), 0) > 0, run.out());
    }

    @Test
    void takesKernelsOneByOne() {
        Map<?, ?> result = mkl(
                        "--kernel",
                        "place=cauchy",
                        "--channels",
                        CHANNELS,
                        "--kernel",
                        "noise=gaussian(sigma=2)",
                        "--norm",
                        "average",
                        "--json",
                        "--quiet")
                .worked()
                .json();
        String kernel = String.valueOf(result.get("kernel"));
        assertTrue(kernel.startsWith("cauchy(") && kernel.endsWith(" + gaussian(sigma=2)[2:4]"), kernel);
    }

    @Test
    void drawsBarsAndThePath() throws IOException {
        Path plot = folder.resolve("weights.svg");
        mkl("--channels", CHANNELS, "--plot", plot, "--quiet").worked();
        String svg = Files.readString(plot);
        for (String text : List.of("place", "noise", "weights along the path", "chosen", "<polygon")) {
            assertTrue(svg.contains(text), text);
        }
        assertFalse(svg.contains("NaN"));
    }

    @Nested
    class Refuses {
        private void refused(int code, String message, Object... more) throws IOException {
            List<String> before = listing();
            mkl(more).refused(code, message);
            assertEquals(before, listing(), "the folder has changed");
        }

        private List<String> listing() throws IOException {
            try (Stream<Path> files = Files.list(folder)) {
                return files.map(Path::toString).sorted().toList();
            }
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "a=0:3,b=2:4|a=0:3 and b=2:4 overlap",
                    "a=0:2,b=3:3|b=3:3 is empty",
                    "a=0:2,a=2:4|'a' is given twice",
                    "a=0:4|name two or more",
                    "a=0-2,b=2:4|expected NAME=FROM:TO"
                })
        void channels(String channels, String message) throws IOException {
            refused(Main.USAGE, message, "--channels", channels);
        }

        @Test
        void randomBinning() throws IOException {
            String message = "kernel weights cannot be learned with the map ";
            for (String map : List.of("binning(grids=8)", "fourier + binning(grids=8)")) {
                refused(Main.USAGE, "--map fourier", "--channels", CHANNELS, "--kernel", "laplacian", "--map", map);
                refused(
                        Main.USAGE,
                        message + map,
                        "--channels",
                        CHANNELS,
                        "--kernel",
                        "laplacian",
                        "--map",
                        map,
                        "--joint");
            }
        }

        @Test
        void channelsThatLeaveTheData() throws IOException {
            refused(Main.FAILED, "the channel b=2:9 goes beyond them", "--channels", "a=0:2,b=2:9");
        }

        @Test
        void noFeatures() {
            Run.here("mkl", data, "--channels", CHANNELS, "--features", 0)
                    .refused(Main.USAGE, "--features must be at least 1");
        }

        @Test
        void noChannels() throws IOException {
            refused(Main.USAGE, "mkl needs channels");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "--norm|0.5|norm must be at least 1",
                    "--norm|none|must be a number",
                    "--kernel|plaice=gaussian|did you mean 'place'",
                    "--kernel|gaussian[0:2]|must be one kernel",
                    "--loss|smooth-insensitive(delta=1)|delta",
                    "--loss|huber|unknown loss 'huber'",
                    "--folds|1|--folds must be at least 2",
                    "--steps|0|--steps must be at least 1",
                    "--lambda|0|--lambda must be positive",
                    "--class-weight|2|--class-weight must be CLASS=WEIGHT",
                    "--plot|weights.gif|.svg or .png"
                })
        void flags(String flag, String value, String message) throws IOException {
            int code = flag.equals("--plot") ? Main.FAILED : Main.USAGE;
            refused(code, message, "--channels", CHANNELS, flag, value);
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "--joint --learn-scales|use one of them",
                    "--scale-l2 0.1|add --joint",
                    "--scale-prior 0.1|add --joint",
                    "--joint --scale-l2 -1|--scale-l2 must be at least 0",
                    "--joint --scale-prior NaN|--scale-prior must be at least 0",
                    "--joint --scale-l2 1e300|--scale-l2 must be at most 1.0E100",
                    "--joint --scale-prior 1e300|--scale-prior must be at most 1.0E100"
                })
        void flagsOfJointScales(String flags, String message) throws IOException {
            List<Object> all = new ArrayList<>(List.of("--channels", CHANNELS));
            all.addAll(Arrays.asList(flags.split(" ")));
            refused(Main.USAGE, message, all.toArray());
            refused(Main.USAGE, "--norm average learns the scale of one kernel", "--channels", "all=0:4", "--joint");
        }

        @Test
        void penaltiesAndMapsWithAdvice() throws IOException {
            refused(
                    Main.FAILED,
                    "use another penalty, or leave it out to choose one by cross-validation",
                    "--channels",
                    CHANNELS,
                    "--lambda",
                    "1e-300");
            Run.here("mkl", data, "--channels", CHANNELS, "--joint", "--map", "none")
                    .refused(Main.USAGE, "or --learn-scales learns the scales before the weights");
        }

        @Test
        void plainSolutionsOfOtherNorms() throws IOException {
            refused(Main.USAGE, "--plain is for --norm 1", "--channels", CHANNELS, "--plain", "--norm", "2");
        }

        @Test
        void lossesOfOtherLabels() throws IOException {
            Path numbers = Rings.write(
                    folder.resolve("n.csv"),
                    "x,y,z",
                    60,
                    i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + Rings.height(i));
            Run.here("mkl", numbers, "--channels", "a=0:1,b=1:2", "--loss", "logistic")
                    .refused(Main.FAILED, "the labels are numbers");
        }

        @Test
        void foldsOfOneClass() throws IOException {
            Path few = Rings.write(
                    folder.resolve("few.csv"),
                    "x,y,z",
                    20,
                    i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + (i == 3 ? "rare" : "common"));
            Run.here("mkl", few, "--channels", "a=0:1,b=1:2", "--features", 10)
                    .refused(Main.FAILED, "all rows are of the class common");
        }
    }
}
