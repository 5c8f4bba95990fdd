package org.bochner.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command on data that Spark reads, in this process. */
@NullUnmarked // JUnit sets fields, and a test that meets null fails
@ExtendWith(LocalSpark.class)
class ShellCommandTest {
    private static final List<String> QUICK =
            List.of("--kernel", "gaussian(sigma=1)", "--features", "64", "--scale", "standard");

    private final SparkSession spark;

    @TempDir
    private Path folder;

    private Path csv = Path.of("");

    ShellCommandTest(SparkSession spark) {
        this.spark = spark;
    }

    @BeforeEach
    void writeTable() throws IOException {
        csv = ShellRun.table(folder.resolve("table.csv"), 400, 1);
    }

    private Dataset<Row> frame() {
        return spark.read().option("header", true).option("inferSchema", true).csv(csv.toString());
    }

    /** Returns the arguments, then the flags of a quick training, then more arguments. */
    private static Object[] quick(Object... arguments) {
        List<Object> all = new ArrayList<>(Arrays.asList(arguments));
        all.addAll(QUICK);
        return all.toArray();
    }

    private Path file(String name) {
        return folder.resolve(name);
    }

    /** Fails unless scores of two models on the table agree to 1e-4 of their deviation, the target for float32 features. */
    private void assertSameScores(Path one, Path other, Path data, String... flags) {
        List<Object> first = new ArrayList<>(List.of("predict", one, data, "--scores"));
        List<Object> second = new ArrayList<>(List.of("predict", other, data, "--scores"));
        first.addAll(List.of(flags));
        second.addAll(List.of(flags));
        double[] a = ShellRun.onFiles(first.toArray()).numbers();
        double[] b = ShellRun.onFiles(second.toArray()).numbers();
        double mean = Arrays.stream(a).average().orElseThrow();
        double deviation = Math.sqrt(
                Arrays.stream(a).map(x -> (x - mean) * (x - mean)).average().orElseThrow());
        assertArrayEquals(a, b, 1e-4 * deviation);
    }

    @Nested
    class Training {
        @Test
        void makesTheChoicesOfTheCommandOnCsvAndPrintsItsKeys() {
            Object[] arguments = {
                "train", csv, "--ignore", "weight", "--holdout", "0.25", "--features", "64", "--seed", "3", "--json"
            };
            List<Object> onFiles = new ArrayList<>(Arrays.asList(arguments));
            onFiles.addAll(List.of("--model", file("files.bochner")));
            List<Object> onSpark = new ArrayList<>(Arrays.asList(arguments));
            onSpark.addAll(List.of("--model", file("spark.bochner")));
            Map<?, ?> expected = ShellRun.onFiles(onFiles.toArray()).json();
            Map<?, ?> found = ShellRun.onSpark(spark, onSpark.toArray()).json();
            assertEquals(expected.keySet(), found.keySet());
            for (String key : List.of(
                    "rows", "columns", "label", "classes", "task", "kernel", "map", "scaling", "error", "data")) {
                assertEquals(expected.get(key), found.get(key), key);
            }
            assertSameScores(file("files.bochner"), file("spark.bochner"), csv, "--ignore", "weight");
        }

        @ParameterizedTest
        @ValueSource(strings = {"parquet", "orc", "json"})
        void readsFoldersOfSeveralFiles(String format) throws IOException {
            // The order of the rows is that of the files, so the command reads the rows as Spark returns them.
            String path = file("rows").toString();
            frame().repartition(3).write().format(format).save(path);
            List<String> names = List.of("length", "width", "colour", "weight", "time", "kind");
            Dataset<Row> rows = spark.read().format(format).load(path).selectExpr(names.toArray(new String[0]));
            List<String> lines = new ArrayList<>(List.of(String.join(",", names)));
            rows.collectAsList().forEach(row -> lines.add(row.mkString(",")));
            Path same = Files.write(file("same.csv"), lines);
            Object[] spoken =
                    quick("train", path, "--label", "kind", "--weight", "weight", "--model", file("spark.bochner"));
            ShellRun.onSpark(spark, spoken).succeeded();
            ShellRun.onFiles(quick("train", same, "--weight", "weight", "--model", file("files.bochner")))
                    .succeeded();
            ShellRun evaluated = ShellRun.onSpark(spark, "evaluate", file("spark.bochner"), path);
            assertTrue(evaluated.succeeded().out().contains("400"), evaluated.out());
            if (!format.equals("json")) {
                assertSameScores(file("files.bochner"), file("spark.bochner"), csv, "--ignore", "weight");
            }
        }

