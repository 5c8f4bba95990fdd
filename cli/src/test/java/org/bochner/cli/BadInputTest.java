package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What bad input gets: a message that names the file, the line and the column, exit code 1 (2 for wrong usage), and
 * nothing written. That there is no stack trace, and nothing on stdout, {@link Run#refused} holds.
 */
class BadInputTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    private Path file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }

    /** Runs what must be refused, and holds that it left the folder as it was. */
    private Run refused(int code, List<?> arguments, String... texts) throws IOException {
        List<String> before = listing();
        Run run = Run.here(arguments.toArray()).refused(code, texts);
        assertEquals(before, listing(), "the folder has changed");
        return run;
    }

    private List<String> listing() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(Path::toString).sorted().toList();
        }
    }

    private List<Object> train(Path data, Object... more) {
        List<Object> arguments = new ArrayList<>(List.of("train", data, "--features", 10, "--model", modelPath()));
        arguments.addAll(Arrays.asList(more));
        return arguments;
    }

    /** 1e300 times the square of a feature is beyond float32, whatever the scaling and the kernel. */
    @Test
    void rowWeightsThatOverflowAreNamed() throws IOException {
        Path rows = Rings.write(
                folder.resolve("rows.csv"),
                "a,b,w,y",
                40,
                i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + ",1e300," + Rings.height(i));
        Run run = refused(
                Main.FAILED,
                train(rows, "--weight", "w", "--map", "fourier"),
                "the row weights are too large, 1.0e+300 on average; divide all row weights");
        assertFalse(run.err().contains("--scale"), run.err());
        refused(
                Main.FAILED,
                train(rows, "--weight", "w", "--learner", "svr"),
                "because the row weights or the features are too large; divide all row weights");
    }

    /** 1e-60 times the square of a feature is 0 in float32. */
    @ParameterizedTest
    @ValueSource(strings = {"1e-310", "1e-60"})
    void rowWeightsThatUnderflowAreNamed(String weight) throws IOException {
        Path rows = Rings.write(
                folder.resolve("rows.csv"),
                "a,b,w,y",
                40,
                i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + weight + "," + Rings.height(i));
        refused(
                Main.FAILED,
                train(rows, "--weight", "w", "--map", "fourier"),
                "the row weights are too small, " + weight.replace("1e", "1.0e")
                        + " on average; divide all row weights");
        if (weight.equals("1e-310")) {
            refused(
                    Main.FAILED,
                    train(rows, "--weight", "w", "--learner", "svr"),
                    "because the row weights or the features are too small; divide all row weights");
        }
    }

    @Test
    void featuresThatOverflowNameTheParameterOfTheKernel() throws IOException {
        Path rows = file("rows.csv", "a,b,y\n1,2,p\n3,4,q\n5,1,p\n2,6,q\n");
        refused(1, train(rows, "--kernel", "arc-sine(gamma=1e300)"), "smaller gamma");
    }

    private Path modelPath() {
        return folder.resolve("m.bochner");
    }

    private static Arguments bad(String name, String content, String... texts) {
        return Arguments.of(name, content, texts);
    }

    static Stream<Arguments> badData() {
        return Stream.of(
                bad("empty.csv", "", "empty.csv: the file is empty"),
                bad("blank.csv", "\n\n", "blank.csv: the file is empty"),
                bad("empty.libsvm", "", "empty.libsvm: the file is empty"),
                bad("ragged.csv", "a,b,y\n1,2,p\n3,4\n5,6,q\n", "ragged.csv:3: ", "expected 3 cells, found 2"),
                bad("wide.csv", "a,b,y\n1,2,p\n3,4,q,5\n", "wide.csv:3: ", "expected 3 cells, found 4"),
                bad("word.csv", "a,b,y\n1,2,p\n3,oops,q\n", "word.csv:3: column 'b'", "'oops' is no number"),
                bad("nan.csv", "a,b,y\n1,2,p\n3,NaN,q\n", "nan.csv:3: column 'b'", "missing", "--missing mean"),
                bad("gap.csv", "a,b,y\n1,2,p\n3,,q\n", "gap.csv:3: column 'b'", "missing", "--missing mean"),
                bad("inf.csv", "a,b,y\n1,2,p\n3,-Infinity,q\n", "inf.csv:3: column 'b'", "finite", "-Infinity"),
                bad("huge.csv", "a,b,y\n1,2,p\n3,1e39,q\n", "huge.csv:3: column 'b'", "1e39"),
                bad("quote.csv", "a,b,y\n1,\"2,p\n3,4,q\n", "quote.csv:2"),
                bad("nan.libsvm", "1 1:2 2:3\n-1 1:nan\n", "nan.libsvm:2: column 1", "finite", "nan"),
                bad("inf.libsvm", "1 1:2 2:3\n-1 1:inf\n", "inf.libsvm:2: column 1", "finite", "inf"),
                bad("down.libsvm", "1 1:2 2:3\n-1 3:1 2:3\n", "down.libsvm:2: column 2", "ascend"),
                bad("twice.libsvm", "1 1:2 2:3\n-1 2:1 2:3\n", "twice.libsvm:2: column 2", "twice"),
                bad("far.libsvm", "1 1:2 2:3\n-1 2:1 2147483648:3\n", "far.libsvm:2: column 2147483648", "2^31"),
                bad("below.libsvm", "1 1:2 2:3\n-1 -2:1\n", "below.libsvm:2: column -2", "negative"),
                bad("word.libsvm", "1 1:2 2:3\n-1 2:x\n", "word.libsvm:2: column 2", "'x'"),
                bad("index.libsvm", "1 1:2 2:3\n-1 b:1\n", "index.libsvm:2: ", "index:value", "'b:1'"),
                bad("one.libsvm", "1 1:2 2:3\n1 2:1\n", "one.libsvm: ", "one class"),
                bad("one.csv", "a,y\n1,p\n2,p\n3,p\n", "one.csv: ", "one class"),
                bad("label.csv", "a,y\n1,p\n2,\n3,q\n", "label.csv:3: column 'y'", "the label is missing"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badData")
    void badDataIsRefusedWithItsPlace(String name, String content, String[] texts) throws IOException {
        refused(Main.FAILED, train(file(name, content)), texts);
    }

    @Nested
    class DataFiles {
        @Test
        void thatDoNotExist() throws IOException {
            refused(Main.FAILED, train(folder.resolve("nowhere.csv")), "nowhere.csv: no such file");
            Path data = Rings.csv(folder.resolve("rings.csv"), 20);
            refused(Main.FAILED, train(data, "--labels", folder.resolve("nowhere.txt")), "nowhere.txt: no such file");
            refused(Main.FAILED, train(data, "--test", folder.resolve("nowhere.t")), "nowhere.t: no such file");
        }

        @Test
        void thatAreFolders() throws IOException {
            refused(Main.FAILED, train(folder), "is a folder, not a data file");
        }

        @Test
        void thatAreCutOff() throws IOException {
            Path zipped = Rings.gzip(Rings.csv(folder.resolve("rings.csv"), 100));
            byte[] bytes = Files.readAllBytes(zipped);
            Files.write(zipped, Arrays.copyOf(bytes, bytes.length / 2));
            refused(Main.FAILED, train(zipped), "rings.csv.gz", "cut off");
            Path array = Rings.npy(folder.resolve("rings.npy"), 100);
            bytes = Files.readAllBytes(array);
            Files.write(array, Arrays.copyOf(bytes, bytes.length - 3));
            refused(Main.FAILED, train(array, "--label", "last"), "rings.npy");
        }

        @Test
        void ofUnequalLength() throws IOException {
            Path data = Rings.npy(folder.resolve("rings.npy"), 20);
            Path labels = Rings.labels(folder.resolve("labels.txt"), 19);
            refused(Main.FAILED, train(data, "--labels", labels), "rings.npy", "labels.txt", "20", "19");
        }

        @Test
        void withoutLabelsWhereSomeAreNeeded() throws IOException {
            Path data = Rings.npy(folder.resolve("rings.npy"), 20);
            refused(Main.FAILED, train(data), "rings.npy", "no labels", "--labels FILE");
            Path labels = Rings.labels(folder.resolve("labels.txt"), 20);
            refused(
                    Main.FAILED,
                    train(data, "--labels", labels, "--test", data),
                    "rings.npy",
                    "no labels",
                    "--test-labels");
        }

        @Test
        void whoseIndicesCountFromZeroWhereTheyMustNot() throws IOException {
            Path zero = file("zero.libsvm", "1 1:2 2:3\n-1 0:1 2:3\n");
            refused(Main.FAILED, train(zero, "--index-base", 1), "zero.libsvm:2: column 0", "count from 1");
            // At predict time, the training data have said from where they count.
            Path data = Rings.libsvm(folder.resolve("rings.libsvm"), 20);
            Run.here(train(data).toArray()).worked();
            refused(
                    Main.FAILED,
                    List.of("predict", modelPath(), zero, "--threads", 1, "--output", folder.resolve("p.txt")),
                    "zero.libsvm:2: column 0");
        }
    }

    @Nested
    class Columns {
        @Test
        void thatDoNotExist() throws IOException {
            Path data = Rings.csv(folder.resolve("rings.csv"), 20);
            refused(Main.FAILED, train(data, "--label", "wher"), "rings.csv: no label column 'wher'", "'where'");
            refused(Main.FAILED, train(data, "--label", "3"), "no label column '3'", "0 to 2");
            refused(Main.FAILED, train(data, "--weight", "w"), "no weight column 'w'", "x, y, where");
            refused(Main.FAILED, train(data, "--categorical", "z"), "no categorical column 'z'");
            refused(Main.FAILED, train(data, "--positive", "iner"), "no class 'iner'", "did you mean 'inner'");
        }

        @Test
        void beyondThoseOfTraining() throws IOException {
            Path data = Rings.csv(folder.resolve("rings.csv"), 20);
            Run.here(train(data).toArray()).worked();
            Path wide = file("wide.csv", "1,2,3,inner\n");
            Path output = folder.resolve("p.txt");
            refused(
                    Main.FAILED,
                    List.of("predict", modelPath(), wide, "--output", output),
                    "wide.csv:1: ",
                    "expected 2 columns",
                    "found 4");

            Run.here(train(Rings.libsvm(folder.resolve("rings.libsvm"), 20)).toArray())
                    .worked();
            Path sparse = file("wide.libsvm", "1 1:2\n-1 3:4\n");
            refused(
                    Main.FAILED,
                    List.of("predict", modelPath(), sparse, "--output", output),
                    "wide.libsvm:2: column 3",
                    "2 columns");
            refused(Main.FAILED, List.of("evaluate", modelPath(), sparse), "wide.libsvm:2: column 3");
        }

        @Test
        void ofAKernelThatTheDataLack() throws IOException {
            Path data = Rings.csv(folder.resolve("rings.csv"), 20);
            for (String kernel : List.of("gaussian(sigma=1)[0:5]", "gaussian[0:5]")) {
                String[] texts = {"rings.csv: has 2 columns", kernel + " needs 5 columns", "name columns within [0:2]"};
                refused(Main.FAILED, train(data, "--kernel", kernel), texts);
                refused(Main.FAILED, List.of("error", data, "--kernel", kernel, "--features", 4), texts);
            }
            refused(
                    Main.FAILED,
                    train(data, "--scale", "unit-l1[0:1] + standard[1:5]"),
                    "rings.csv: has 2 columns",
                    "standard[1:5] needs 5 columns",
                    "name columns within [0:2]");
        }
    }

    @Nested
    class Histograms {
        private static final String GOOD = "1,2,3,a\n4,0,6,b\n7,8,9,a\n1,1,1,b\n";
        private static final String BAD = "1,2,3,a\n4,0,6,b\n7,8,-9,a\n1,1,1,b\n";
        private static final String SPARSE = "1 1:1 2:2 3:3\n2 1:4 3:6\n1 1:7 2:8 3:-9\n2 1:1\n";

        private List<Object> histogram(String command, Path data, Object... more) {
            List<Object> arguments = new ArrayList<>(List.of(command, data));
            arguments.addAll(Arrays.asList(more));
            return arguments;
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                chi2                        | chi2 compares histograms and needs values of at least 0, got -9
                exp-intersection            | needs values of at least 0, got -9
                laplace-chi2(beta=1)        | needs values of at least 0, got -9
                skewed-chi2(c=0.5)          | skewed-chi2(c=0.5) needs values greater than -0.5, got -9; shift the data or choose c > 9
                skewed-chi2(c=9, power=0.5) | skewed-chi2(c=9) needs values greater than -9, got -9
                """)
        void withNegativeValuesAreRefusedWithRowAndColumn(String kernel, String text) throws IOException {
            for (Path data : List.of(file("bad.csv", BAD), file("bad.libsvm", SPARSE))) {
                String place = data.getFileName() + ":3: column 2 (from 0): ";
                refused(Main.FAILED, histogram("train", data, "--kernel", kernel), place, text);
                refused(Main.FAILED, histogram("error", data, "--kernel", kernel), place, text);
            }
        }

        @ParameterizedTest
        @CsvSource({"--holdout,0.5", "--group,g"})
        void withNegativeValuesAreRefusedWithTheLineOfTheFileWhereRowsAreHeldOut(String flag, String value)
                throws IOException {
            Path data = Rings.write(
                    folder.resolve("held.csv"),
                    "g,a,b,y",
                    60,
                    i -> i / 3 + "," + (1 + i) + "," + (i == 43 ? -9 : 2) + "," + (i % 2 == 0 ? "p" : "q"));
            List<String> flags = flag.equals("--group")
                    ? List.of("--holdout", "0.5", flag, value)
                    : List.of(flag, value, "--ignore", "g");
            // With some seeds the row is trained on, with others it is held out.
            for (int seed = 1; seed <= 4; seed++) {
                List<Object> arguments = new ArrayList<>(List.of("train", data, "--kernel", "chi2", "--seed", seed));
                arguments.addAll(flags);
                refused(Main.FAILED, arguments, "held.csv:45: column 'b' (1, from 0): ", "got -9");
            }
        }

        @Test
        void withNegativeValuesAreRefusedByAModel() throws IOException {
            Path good = file("good.csv", GOOD);
            Run.here("train", good, "--kernel", "chi2", "--model", modelPath()).worked();
            for (Path data : List.of(file("bad.csv", BAD), file("bad.libsvm", SPARSE))) {
                String place = data.getFileName() + ":3: column 2 (from 0): ";
                refused(Main.FAILED, List.of("predict", modelPath(), data), place, "got -9");
                refused(Main.FAILED, List.of("evaluate", modelPath(), data), place, "got -9");
            }
        }

        @Test
        void thatScalingMadeNegativeSayWhichScaling() throws IOException {
            Path good = file("good.csv", GOOD);
            refused(
                    Main.FAILED,
                    histogram("train", good, "--kernel", "chi2", "--scale", "standard"),
                    "good.csv:1: column 0 (from 0): chi2",
                    "(values after the scaling 'standard')");
            Run.here("train", good, "--kernel", "chi2", "--scale", "min-max", "--model", modelPath())
                    .worked();
            // 0 is below the least of the first column in training.
            refused(
                    Main.FAILED,
                    List.of("predict", modelPath(), file("below.csv", "0,2,3\n")),
                    "below.csv:1: column 0 (from 0): chi2",
                    "(values after the scaling 'min-max')");
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                chi2                  | exact              | chi2 has no exact map of finite size
                chi2                  | fourier            | map 'fourier' is not for kernels such as chi2; take one of auto
                chi2                  | piecewise          | is for intersection, not for chi2
                hellinger             | sampled            | hellinger has no spectrum to sample; take exact
                gaussian              | sampled            | is not for kernels such as gaussian
                skewed-chi2(c=1)      | orthogonal         | take fourier or quasi
                chi2[0:1] + chi2[1:3] | sampled+exact+auto | there are 3 maps for the 2 terms
                """)
        void ofAKernelThatTheMapDoesNotFitAreWrongUsage(String kernel, String map, String text) throws IOException {
            Path good = file("good.csv", GOOD);
            refused(Main.USAGE, histogram("train", good, "--kernel", kernel, "--map", map), text);
            refused(Main.USAGE, histogram("error", good, "--kernel", kernel, "--map", map), text);
            refused(
                    Main.USAGE,
                    histogram("transform", good, "--kernel", kernel, "--map", map, "--output", folder.resolve("z.csv")),
                    text);
        }

        @Test
        void whoseNumberOfFeaturesFollowsTakeNoOther() throws IOException {
            refused(
                    Main.USAGE,
                    histogram(
                            "train",
                            file("good.csv", GOOD),
                            "--kernel",
                            "chi2",
                            "--map",
                            "sampled(order=1)",
                            "--features",
                            500),
                    "follows from the map of chi2, sampled(order=1)",
                    "got 500; leave the number out");
        }

        @Test
        void withMoreLandmarksThanRowsNameTheFlagThatHasTheirNumber() throws IOException {
            Path data = file("good.csv", GOOD);
            String[] kernel = {"--kernel", "gaussian(sigma=1)"};
            Run.here("train", data, kernel[0], kernel[1], "--map", "landmarks(features=500, by=pivots)")
                    .refused(Main.FAILED, "500 landmarks", "--map 'landmarks(features=4, by=pivots)' takes all rows");
            Run.here("train", data, kernel[0], kernel[1], "--map", "landmarks", "--features", 500)
                    .refused(Main.FAILED, "500 landmarks", "--features 4 takes all rows");
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                exp-chi2           | no gamma of exp-chi2 can be taken from them; give it, as in exp-chi2(gamma=1)
                matern-chi2(nu=1)  | no sigma of matern-chi2(nu=1) can be taken from them; give it, as in matern-chi2(nu=1, sigma=1)
                laplace-chi2[1:3]  | no beta of laplace-chi2[1:3] can be taken from them; give it, as in laplace-chi2(beta=1)[1:3]
                skewed-chi2(c=0.1) | rows are equal after log(c=0.1); no power of skewed-chi2(c=0.1) can be taken
                gaussian           | rows are equal; no sigma of gaussian can be taken
                """)
        void thatAreAllEqualHaveNoScale(String kernel, String text) throws IOException {
            refused(Main.FAILED, histogram("train", file("equal.csv", "1,2,3,a\n1,2,3,b\n"), "--kernel", kernel), text);
        }
    }

    @Nested
    class Channels {
        private List<Object> command(String command, Object... more) {
            // The files do not exist, and are not missed.
            List<Object> arguments = new ArrayList<>(
                    List.of(command, "--channel", "east=nowhere.csv", "--channel", "north=nowhere.csv"));
            arguments.addAll(Arrays.asList(more));
            return arguments;
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                --kernel | gaussian[nort]                  | unknown channel 'nort'; did you mean 'north'? (the data has east, north)
                --kernel | gausian[north]                  | unknown kernel 'gausian'; did you mean 'gaussian'?
                --kernel | gaussian(sigma=1)[north         | expected columns written [from:to]
                --kernel | gaussian[0:300]+gaussian[9:400] | the channels [0:300] and [9:400] share the columns [9:300]
                --scale  | unit-l1[nort]                   | unknown channel 'nort'; did you mean 'north'? (the data has east, north)
                --scale  | unit-l3[north] + none[east]     | unknown scaling 'unit-l3'; did you mean 'unit-l1'?
                --scale  | unit-l1[0:9]+standard[8:12]     | unit-l1[0:9] and standard[8:12] share the columns [8:9]
                """)
        void thatAreMisspelledAreSeenBeforeDataAreRead(String flag, String value, String text) throws IOException {
            refused(Main.USAGE, command("train", flag, value), text);
            refused(Main.USAGE, command("error", flag, value), text);
            refused(Main.USAGE, command("transform", flag, value, "--output", folder.resolve("z.csv")), text);
        }

        @Test
        void thatTheDataLack() throws IOException {
            Path data = Rings.csv(folder.resolve("rings.csv"), 20);
            refused(
                    Main.USAGE,
                    train(data, "--scale", "unit-l1[*]"),
                    "the data has none",
                    "--channel NAME=FILE",
                    "[0:20]");
            // A name may be that of a column, where the file has a header.
            refused(Main.USAGE, train(data, "--scale", "unit-l1[east]"), "unknown column 'east'", "the data has x, y");
            refused(
                    Main.USAGE,
                    List.of("error", "--domain", "0:1", "--kernel", "gaussian(sigma=1)[east]"),
                    "the data has none");
        }

        @Test
        void whoseColumnsOverlapWithNumberedOnes() throws IOException {
            Path xs = Rings.write(folder.resolve("x.csv"), "x,z", 20, i -> Rings.x(i, 0) + "," + i);
            Path ys = Rings.write(folder.resolve("y.csv"), "y,where", 20, i -> Rings.x(i, 1) + "," + Rings.label(i));
            refused(
                    Main.USAGE,
                    List.of(
                            "train",
                            "--channel",
                            "east=" + xs,
                            "--channel",
                            "north=" + ys,
                            "--label",
                            "where",
                            "--scale",
                            "unit-l1[east] + standard[1:3]"),
                    "unit-l1[0:2] and standard[1:3] share the columns [1:2]");
        }
    }

    @Nested
    class Models {
        private Path model() throws IOException {
            Run.here(train(Rings.csv(folder.resolve("rings.csv"), 40)).toArray())
                    .worked();
            return modelPath();
        }

        private void assertNoModel(String text) throws IOException {
            Path data = folder.resolve("rings.csv");
            String name = modelPath().getFileName().toString();
            refused(Main.FAILED, List.of("predict", modelPath(), data), name, text);
            refused(Main.FAILED, List.of("evaluate", modelPath(), data), name, text);
            refused(Main.FAILED, List.of("inspect", modelPath()), name, text);
            refused(Main.FAILED, List.of("prune", modelPath(), data, "--keep", 0.5), name, text);
            refused(
                    Main.FAILED,
                    List.of("transform", data, "--model", modelPath(), "--output", folder.resolve("z.csv")),
                    name,
                    text);
        }

        @Test
        void thatDoNotExist() throws IOException {
            Rings.csv(folder.resolve("rings.csv"), 4);
            assertNoModel("no such model file");
        }

        @Test
        void thatAreTruncated() throws IOException {
            byte[] whole = Files.readAllBytes(model());
            for (int length : new int[] {0, 5, 8, 100, whole.length / 2, whole.length - 1}) {
                Files.write(modelPath(), Arrays.copyOf(whole, length));
                assertNoModel("is ");
            }
        }

        @Test
        void inWhichABitIsFlipped() throws IOException {
            Path model = model();
            long size = Files.size(model);
            for (long at = 0; at < size; at += size / 23) {
                flip(model, at);
                refused(Main.FAILED, List.of("inspect", model), "m.bochner");
                flip(model, at);
            }
            Run.here("inspect", model).worked();
        }

        private void flip(Path model, long at) throws IOException {
            try (RandomAccessFile bytes = new RandomAccessFile(model.toFile(), "rw")) {
                bytes.seek(at);
                int value = bytes.read();
                bytes.seek(at);
                bytes.write(value ^ 4);
            }
        }

        @Test
        void thatAreSomethingElse() throws IOException {
            Rings.csv(folder.resolve("rings.csv"), 4);
            Files.writeString(modelPath(), "x,y,where\n1,2,inner\n");
            assertNoModel("not a Bochner model");
            byte[] header = "{\"__metadata__\":{\"format\":\"pt\"}}".getBytes(StandardCharsets.US_ASCII);
            byte[] foreign = new byte[8 + header.length];
            foreign[0] = (byte) header.length;
            System.arraycopy(header, 0, foreign, 8, header.length);
            Files.write(modelPath(), foreign);
            assertNoModel("not a Bochner model");
        }
    }

    @Nested
    class OutputCoding {
        @Test
        void thatWouldReplaceTheData() throws IOException {
            Path data = Rings.csv(folder.resolve("rings.csv"), 20);
            refused(Main.USAGE, List.of("train", data, "--model", data), "--model", "is also an input");
            refused(
                    Main.USAGE,
                    List.of("transform", data, "--kernel", "gaussian(sigma=1)", "--output", data),
                    "--output",
                    "is also an input");
        }

        @Test
        void thatCannotBeWrittenAreFoundBeforeDataAreRead() throws IOException {
            // The data do not exist; that the output is refused first shows that it was looked at before them.
            Path data = folder.resolve("nowhere.csv");
            Path model = folder.resolve("nowhere.bochner");
            Path file = file("file", "");
            for (Path target : List.of(folder.resolve("nofolder").resolve("out"), folder, file.resolve("out"))) {
                String shown = target.toString();
                refused(Main.FAILED, List.of("train", data, "--model", target), shown);
                refused(Main.FAILED, List.of("predict", model, data, "--output", target), shown);
                refused(Main.FAILED, List.of("transform", data, "--output", target + ".csv"), shown);
            }
            refused(Main.FAILED, List.of("transform", data, "--output", "z.txt"), "z.txt", ".libsvm, .csv");
        }

        @Test
        void keepTheirOldContentWhereARunFails() throws IOException {
            Path old = file("m.bochner", "old");
            refused(Main.FAILED, train(file("one.csv", "a,y\n1,p\n2,p\n")), "one class");
            assertEquals("old", Files.readString(old));
        }
    }

    @Nested
    class Usage {
        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                --kernel   | gausian               | unknown kernel 'gausian'; did you mean 'gaussian'?
                --kernel   | rbf                   | unknown kernel 'rbf'; did you mean 'gaussian'?
                --map      | rff                   | unknown map 'rff'; did you mean 'fourier'?
                --learner  | svc                   | unknown learner 'svc'; did you mean 'svm'?
                --scale    | standard-scaler       | unknown scaling 'standard-scaler'; did you mean 'standard'?
                --calibrate | sigmoid              | unknown calibration 'sigmoid'; did you mean 'platt'?
                --kernel   | gaussian(sgma=1)      | no parameter 'sgma'; did you mean 'sigma'?
                --kernel   | gaussian(sigma=0)     | sigma must be positive and finite, got 0
                --kernel   | gaussian(sigma=-1)    | sigma must be positive and finite, got -1
                --kernel   | gaussian(sigma=nan)   | sigma must be
                --kernel   | gaussian(sigma=wide)  | sigma
                --kernel   | gaussian(sigma=1      | gaussian
                --kernel   | matern(nu=0)          | nu must be positive
                --kernel   | gaussian +            | kernel
                --map      | fourrier              | unknown map 'fourrier'; did you mean 'fourier'?
                --map      | fourier(phse)         | no parameter 'phse'; did you mean 'phase'?
                --scale    | standart              | unknown scaling 'standart'; did you mean 'standard'?
                --scale    | divide(by=0)          | by must be positive
                --learner  | rigde                 | unknown learner 'rigde'
                --learner  | ridge(lamda=1)        | no parameter 'lamda'; did you mean 'lambda'?
                --learner  | ridge(lambda=-1)      | lambda must be
                --features | 0                     | --features must be at least 1, got 0
                --features | -4                    | --features must be at least 1, got -4
                --features | many                  | '--features': must be a whole number, got 'many'
                --features | 11                    | must be even, got 11; take 10 or 12, or fourier(phase)
                --threads  | 0                     | --threads must be at least 1, got 0
                --seed     | x                     | '--seed': must be a whole number, got 'x'
                --task     | clasify               | must be auto, classify or regress, got 'clasify'; did you mean 'classify'?
                --format   | xls                   | must be auto, libsvm, csv, npy or idx, got 'xls'
                --header   | maybe                 | must be auto, yes or no, got 'maybe'
                --missing  | median                | must be error, mean or indicator, got 'median'
                --precision | half                 | --precision must be float or double, got 'half'
                --holdout  | 1.5                   | --holdout must lie strictly between 0 and 1, got 1.5
                --holdout  | NaN                   | --holdout must lie strictly between 0 and 1
                --holdout  | 120%                  | --holdout must lie strictly between 0 and 1, got 1.2
                --holdout  | fifth%                | '--holdout': must be a number or a percentage, such as 0.2 or 20%, got 'fifth%'
                --validation | 0%                  | --validation must lie strictly between 0 and 1, got 0
                --columns  | 0                     | --columns must be at least 1, got 0
                --index-base | 2                   | --index-base must be 0 or 1, got 2
                --delimiter | ab                   | '--delimiter'
                --channel  | x.csv                 | --channel must be NAME=FILE, got 'x.csv'
                --test-labels | x.csv              | --test-labels needs test rows
                --featurs  | 10                    | unknown option '--featurs'; did you mean '--features'?
                --xyzzy    | 10                    | unknown option '--xyzzy'
                """)
        void ofTrainThatIsWrongIsSeenBeforeDataAreRead(String flag, String value, String text) throws IOException {
            // The data do not exist, and are not missed.
            Run run = refused(Main.USAGE, List.of("train", "nowhere.csv", flag, value), text);
            assertTrue(run.err().contains("Try 'bochner train --help'"), run.err());
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                tran                                                  | unknown command 'tran'; did you mean 'train'?
                trian                                                 | unknown command 'trian'; did you mean 'train'?
                frobnicate                                            | unknown command 'frobnicate'; known: train, path
                help nothing                                          | 'nothing'
                train                                                 | no data given
                train a b                                             | one argument too many: 'b'
                train a --holdout 0.5 --test b                        | give either --holdout or --test, not both
                predict                                               | 'MODEL'
                predict m                                             | no data given
                predict m a --json                                    | unknown option '--json'
                evaluate m                                            | no data given
                train - --test -                                      | stdin (-) can be the training data or the test data
                inspect                                               | 'MODEL'
                prune                                                 | 'MODEL'
                prune m --keep 0.5                                    | no data given
                prune m a                                             | give either --keep SHARE or --max-loss PERCENT
                prune m a --keep 0.5 --max-loss 1%                    | give either --keep SHARE or --max-loss PERCENT
                prune m a --keep 0                                    | --keep must be above 0 and at most 1, got 0
                prune m a --keep -0.1                                 | --keep must be above 0 and at most 1, got -0.1
                prune m a --keep 1.01                                 | --keep must be above 0 and at most 1, got 1.01
                prune m a --keep 101%                                 | --keep must be above 0 and at most 1, got 1.01
                prune m a --keep NaN                                  | --keep must be above 0 and at most 1, got NaN
                prune m a --keep few                                  | must be a number or a percentage, such as 0.2 or 20%, got 'few'
                prune m a --max-loss 0.5                              | such as 0.5%, got '0.5'
                prune m a --max-loss -1%                              | --max-loss must be at least 0%, got -1%
                prune m a --max-loss NaN%                             | --max-loss must be at least 0%, got NaN%
                prune m a --max-loss x%                               | --max-loss must be a number or a percentage, such as 0.2 or 20%, got 'x%'
                prune m a --keep 0.5 --holdout 1                      | strictly between 0 and 1, got 1
                prune m a --keep 0.5 --holdout 0.2 --test b           | give either --holdout or --test, not both
                prune m a --keep 0.5 --test-labels b                  | --test-labels needs test rows
                prune m - --keep 0.5                                  | DATA is read several times, so it cannot be stdin
                prune m a --keep 0.5 --test -                         | --test is read several times, so it cannot be stdin
                prune m a --keep 0.5 --output m                       | --output m is also an input (MODEL m)
                prune m a --keep 0.5 --plot m                         | --plot m is also an input (MODEL m)
                prune m a --keep 0.5 --output z --plot z              | --output z and --plot z name the same file
                transform a                                           | '--output=FILE'
                transform a --output z.csv --features 7               | must be even
                error                                                 | give either DATA or --domain
                error a --domain 0:1                                  | give either DATA or --domain
                error --domain 0:1                                    | gaussian(sigma=1)
                error --domain 1:0 --kernel gaussian(sigma=1)         | LOW must be less than HIGH
                error --domain 0 --kernel gaussian(sigma=1)           | must be LOW:HIGH, got '0'
                error --domain [0:1 --kernel gaussian(sigma=1)        | --domain '[0:1': a bracket is not closed
                error --domain 0:x --kernel gaussian(sigma=1)         | HIGH must be a number, got 'x'
                error --domain 0:1 --kernel gaussian(sigma=1) --features 7 | must be even
                design                                                | '--kernel=K'
                design --kernel chi2                                  | give either --dimension D
                design --kernel chi2 --dimension 3 a --universal      | give only one of DATA
                """)
        void thatIsWrongIsToldApartFromFailure(String line, String text) throws IOException {
            Run run = refused(Main.USAGE, List.of((Object[]) line.strip().split(" +")), text);
            assertTrue(run.err().contains("Try 'bochner"), run.err());
        }

        @Test
        void withoutACommandShowsTheHelp() {
            Run run = Run.here().refused(Main.USAGE, "no command was given");
            assertTrue(run.err().contains("Usage: bochner"), run.err());
        }
    }

    @Test
    void moreFeaturesThanMemoryAreRefusedBeforeDataAreRead() throws IOException {
        refused(
                Main.FAILED,
                List.of("train", "nowhere.csv", "--features", 1_000_000),
                "1000000 features would take 16",
                "GB of memory",
                "use at most");
        // 8 D² does not fit a long here: a thousand times as many features need a million times the memory.
        refused(
                Main.FAILED,
                List.of("train", "nowhere.csv", "--features", 1_000_000_000),
                "1000000000 features would take 16,000,0",
                " GB of memory",
                "use at most");
        refused(
                Main.FAILED,
                List.of("train", "nowhere.csv", "--features", Integer.MAX_VALUE - 1),
                "2147483646 features would take 73,7",
                "use at most");
        // Learners that go over the rows have no matrix of the features, and still must map them.
        for (String learner : List.of("logistic(l2=1)", "svm(C=1, solver=stream)", "ridge(lambda=1, solver=cg)")) {
            refused(
                    Main.FAILED,
                    List.of("train", "nowhere.csv", "--learner", learner, "--features", 1_000_000_000),
                    "1000000000 features",
                    "GB of memory",
                    "use at most");
        }
    }

    @Test
    void moreFeaturesThanAnArrayHoldsAreRefusedWithTheNumberThatFits() throws IOException {
        refused(
                Main.USAGE,
                List.of("train", "nowhere.csv", "--features", Integer.MAX_VALUE),
                "must be even, got 2147483647; take 2147483646, or fourier(phase)");
        refused(
                Main.USAGE,
                List.of("train", "nowhere.csv", "--features", "2147483648"),
                "'--features': must be at most 2147483647, got 2147483648");
        Path data = Rings.csv(folder.resolve("rings.csv"), 20);
        for (String map : List.of("fourier", "orthogonal", "quasi", "structured")) {
            refused(
                    Main.FAILED,
                    List.of(
                            "transform",
                            data,
                            "--map",
                            map,
                            "--features",
                            Integer.MAX_VALUE - 1,
                            "--output",
                            folder.resolve("z.npy")),
                    map + ": 1073741823 frequencies of 2 columns",
                    "at most");
        }
    }

    @Test
    void aFlagThatIsGivenTwiceIsRefusedBecauseItWouldUndoOthers() throws IOException {
        refused(
                Main.USAGE,
                List.of("train", "nowhere.csv", "--kernel", "linear", "--features", 10, "--features", 20),
                "option '--features' is given 2 times; give it once");
    }

    @Test
    void probabilitiesAreNotMadeUp() throws IOException {
        Path data = Rings.csv(folder.resolve("rings.csv"), 40);
        Run.here(train(data).toArray()).worked();
        refused(Main.FAILED, List.of("predict", modelPath(), data, "--probabilities"), "no probabilities", "--scores");
    }

    @Test
    void pruningOnLabelsThatTheModelDoesNotKnowNamesThoseItKnows() throws IOException {
        Path data = Rings.csv(folder.resolve("rings.csv"), 40);
        Run.here(train(data).toArray()).worked();
        Path other = Rings.write(
                folder.resolve("other.csv"),
                "x,y,where",
                40,
                i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + ",ring " + Rings.label(i));
        refused(
                Main.FAILED,
                List.of("prune", modelPath(), other, "--keep", 0.5),
                "other.csv:2: the label is none of the model's classes (inner, outer)",
                "--labels FILE");
    }

    @Test
    void pruningNamesTheRowOfTheFileWhereRowsAreHeldOut() throws IOException {
        Path data = Rings.csv(folder.resolve("rings.csv"), 40);
        Run.here(train(data).toArray()).worked();
        Path other = Rings.write(
                folder.resolve("other.csv"),
                "x,y,where",
                400,
                i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + (i < 345 || i > 352 ? Rings.label(i) : "elsewhere"));
        Run run = Run.here("prune", modelPath(), other, "--keep", 0.5, "--holdout", 0.5, "--seed", 2);
        run.refused(Main.FAILED, "other.csv:34", ": the label is none of the model's classes");
    }

    @Test
    void topAnswersOfAModelOfNumbersAreWrongUsage() throws IOException {
        Path data = Rings.write(
                folder.resolve("n.csv"), "x,y,z", 40, i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + i * 0.37);
        Run.here(train(data).toArray()).worked();
        for (int top : new int[] {1, 2}) {
            refused(
                    Main.USAGE,
                    List.of("evaluate", modelPath(), data, "--top", top),
                    "--top " + top + ": the model predicts numbers, not classes");
        }
    }

    @Test
    void moreThreadsThanProcessorsAreNotUsedAndANoteSaysSo() throws IOException {
        Path data = Rings.csv(folder.resolve("rings.csv"), 40);
        int processors = Runtime.getRuntime().availableProcessors();
        Run run = Run.here("train", data, "--features", 10, "--threads", 10_000, "--json")
                .worked();
        assertEquals(processors, (int) run.number("threads"));
        assertTrue(
                run.err().contains("note: --threads 10000 is more than the number of processors; " + processors),
                run.err());
        assertEquals(
                "",
                Run.here("train", data, "--features", 10, "--threads", 10_000, "--json", "--quiet")
                        .worked()
                        .err());
        assertFalse(Run.here("train", data, "--features", 10, "--threads", processors)
                .worked()
                .err()
                .contains("--threads"));
    }

    @Test
    void adviceNamesOnlyFlagsThatHelpTheCommand() throws IOException {
        Path data = file("t.csv", "c,x,y\nred,1,a\nblue,2,b\nred,3,a\nblue,1,b\n");
        Path unseen = file("unseen.csv", "c,x,y\ngreen,1,a\n");
        Run.here(train(data, "--test", unseen).toArray()).refused(Main.FAILED, "no category 'green'", "--unseen zeros");
        Run.here(train(data).toArray()).worked();
        Run.here("predict", modelPath(), unseen).refused(Main.FAILED, "--unseen zeros");
        Run run = Run.here("transform", unseen, "--model", modelPath(), "--output", folder.resolve("z.csv"))
                .refused(Main.FAILED, "no category 'green'");
        assertFalse(run.err().contains("--unseen"), run.err());
        run = Run.here("evaluate", modelPath(), file("gap.csv", "c,x,y\nred,1,\n"))
                .refused(Main.FAILED, "the label is missing");
        assertFalse(run.err().contains("--label none"), run.err());
    }

    @Test
    void classesOfTheWeightsMayBeWrittenAsInTheFile() throws IOException {
        Path data = file("t.libsvm", "+1 1:1\n-1 1:2\n+1 1:3\n-1 1:4\n");
        Run.here(train(data, "--class-weight", "+1=3").toArray()).worked();
    }

    @Test
    void modelsToStartFromHaveNoPrincipalComponents() throws IOException {
        Path data = file("t.csv", "x,z,y\n1,2,a\n2,1,b\n3,5,a\n4,2,b\n");
        Run.here(train(data).toArray()).worked();
        Run.here("train", data, "--start", modelPath(), "--pca", 2).refused(Main.USAGE, "--start", "--pca");
    }

    @Test
    void namesOfClassesStayOnOneLine() throws IOException {
        Path data = file("t.csv", "x,y\n1,\"a\nb\"\n2,c\n3,c\n");
        refused(Main.FAILED, train(data, "--class-weight", "d=2"), "its classes are a\\nb, c");
    }

    @Test
    void debugShowsWhere() throws IOException {
        Run run = Run.here("train", file("empty.csv", ""), "--debug");
        assertEquals(Main.FAILED, run.code());
        assertTrue(run.err().startsWith("bochner: "), run.err());
        assertTrue(run.err().contains("\tat org.bochner."), run.err());
    }
}
