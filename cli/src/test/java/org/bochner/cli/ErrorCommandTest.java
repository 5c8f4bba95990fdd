package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the error command measures, in all the forms it tells it in. */
class ErrorCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    private static Run error(Object... arguments) {
        Object[] all = new Object[arguments.length + 1];
        all[0] = "error";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return Run.here(all);
    }

    private static Map<?, ?> report(Run run, int index) {
        return assertInstanceOf(Map.class, run.list("reports").get(index));
    }

    private static double number(Map<?, ?> map, String key) {
        Object value = map.get(key);
        return assertInstanceOf(Number.class, value, () -> key + " is " + value).doubleValue();
    }

    @Nested
    class Tables {
        @Test
        void showOneMapAtLength() {
            Run run = error("--kernel", "chi2", "--map", "sampled(order=2)", "--domain", "1e-3:1", "--columns", 3)
                    .worked();
            for (String text : List.of(
                    "of sampled(order=2) for chi2",
                    "20,000 pairs of 1,000 rows drawn log-uniformly from 1e-3:1",
                    "absolute",
                    "relative",
                    "15 features, 5 per column; by theory, the rms is at most",
                    "by the value of the kernel",
                    "0.001-0.01 with 0.1-1",
                    "all maps, rms",
                    "chebyshev")) {
                assertTrue(run.out().contains(text), () -> text + " is not in " + run.out());
            }
            assertFalse(run.out().contains("NaN"), run.out());
            assertTrue(run.err().contains("uniform window"), run.err());
        }

        @Test
        void showAMapWhoseSizeIsOpenInSeveral() {
            Run run = error("--kernel", "chi2", "--map", "sampled", "--domain", "0.01:1")
                    .worked();
            for (int order = 1; order <= 5; order++) {
                assertTrue(run.out().contains("sampled(order=" + order + ")"), run.out());
            }
            assertTrue(run.out().contains("features per column"), run.out());
        }

        @Test
        void showBothStagesOfAKernelOfADistance() {
            Run run = error(
                            "--kernel",
                            "exp-chi2(gamma=1)",
                            "--map",
                            "orthogonal@sampled(order=1)",
                            "--features",
                            200,
                            "--domain",
                            "0.01:1",
                            "--columns",
                            4)
                    .worked();
            assertTrue(run.out().contains("from the random features"), run.out());
            assertTrue(run.out().contains("from the additive map"), run.out());
        }

        @Test
        void drawEvenlyWhereMagnitudesAreNotAsked() {
            assertTrue(error("--kernel", "chi2", "--map", "direct(terms=3)", "--domain", "0:1")
                    .worked()
                    .out()
                    .contains("drawn uniformly from 0:1"));
            assertTrue(error("--kernel", "gaussian(sigma=1)", "--features", 4, "--domain", "0.1:1")
                    .worked()
                    .out()
                    .contains("drawn uniformly from 0.1:1"));
        }
    }

    @Nested
    class Json {
        @Test
        void hasAbsoluteAndRelativeErrorsRangesAndTheory() {
            Run run = error(
                            "--kernel",
                            "chi2",
                            "--map",
                            "sampled(order=1)",
                            "--domain",
                            "1e-3:1",
                            "--columns",
                            3,
                            "--json")
                    .worked();
            assertEquals(
                    List.of("kernel", "map", "rows", "notes", "reports", "comparison"),
                    List.copyOf(run.json().keySet()));
            Map<?, ?> report = report(run, 0);
            assertEquals("sampled(order=1)", report.get("map"));
            assertEquals(9, number(report, "features"));
            assertEquals(3, number(report, "width"));
            assertTrue(number(report, "max") <= number(report, "boundMax") * (1 + 1e-6));
            assertTrue(number(report, "rms") <= number(report, "boundRms") * (1 + 1e-6));
            assertEquals(null, report.get("expectedRms"), "nothing is random");
            Map<?, ?> relative = assertInstanceOf(Map.class, report.get("relative"));
            assertEquals(List.of("pairs", "max", "rms", "mean", "percentile99"), List.copyOf(relative.keySet()));
            assertTrue(number(relative, "max") > number(report, "max"));
            List<?> inputs = assertInstanceOf(List.class, report.get("inputRanges"));
            assertEquals(6, inputs.size(), "pairs of three decades");
            Map<?, ?> first = assertInstanceOf(Map.class, inputs.get(0));
            assertEquals(0.001, number(first, "low"));
            assertEquals(0.01, number(first, "otherHigh"));
        }

        @Test
        void keepsTheKeysOfFourierMaps() {
            Run run = error("--kernel", "gaussian(sigma=20)", "--features", 100, "--json", Run.DIGITS)
                    .worked();
            Map<?, ?> report = report(run, 0);
            for (String key : List.of("features", "low", "high", "pairs", "max", "rms", "mean", "percentile99")) {
                assertTrue(number(report, key) > 0, key);
            }
            assertEquals(1, number(report, "rms") / number(report, "expectedRms"), 0.5);
            assertTrue(number(report, "max") < number(report, "boundMax"));
            assertEquals(5, assertInstanceOf(List.class, report.get("ranges")).size());
            assertEquals(List.of(), report.get("inputRanges"));
        }

        @Test
        void isTheSameTwice() {
            Object[] line = {
                "--kernel", "exp-intersection(gamma=1)", "--features", 64, "--json", "--domain", "0:1", "--columns", 8
            };
            assertEquals(error(line).worked().out(), error(line).worked().out());
        }
    }

    @Nested
    class Csv {
        @Test
        void hasALineForEachMapAndRange() throws IOException {
            Path csv = folder.resolve("errors.csv");
            Run run = error("--kernel", "chi2", "--map", "sampled", "--domain", "1e-2:1", "--csv", csv, "--json")
                    .worked();
            List<String> lines = Files.readAllLines(csv);
            int width = lines.get(0).split(",", -1).length;
            assertEquals(23, width);
            for (String line : lines) {
                assertEquals(width, line.split(",", -1).length, line);
            }
            List<String> header = Arrays.asList(lines.get(0).split(","));
            String first = lines.get(1);
            assertTrue(first.startsWith("sampled(order=1),3,3,all,"), first);
            assertEquals(
                    number(report(run, 0), "rms"), Double.parseDouble(first.split(",", -1)[header.indexOf("rms")]));
            // All maps of the comparison are there once, with parts by value and by input.
            for (String map : List.of("sampled(order=5)", "direct(terms=7)", "chebyshev(terms=3)")) {
                assertEquals(
                        1,
                        lines.stream()
                                .filter(line -> line.startsWith(map + ",") && line.contains(",all,"))
                                .count(),
                        map);
            }
            assertTrue(
                    lines.stream().anyMatch(line -> line.contains(",input,0.01,0.1,0.1,1,")), () -> lines.toString());
            assertTrue(lines.stream().anyMatch(line -> line.contains(",value,")));
        }

        @Test
        void quotesSpellingsWithCommas() throws IOException {
            Path csv = folder.resolve("errors.csv");
            error("--kernel", "chi2", "--map", "sampled(order=1, window=uniform)", "--domain", "0:1", "--csv", csv)
                    .worked();
            assertTrue(Files.readAllLines(csv).get(1).startsWith("\"sampled(order=1, window=uniform)\",3,3,all,"));
        }
    }

    @Nested
    class Plots {
        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                chi2                                 | sampled          | signature K of chi2
                jensen-shannon                       | auto             | signature K of jensen-shannon
                hellinger                            | auto             | signature K of hellinger
                gaussian(sigma=1)                    | auto             | distance |x - y|
                exp-chi2(gamma=1)                    | auto             | kernel along one direction
                chi2[0:2] + 2*jensen-shannon[2:3]    | sampled(order=1) | signature K of chi2
                skewed-chi2(c=1, power=0.5)          | quasi            | kernel along one direction
                linear                               | exact            | kernel along one direction
                """)
        void showTheErrorAndTheKernel(String kernel, String map, String text) throws IOException {
            Path svg = folder.resolve("error.svg");
            error("--kernel", kernel, "--map", map, "--domain", "0.1:1", "--columns", 3, "--plot", svg)
                    .worked();
            String picture = Files.readString(svg);
            assertTrue(picture.startsWith("<"), picture);
            assertTrue(picture.contains(text), () -> text + " is not in " + picture);
        }

        @Test
        void arePngToo() throws IOException {
            Path png = folder.resolve("error.png");
            error("--kernel", "gaussian(sigma=1)", "--features", 16, "--domain", "0:1", "--plot", png)
                    .worked();
            byte[] start = Arrays.copyOf(Files.readAllBytes(png), 4);
            assertArrayEquals(new byte[] {(byte) 0x89, 'P', 'N', 'G'}, start);
        }
    }

    @Nested
    class Suggestions {
        private Map<?, ?> suggestion(Object... arguments) {
            Object[] all = Arrays.copyOf(arguments, arguments.length + 1);
            all[arguments.length] = "--json";
            return assertInstanceOf(Map.class, error(all).worked().json().get("suggestion"));
        }

        @Test
        void areFlagsThatReachTheError() {
            Map<?, ?> found = suggestion("--kernel", "gaussian(sigma=20)", "--max-error", 0.05, Run.DIGITS);
            assertEquals(true, found.get("reached"));
            assertEquals("auto", found.get("map"));
            int features = (int) number(found, "features");
            assertEquals("--map auto --features " + features, found.get("flags"));
            Run again = error(
                            "--kernel",
                            "gaussian(sigma=20)",
                            "--map",
                            "auto",
                            "--features",
                            features,
                            "--json",
                            Run.DIGITS)
                    .worked();
            double rms = number(report(again, 0), "rms");
            assertTrue(rms <= 0.05, () -> "rms " + rms);
            assertEquals(number(found, "error"), rms);
        }

        @Test
        void areTheSmallestAdditiveMaps() {
            Map<?, ?> found = suggestion(
                    "--kernel", "chi2", "--domain", "1e-3:1", "--columns", 3, "--max-error", 0.03, "--measure", "max");
            assertEquals("max", found.get("measure"));
            assertEquals(null, found.get("features"), "the map says how many");
            assertTrue(String.valueOf(found.get("flags")).matches("--map '[a-z]+\\(\\w+=\\d+\\)'"), found.toString());
        }

        @Test
        void sayWhereNothingReachesIt() {
            Run run = error(
                            "--kernel",
                            "intersection",
                            "--map",
                            "sampled(order=1)",
                            "--domain",
                            "1e-3:1",
                            "--max-error",
                            1e-9)
                    .worked();
            assertTrue(run.out().contains("no map was found with an error (rms) of at most 1.000e-09"), run.out());
        }
    }

    @Nested
    class Refuses {
        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                --kernel chi2 --domain -1:1                                            | --domain: chi2 compares histograms and needs values of at least 0, got -1
                --kernel chi2 --domain 0:1 --scale unit-l1                             | --scale is for DATA
                --kernel chi2 --domain 0:1 --features 100                              | the number of features follows from the map
                --kernel chi2 --domain 0:1 --map fourier                               | take one of
                --kernel gaussian(sigma=1) --domain 0:1 --map sampled                  | take one of
                --kernel intersection --domain 0:1 --map direct                        | take sampled
                --kernel gaussian(sigma=1) --domain 0:1 --features 8 --max-error 0.1   | not both
                --kernel gaussian(sigma=1) --domain 0:1 --max-error 0                  | --max-error must be positive, got 0
                --kernel gaussian(sigma=1) --domain 0:1 --max-error NaN                | --max-error must be positive, got NaN
                --kernel gaussian(sigma=1) --domain 0:1 --measure rms                  | add --max-error E
                --kernel laplacian(sigma=~[0:1=0.2,1:3=3]) --domain 0:1 --columns 3    | has a factor that is chosen from data
                --kernel gaussian(sigma=1) --domain 0:1 --max-error 1 --measure worst  | must be rms, max, mean or percentile99
                """)
        void whatDoesNotGoTogether(String line, String text) {
            error((Object[]) line.strip().split(" +")).refused(Main.USAGE, text);
        }

        @Test
        void valuesOutsideTheKernelsDomainWithTheirPlace() throws IOException {
            Path data = Files.writeString(folder.resolve("negative.csv"), "a,b,y\n1,2,p\n3,-0.5,q\n1,1,p\n");
            for (String kernel : List.of("chi2", "exp-chi2", "exp-chi2(gamma=1)", "gaussian(sigma=1) + intersection")) {
                error("--kernel", kernel, data)
                        .refused(
                                Main.FAILED,
                                "negative.csv:3: column 'b' (1, from 0)",
                                "needs values of at least 0, got -0.5",
                                "shift or set it to 0 or above");
            }
        }

        @Test
        void valuesThatTrainingRefusesToo() throws IOException {
            Path data = Files.writeString(folder.resolve("huge.csv"), "x,y\n1,0\n2,1\n3e38,1\n4,0\n");
            error("--kernel", "gaussian(sigma=1)", "--features", 4, data)
                    .refused(Main.FAILED, "huge.csv:4: column 'x'", "too large");
        }

        @Test
        void filesItCannotWriteBeforeItMeasures() throws IOException {
            String[] measured = {"--kernel", "gaussian(sigma=1)", "--domain", "0:1", "--features", "4"};
            for (String[] target : new String[][] {
                {"--plot", folder.resolve("error.pdf").toString(), ".svg or .png"},
                {"--plot", folder.resolve("no/error.svg").toString(), "error.svg"},
                {"--csv", folder.resolve("no/error.csv").toString(), "error.csv"}
            }) {
                Object[] line = Arrays.copyOf(measured, measured.length + 2, Object[].class);
                line[measured.length] = target[0];
                line[measured.length + 1] = target[1];
                error(line).refused(Main.FAILED, target[2]);
            }
            Path data = Rings.csv(folder.resolve("rings.csv"), 20);
            error("--kernel", "gaussian(sigma=1)", "--features", 4, data, "--csv", data)
                    .refused(Main.USAGE, "is also an input");
            assertEquals(21, Files.readAllLines(data).size());
        }
    }
}