        @Test
        void readsLibsvmAsTheCommandDoes() throws IOException {
            List<String> lines = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                int a = 1 + i * 7 % 20;
                int b = 21 + i * 11 % 19;
                lines.add((a + b) % 3 + " " + a + ":1 " + b + ":0.5");
            }
            Path file = Files.write(file("rows.svm"), lines);
            ShellRun.onSpark(spark, quick("train", file, "--model", file("spark.bochner")))
                    .succeeded();
            ShellRun.onFiles(quick("train", file, "--model", file("files.bochner")))
                    .succeeded();
            ShellRun expected = ShellRun.onFiles("evaluate", file("files.bochner"), file);
            assertEquals(
                    expected.succeeded().out(),
                    ShellRun.onFiles("evaluate", file("spark.bochner"), file).out());
            assertEquals(
                    expected.out(),
                    ShellRun.onSpark(spark, "evaluate", file("files.bochner"), file)
                            .out());
        }

        @Test
        void readsViewsAndSeveralPaths() throws IOException {
            frame().createOrReplaceTempView("measured");
            Path more = ShellRun.table(file("more.csv"), 100, 2);
            Map<?, ?> view = ShellRun.onSpark(spark, quick("train", "--table", "measured", "--json"))
                    .json();
            Map<?, ?> both = ShellRun.onSpark(spark, quick("train", csv, more, "--test", more, "--json"))
                    .json();
            assertEquals(400L, ((Number) view.get("rows")).longValue());
            assertEquals("table:measured", view.get("data"));
            assertEquals(500L, ((Number) both.get("rows")).longValue());
            assertEquals(100L, ((Number) both.get("testRows")).longValue());
        }

        @Test
        void tellsAClassFromAllOthers() {
            ShellRun.onSpark(spark, quick("train", csv, "--positive", "no", "--model", file("spark.bochner")))
                    .succeeded();
            ShellRun.onFiles(quick("train", csv, "--positive", "no", "--model", file("files.bochner")))
                    .succeeded();
            assertSameScores(file("files.bochner"), file("spark.bochner"), csv);
            ShellRun evaluated = ShellRun.onSpark(spark, "evaluate", file("files.bochner"), csv)
                    .succeeded();
            assertEquals(
                    ShellRun.onFiles("evaluate", file("files.bochner"), csv).out(), evaluated.out());
        }

        @Test
        void predictsNumbersByTheRuleOfTheCommand() {
            Object[] flags = quick("train", csv, "--ignore", "kind", "--json");
            Map<?, ?> found = ShellRun.onSpark(spark, flags).json();
            assertEquals(ShellRun.onFiles(flags).json().get("task"), found.get("task"));
            assertEquals("regress", found.get("task"));
            assertEquals("time", found.get("label"));
        }
    }

    /** The files of this machine, under another scheme. */
    public static final class FarFiles extends RawLocalFileSystem {
        @Override
        public URI getUri() {
            return URI.create("far:///");
        }
    }

    @Nested
    class OnOtherFileSystems {
        @Test
        void readsDataAndKeepsModelsAndPredictionsThere() throws IOException {
            spark.sparkContext().hadoopConfiguration().set("fs.far.impl", FarFiles.class.getName());
            String model = "far://" + file("model");
            String output = "far://" + file("scores");
            String data = "far://" + csv;
            ShellRun.onSpark(spark, quick("train", data, "--model", model)).succeeded();
            ShellRun expected = ShellRun.onFiles("evaluate", file("model"), csv).succeeded();
            assertEquals(
                    expected.out(),
                    ShellRun.onSpark(spark, "evaluate", model, data).out());
            ShellRun.onSpark(spark, "predict", model, data, "--output", output).succeeded();
            assertEquals(
                    ShellRun.onFiles("predict", file("model"), csv).out(), Files.readString(file("scores/part-00000")));
            for (String[] again : List.of(
                    new String[] {"train", data, "--model", model},
                    new String[] {"predict", model, data, "--output", output})) {
                ShellRun refused = ShellRun.onSpark(spark, (Object[]) again);
                assertEquals(1, refused.code());
                assertTrue(refused.err().contains("exists already; --overwrite replaces it"), refused.err());
            }
            ShellRun.onSpark(spark, quick("train", data, "--model", model, "--overwrite"))
                    .succeeded();
            ShellRun absent = ShellRun.onSpark(spark, "evaluate", model + "s", data);
            assertEquals(
                    "bochner: " + model + "s: there is no such file",
                    absent.err().strip());
            Set<String> left = new HashSet<>();
            try (Stream<Path> files = Files.list(folder)) {
                files.forEach(path -> left.add(path.getFileName().toString()));
            }
            assertEquals(Set.of("table.csv", "model", "scores"), left);
        }
    }

    @Nested
    class ReadingCsv {
        private Path write(String name, String... lines) throws IOException {
            Path path = file(name);
            Files.createDirectories(path.getParent());
            return Files.write(path, List.of(lines));
        }

        private void assertFails(int code, String message, Object... arguments) {
            ShellRun run = ShellRun.onSpark(spark, arguments);
            assertEquals(code, run.code(), run.err());
            assertTrue(run.err().contains(message), run.err());
            assertFalse(run.err().contains("\tat "), run.err());
            assertEquals(code, run.err().strip().lines().count(), run.err());
        }

        private void assertSamePredictions(Object... arguments) {
            assertEquals(
                    ShellRun.onFiles(arguments).succeeded().out(),
                    ShellRun.onSpark(spark, arguments).succeeded().out());
        }

        @Test
        void refusesFilesWithOtherHeadersThanTheFirst() throws IOException {
            write("order/a.csv", "x,z,y", "1,2,yes", "2,3,no");
            write("order/b.csv", "z,x,y", "1,2,yes", "2,3,no");
            assertFails(1, "b.csv:1: is not the header of ", quick("train", file("order")));
            write("none/a.csv", "x,z,y", "1,2,yes", "2,3,no");
            write("none/b.csv", "1,1,yes", "2,3,no");
            assertFails(1, "b.csv:1: is not the header of ", quick("train", file("none")));
            write("late/a.csv", "1,2,yes", "2,3,no", "3,3,yes");
            write("late/b.csv", "x,z,y", "1,2,yes", "2,3,no");
            assertFails(1, "b.csv:1: is a header, and ", quick("train", file("late")));
            write("wide/a.csv", "1,2,yes", "2,3,no", "3,3,yes");
            write("wide/b.csv", "1,2,3,yes", "2,3,3,no", "3,3,3,yes");
            assertFails(1, "b.csv:1: has 4 cells, and ", quick("train", file("wide")));
            write("same/a.csv");
            write("same/b.csv", "x,z,y", "1,2,yes", "2,3,no");
            write("same/c.csv", "x,z,y", "1,4,yes", "3,3,no");
            write("same/d.csv");
            assertEquals(
                    4,
                    ((Number) ShellRun.onSpark(spark, quick("train", file("same"), "--json"))
                                    .json()
                                    .get("rows"))
                            .intValue());
        }

        @Test
        void refusesRowsWithTooManyOrTooFewCells() throws IOException {
            Path few = write("few.csv", "x,z,y", "1,2,yes", "2,3,no", "7,no", "2,4,yes");
            assertFails(1, "few.csv: a row has too many or too few cells", quick("train", few));
            assertFails(1, "7,no", quick("train", few, "--ignore", "z"));
            Path many = write("many.csv", "x,z,y", "1,2,yes", "2,3,no", "7,8,no,9", "2,4,yes");
            assertFails(1, "7,8,no,9", quick("train", many));
            Path good = write("good.csv", "x,z,y", "1,2,yes", "2,3,no", "7,8,no", "2,4,yes");
            ShellRun.onFiles(quick("train", good, "--model", file("model"))).succeeded();
            assertFails(1, "7,8,no,9", "predict", file("model"), many);
            assertFails(1, "7,no", "evaluate", file("model"), few);
        }

        @Test
        void readsDoubledQuotesAndLineEndsOfCells() throws IOException {
            Path quotes = write(
                    "quotes.csv",
                    "x,c,y",
                    "1,\"a \"\"q\"\" b\",yes",
                    "2,plain,no",
                    "3,\"a \"\"q\"\" b\",no",
                    "4,plain,yes");
            ShellRun.onFiles(quick("train", quotes, "--model", file("model"))).succeeded();
            assertSamePredictions("predict", file("model"), quotes, "--scores", "--copy", "x");
            Path lines = write("lines.csv", "x,c,y", "1,\"a", "b\",yes", "2,plain,no", "3,plain,no");
            assertFails(1, "multiLine=true", quick("train", lines));
            assertEquals(
                    3,
                    ((Number) ShellRun.onSpark(spark, quick("train", lines, "--option", "multiLine=true", "--json"))
                                    .json()
                                    .get("rows"))
                            .intValue());
        }

        @Test
        void readsTimesInTheZoneOfTheSession() throws IOException {
            List<String> lines = new ArrayList<>(List.of("at,z,y"));
            for (int i = 0; i < 60; i++) {
                lines.add(String.format("2024-03-%02d %02d:30:00,%d,%s", 1 + i % 28, i % 24, i % 5, i % 24 < 12));
            }
            Path data = Files.write(file("times.csv"), lines);
            ShellRun.onFiles(quick("train", data, "--model", file("model"))).succeeded();
            String before = spark.conf().get("spark.sql.session.timeZone");
            try {
                spark.conf().set("spark.sql.session.timeZone", "America/New_York");
                assertSamePredictions("predict", file("model"), data, "--scores", "--copy", "at,y");
                Dataset<Row> rows = spark.read()
                        .option("header", true)
                        .option("inferSchema", true)
                        .csv(data.toString());
                assertEquals("timestamp", rows.schema().apply("at").dataType().typeName());
                rows.createOrReplaceTempView("times");
                assertEquals(
                        ShellRun.onFiles("predict", file("model"), data, "--scores")
                                .out(),
                        ShellRun.onSpark(spark, "predict", file("model"), "table:times", "--scores")
                                .succeeded()
                                .out());
            } finally {
                spark.conf().set("spark.sql.session.timeZone", before);
            }
            assertFails(1, "'at' is of type timestamp", quick("train", data));
        }

        @Test
        void keepsTheSpellingOfTruthValues() throws IOException {
            List<String> lines = new ArrayList<>(List.of("x,flag,y"));
            for (int i = 0; i < 60; i++) {
                lines.add(i % 7 + "," + (i % 3 == 0 ? "TRUE" : "False") + "," + (i % 2 == 0 ? "TRUE" : "FALSE"));
            }
            Path data = Files.write(file("flags.csv"), lines);
            ShellRun.onFiles(quick("train", data, "--model", file("model"))).succeeded();
            assertSamePredictions("predict", file("model"), data, "--copy", "flag");
            assertSamePredictions("evaluate", file("model"), data);
            assertEquals(
                    List.of("FALSE", "TRUE"),
                    ShellRun.onSpark(spark, quick("train", data, "--json"))
                            .json()
                            .get("classes"));
        }

        @Test
        void appliesModelsWithoutNamesOnlyToDataWithoutNames() throws IOException {
            Path bare = write("bare.csv", "1,2,yes", "2,3,no", "4,4,no", "1,4,yes", "1,2,no", "4,2,yes");
            Path named = write("named.csv", "a,b,c", "1,2,yes", "2,3,no", "4,4,no");
            ShellRun.onSpark(spark, quick("train", bare, "--model", file("model")))
                    .succeeded();
            assertEquals(1, ShellRun.onFiles("predict", file("model"), named).code());
            assertFails(1, "lacks column '0' of the training data", "predict", file("model"), named);
            assertSamePredictions("predict", file("model"), bare);
        }

        @Test
        void refusesRolesAndPathsThatContradict() {
            assertFails(2, "cannot be read together", quick("train", "table:tv", csv));
            assertFails(2, "cannot be read together", quick("train", csv, "table:tv"));
            for (String[] roles : List.of(
                    new String[] {"--label", "kind", "--ignore", "kind"},
                    new String[] {"--label", "time", "--weight", "time"},
                    new String[] {"--weight", "weight", "--ignore", "weight"})) {
                List<Object> arguments = new ArrayList<>(List.of(quick("train", csv)));
                arguments.addAll(List.of(roles));
                ShellRun expected = ShellRun.onFiles(arguments.toArray());
                ShellRun found = ShellRun.onSpark(spark, arguments.toArray());
                assertEquals(1, found.code());
                assertEquals(expected.err(), found.err());
            }
        }

        @Test
        void namesAddressesThatAreNoFiles() throws IOException {
            String blank = "file://" + file("a b");
            ShellRun.onSpark(spark, quick("train", csv, "--model", blank)).succeeded();
            assertTrue(Files.size(file("a b")) > 1000);
            ShellRun.onSpark(spark, "evaluate", blank, csv).succeeded();
            Path other = Files.writeString(file("other"), "precious");
            for (String bad : List.of("file:rel", "file://host/rel", "far:rel")) {
                assertFails(1, bad, quick("train", csv, "--model", bad));
                assertFails(1, bad, "evaluate", bad, csv);
                assertFails(1, bad, "predict", blank, csv, "--output", bad);
                assertFails(1, bad, quick("train", bad));
            }
            assertFails(1, "a file has its name", "predict", blank, csv, "--output", "file://" + other, "--overwrite");
            assertEquals("precious", Files.readString(other));
        }
    }

    @Nested
    class Predicting {
        @Test
        void writesTheLinesOfTheCommandToStdoutAFileAndAFolder() throws IOException {
            ShellRun.onFiles(quick("train", csv, "--model", file("model"))).succeeded();
            String expected = ShellRun.onFiles("predict", file("model"), csv, "--scores")
                    .succeeded()
                    .out();
            assertEquals(
                    expected,
                    ShellRun.onSpark(spark, "predict", file("model"), csv, "--scores")
                            .out());
            ShellRun.onSpark(spark, "predict", file("model"), csv, "--scores", "--output", file("scores.csv"))
                    .succeeded();
            assertEquals(expected, Files.readString(file("scores.csv")));
            String parts = file("scores").toUri().toString();
            ShellRun.onSpark(spark, "predict", file("model"), csv, "--scores", "--output", parts)
                    .succeeded();
            assertTrue(Files.exists(file("scores/_SUCCESS")));
            StringBuilder all = new StringBuilder();
            try (Stream<Path> files = Files.list(file("scores"))) {
                for (Path part : files.filter(
                                path -> path.getFileName().toString().startsWith("part-"))
                        .sorted()
                        .toList()) {
                    all.append(Files.readString(part));
                }
            }
            assertEquals(expected, all.toString());
        }

        @Test
        void copiesColumns() throws IOException {
            ShellRun.onFiles(quick("train", csv, "--model", file("model"))).succeeded();
            String expected = ShellRun.onFiles("predict", file("model"), csv, "--copy", "kind,weight")
                    .succeeded()
                    .out();
            assertEquals(
                    expected,
                    ShellRun.onSpark(spark, "predict", file("model"), csv, "--copy", "kind,weight")
                            .out());
            ShellRun.onSpark(
                            spark,
                            "predict",
                            file("model"),
                            csv,
                            "--copy",
                            "kind,weight",
                            "--output",
                            file("out") + "/")
                    .succeeded();
            assertEquals(expected, Files.readString(file("out/part-00000")));
        }

        @Test
        void refusesUnknownCategoriesUnlessTheyAreZeros() throws IOException {
            ShellRun.onFiles(quick("train", csv, "--model", file("model"))).succeeded();
            Path other = Files.write(
                    file("other.csv"),
                    List.of(
                            "length,width,colour,weight,time,kind",
                            "1,2,pink,1,1700000000,yes",
                            "1,1,red,1,1700000000,no"));
            ShellRun refused = ShellRun.onSpark(spark, "predict", file("model"), other);
            assertEquals(1, refused.code());
            assertTrue(refused.err().contains("no category 'pink'"), refused.err());
            ShellRun zeros = ShellRun.onSpark(spark, "predict", file("model"), other, "--unseen", "zeros", "--scores");
            assertEquals(
                    ShellRun.onFiles("predict", file("model"), other, "--unseen", "zeros", "--scores")
                            .out(),
                    zeros.out());
        }
    }

    @Nested
    class Writing {
        private Path rows = Path.of("");

        @BeforeEach
        void trainAndCopy() throws IOException {
            spark.sparkContext().hadoopConfiguration().set("fs.far.impl", FarFiles.class.getName());
            ShellRun.onFiles(quick("train", csv, "--model", file("model"))).succeeded();
            rows = Files.createDirectories(file("all/rows"));
            ShellRun.table(rows.resolve("b.csv"), 50, 2);
        }

        private void assertRefused(Object input, Object output) throws IOException {
            ShellRun run =
                    ShellRun.onSpark(spark, "predict", file("model"), csv, input, "--output", output, "--overwrite");
            assertEquals(2, run.code(), run.err());
            assertTrue(run.err().contains("in the input " + input), run.err());
            assertTrue(Files.size(rows.resolve("b.csv")) > 1000);
        }

        @Test
        void refusesOutputsThatAreContainOrLieInFurtherInputs() throws IOException {
            assertRefused(rows, rows + "/");
            assertRefused(rows, file("all") + "/");
            assertRefused(rows, rows + "/out/");
            assertRefused(rows + "/*.csv", rows + "/");
            assertRefused(rows.resolve("b.csv"), rows.resolve("b.csv").toUri());
            assertRefused("far://" + rows, "far://" + rows + "/");
            assertRefused("far://" + rows, "far://" + file("all") + "/rows/");
            Path link = Files.createSymbolicLink(file("link"), file("all"));
            assertRefused(rows, link + "/");
            assertRefused(rows.resolve("b.csv"), rows.resolve("b.csv"));
            ShellRun model =
                    ShellRun.onSpark(spark, "predict", file("model"), csv, "--output", folder + "/", "--overwrite");
            assertEquals(2, model.code(), model.err());
            assertTrue(Files.exists(file("model")));
        }

        @Test
        void keepsOldPredictionsUntilNewOnesAreComplete() throws IOException {
            Path output = file("out");
            String given = output + "/";
            ShellRun.onSpark(spark, "predict", file("model"), csv, "--output", given)
                    .succeeded();
            String old = Files.readString(output.resolve("part-00000"));
            Path bad = Files.write(
                    file("bad.csv"),
                    List.of("length,width,colour,weight,time,kind", "1,2,pink,1,1700000000,yes", "1,1,red,1,1,no"));
            ShellRun failed = ShellRun.onSpark(spark, "predict", file("model"), bad, "--output", given, "--overwrite");
            assertEquals(1, failed.code());
            assertTrue(failed.err().contains("no category 'pink'"), failed.err());
            assertEquals(old, Files.readString(output.resolve("part-00000")));
            ShellRun.onSpark(spark, "predict", file("model"), rows, "--output", given, "--overwrite")
                    .succeeded();
            assertEquals(
                    ShellRun.onFiles("predict", file("model"), rows.resolve("b.csv"))
                            .out(),
                    Files.readString(output.resolve("part-00000")));
            try (Stream<Path> files = Files.list(folder)) {
                assertEquals(
                        Set.of("table.csv", "model", "all", "bad.csv", "out"),
                        files.map(path -> path.getFileName().toString()).collect(Collectors.toSet()));
            }
        }

        @Test
        void keepsAnOldModelUntilTheNewOneIsComplete() throws IOException {
            Path output = file("kept");
            Files.createDirectories(output.resolve("inside"));
            ShellRun folder = ShellRun.onSpark(spark, quick("train", csv, "--model", "far://" + output, "--overwrite"));
            assertEquals(1, folder.code());
            assertTrue(folder.err().contains("it is a folder"), folder.err());
            assertTrue(Files.exists(output.resolve("inside")));
            ShellRun absent = ShellRun.onSpark(spark, quick("train", csv, "--model", "file://" + file("absent/model")));
            assertEquals(1, absent.code());
            assertTrue(absent.err().contains("absent"), absent.err());
        }

        @Test
        void namesTheRowThatCannotBePredicted() throws IOException {
            List<String> lines = new ArrayList<>(List.of("a,b,y"));
            for (int i = 0; i < 60; i++) {
                lines.add(i % 7 + "," + i % 5 + "," + (i % 2 == 0 ? "yes" : "no"));
            }
            Path data = Files.write(file("counts.csv"), lines);
            ShellRun.onFiles("train", data, "--kernel", "chi2", "--scale", "none", "--model", file("chi2"))
                    .succeeded();
            Dataset<Row> all = spark.read()
                    .option("header", true)
                    .option("inferSchema", true)
                    .csv(data.toString());
            Dataset<Row> bad = all.limit(1).selectExpr("a", "-5 as b", "y");
            all.coalesce(1).union(bad.coalesce(1)).createOrReplaceTempView("counts");
            ShellRun run =
                    ShellRun.onSpark(spark, "predict", file("chi2"), "table:counts", "--output", file("out") + "/");
            assertEquals(1, run.code());
            assertTrue(run.err().contains("table:counts: row 61"), run.err());
            assertFalse(run.err().contains("Spark:"), run.err());
            assertFalse(Files.exists(file("out")));
        }

        @Test
        void releasesRowsAtTheEnd() {
            ShellRun.onSpark(spark, quick("train", csv, "--test", csv)).succeeded();
            ShellRun.onSpark(spark, "evaluate", file("model"), csv).succeeded();
            ShellRun.onSpark(spark, "predict", file("model"), csv).succeeded();
            assertTrue(
                    spark.sparkContext().getPersistentRDDs().isEmpty(),
                    () -> String.valueOf(spark.sparkContext().getPersistentRDDs()));
        }
    }

    @Test
    void zerosOfUnknownCategoriesStandBesideTexts() throws IOException {
        List<String> lines = new ArrayList<>(List.of("words,colour,size,y"));
        for (int i = 0; i < 90; i++) {
            String words = i % 3 == 0 ? "long and green" : i % 3 == 1 ? "short and red" : "long and red thing";
            lines.add(words + "," + (i % 2 == 0 ? "red" : "blue") + "," + i % 7 + "," + (i % 3 == 0 ? "yes" : "no"));
        }
        Path data = Files.write(file("texts.csv"), lines);
        ShellRun.onFiles(
                        "train",
                        data,
                        "--text",
                        "words",
                        "--text-features",
                        "words(buckets=32)",
                        "--kernel",
                        "gaussian(sigma=1)",
                        "--features",
                        "64",
                        "--model",
                        file("model"))
                .succeeded();
        Path other = Files.write(
                file("other.csv"), List.of("words,colour,size,y", "long and green,pink,3,yes", "red thing,red,2,no"));
        Object[] arguments = {"predict", file("model"), other, "--unseen", "zeros", "--scores"};
        assertEquals(
                ShellRun.onFiles(arguments).succeeded().out(),
                ShellRun.onSpark(spark, arguments).succeeded().out());
    }

    @Test
    void helpPagesShowTheFlagsOfSparkAndWhatHasNoMeaningThere() {
        for (String command : List.of("train", "evaluate", "predict")) {
            String page = ShellRun.onSpark(spark, command, "--help").succeeded().out();
            assertTrue(page.contains("--option=KEY=VALUE") && page.contains("--overwrite"), page);
            assertTrue(page.contains("[MORE]") && page.contains("Refused on Spark: it has no effect"), page);
            assertTrue(page.contains("File, folder or pattern"), page);
            assertTrue(page.contains("Format of DATA: parquet, orc, csv"), page);
        }
    }

    @Nested
    class Failing {
        private void assertFails(int code, String message, Object... arguments) {
            ShellRun run = ShellRun.onSpark(spark, arguments);
            assertEquals(code, run.code(), run.err());
            assertTrue(run.err().contains(message), run.err());
            assertFalse(run.err().contains("\tat "), run.err());
            assertEquals("", run.out());
        }

        @Test
        void refusesWrongUsage() {
            assertFails(2, "unknown option '--kernels'", "train", csv, "--kernels", "chi2");
            assertFails(
                    2, "--threads has no effect on Spark; use spark-submit --master", "train", csv, "--threads", "2");
            assertFails(2, "--group is not read by Spark's command", "train", csv, "--group", "colour");
            assertFails(2, "tune does not run on Spark", "tune", csv);
            assertFails(2, "is also an input", "train", csv, "--model", csv, "--overwrite");
        }

        @Test
        void namesWhatIsWrongWithTheData() throws IOException {
            assertFails(1, "there is no such file or folder", "train", file("absent.parquet"));
            assertFails(1, "the format cannot be told", "train", Files.copy(csv, file("table.txt")));
            Path nulls = Files.write(file("nulls.csv"), List.of("a,b,y", "1,2,yes", ",3,no", "2,1,yes"));
            assertFails(1, "column 'a' is null; --ignore leaves the column out", quick("train", nulls));
            Path words = Files.write(file("words.csv"), List.of("a,b,y", "x,2,yes", "NA,3,no", "z,1,yes"));
            assertFails(1, "column 'a' is null", quick("train", words));
            Path one = Files.write(file("one.csv"), List.of("a,b,y", "1,2,yes", "2,3,yes", "3,1,yes"));
            assertFails(1, "all rows are of the class 'yes'", quick("train", one));
            assertFails(1, "no column 'kinds'", quick("train", csv, "--label", "kinds"));
            assertFails(1, "TABLE_OR_VIEW_NOT_FOUND", quick("train", "table:absent"));
        }

        @Test
        void keepsAModelThatExistsUnlessToldOtherwise() throws IOException {
            Path model = Files.writeString(file("model"), "precious");
            assertFails(1, "exists already; --overwrite replaces it", quick("train", csv, "--model", model));
            assertEquals("precious", Files.readString(model));
            // All commands have their flags where the first argument is none of them.
            Object[] again = quick("--debug", "train", csv, "--model", model, "--overwrite");
            ShellRun.onSpark(spark, again).succeeded();
            assertTrue(Files.size(model) > 1000);
            Set<Path> left = new HashSet<>();
            try (Stream<Path> files = Files.list(folder)) {
                files.forEach(left::add);
            }
            assertEquals(Set.of(csv, model), left);
        }
    }
}
