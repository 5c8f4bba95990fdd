package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the design command finds, in all the forms it tells it in. */
class DesignCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    private static Run design(Object... arguments) {
        List<Object> all = new ArrayList<>(List.of("design"));
        all.addAll(Arrays.asList(arguments));
        return Run.here(all.toArray());
    }

    private static double number(@Nullable Object value) {
        return assertInstanceOf(Number.class, value).doubleValue();
    }

    private static List<Double> numbers(List<?> list) {
        return list.stream().map(DesignCommandTest::number).toList();
    }

    private static Map<?, ?> rival(Run run, String map) {
        return run.list("comparison").stream()
                .map(entry -> assertInstanceOf(Map.class, entry))
                .filter(entry -> map.equals(entry.get("map")))
                .findFirst()
                .orElseThrow(() -> new AssertionError(map + " is not in " + run.out()));
    }

    private static void assertContains(Run run, String... texts) {
        for (String text : texts) {
            assertTrue(run.out().contains(text), () -> text + " is not in " + run.out());
        }
    }

    @Nested
    class Text {
        /** 0.164 is what the method's author reports for values from 0 to 255. */
        @Test
        void saysWhatADesignOfRatiosComesTo() {
            Run run = design("--kernel", "chi2", "--domain", "1:255", "--dimension", 5)
                    .worked();
            assertContains(
                    run,
                    "values from 1 to 255, ratios up to 255",
                    "5 features per column",
                    "0.0006408 of the largest value, 0.1634 at 255",
                    "the error of any weights on these frequencies is at least 0.0006408",
                    "ten times finer",
                    "features       weight   frequency",
                    "--map 'lp(dimension=5, range=1:255)'",
                    "sampled(order=2, period=vlfeat)",
                    "chebyshev(terms=5)",
                    "direct(terms=5)",
                    "20 times smaller");
            assertEquals("", run.err());
            assertFalse(run.out().contains("NaN"), run.out());
        }

        @Test
        void saysSoWhereAnotherMapIsBetter() {
            assertContains(
                    design("--kernel", "chi2", "--domain", "1:255", "--dimension", 1)
                            .worked(),
                    "1 feature per column",
                    "times larger");
        }

        @Test
        void namesNoMapForADesignThatNoneHas() {
            Run run = design(
                            "--kernel",
                            "gaussian(sigma=1)",
                            "--domain",
                            "0:2",
                            "--dimension",
                            3,
                            "--search",
                            "discrete",
                            "--spacing",
                            0.25)
                    .worked();
            assertContains(
                    run, "no --map makes this design", "Fourier series on the range", "fourier, mean of 5 seeds");
        }

        /** A polar pool is another start to the same frequencies: the errors of both come to the same here. */
        @Test
        void designsFromAPolarPoolAndComparesWithProductsOfColumns() {
            Object[] line = {"--kernel", "gaussian(sigma=0.5)", "--domain", "0:1,0:1", "--dimension", 9};
            Object[] polar = Stream.concat(Arrays.stream(line), Stream.of("--pool", "polar"))
                    .toArray();
            Run run = design(polar).worked();
            assertContains(
                    run,
                    "9 features",
                    "largest error  0.01045",
                    "the error of any weights on these frequencies is at least 0.01044",
                    "a term is the cosine of the sum",
                    "no --map makes this design: lp starts from the product pool",
                    "products of designs of the columns, without a linear program         9  0.08547",
                    "8.2 times smaller",
                    "fourier, mean of 5 seeds");
            assertContains(design(line).worked(), "largest error  0.01045", "9  0.08547");
        }

        @Test
        void tellsOnStderrThatSeveralColumnsTakeTheirTime() {
            Object[] line = {
                "--kernel",
                "gaussian(sigma=1)",
                "--domain",
                "0:1",
                "--columns",
                2,
                "--dimension",
                5,
                "--form",
                "modulation"
            };
            Run run = design(line).worked();
            assertTrue(run.err().contains("designing for 2 columns"), run.err());
            assertContains(
                    run,
                    "column 0 from 0 to 1, column 1 from 0 to 1",
                    "frequency 1",
                    "a term is the product",
                    "--map 'lp(dimension=5, range=0:1, form=modulation)'",
                    "without a linear program");
            Object[] quiet = Arrays.copyOf(line, line.length + 1);
            quiet[line.length] = "--quiet";
            assertEquals("", design(quiet).worked().err());
        }

        @Test
        void isForEveryRatioWithoutARange() {
            Run run = design("--kernel", "intersection", "--dimension", 3).worked();
            assertContains(run, "all ratios of values", "--map 'lp(dimension=3, universal)'");
        }
    }

    @Nested
    class Json {
        private static final List<String> KEYS = List.of(
                "kernel",
                "data",
                "columns",
                "domain",
                "universal",
                "dimension",
                "error",
                "errorAtHighest",
                "bound",
                "norm",
                "weight",
                "form",
                "search",
                "gridPoints",
                "frequencies",
                "weights",
                "features",
                "map",
                "comparison",
                "seconds",
                "notes");

        @Test
        void hasTheSameKeysForEveryKernel() {
            for (List<Object> line : List.<List<Object>>of(
                    List.of("--kernel", "chi2", "--domain", "1:255"),
                    List.of("--kernel", "chi2"),
                    List.of("--kernel", "gaussian(sigma=1)", "--domain", "0:2"),
                    List.of("--kernel", "periodic(width=1)"))) {
                List<Object> all = new ArrayList<>(line);
                all.addAll(List.of("--dimension", 3, "--json"));
                Run run = design(all.toArray()).worked();
                assertEquals(KEYS, List.copyOf(run.json().keySet()));
                double error = run.number("error");
                // The bound holds on the design's grid, the error is measured between its points too.
                assertTrue(run.number("bound") <= error * (1 + 1e-9), run.out());
                assertTrue(error <= run.number("bound") * 1.01, run.out());
                assertEquals(
                        3,
                        numbers(run.list("features")).stream()
                                .mapToDouble(f -> f)
                                .sum());
                assertEquals(run.list("weights").size(), run.list("frequencies").size());
            }
        }

        @Test
        void hasTheErrorAsAShareAndAtTheLargestValue() {
            Run run = design("--kernel", "chi2", "--domain", "1:255", "--dimension", 5, "--json")
                    .worked();
            assertEquals(0.1634, run.number("errorAtHighest"), 5e-5);
            assertEquals(255 * run.number("error"), run.number("errorAtHighest"), 1e-12);
            assertEquals(List.of(List.of(1.0, 255.0)), run.list("domain"));
            Map<?, ?> sampled = rival(run, "sampled(order=2)");
            assertEquals(5, number(sampled.get("features")));
            assertEquals(number(sampled.get("error")) / run.number("error"), number(sampled.get("times")), 1e-9);
            // What VLFeat 0.9.21 makes of the values 0 to 255: 3.195.
            double vlfeat = number(rival(run, "sampled(order=2, period=vlfeat)").get("errorAtHighest"));
            assertEquals(3.195, vlfeat, 0.02);
        }

        /** The values of a weighted sum of cosines are those of the kernel but for the error: at 0, k = 1. */
        @Test
        void hasWeightsThatSumToTheKernelAtTheDifferenceZero() {
            Run run = design("--kernel", "gaussian(sigma=1)", "--domain", "0:2", "--dimension", 5, "--json")
                    .worked();
            double sum =
                    numbers(run.list("weights")).stream().mapToDouble(w -> w).sum();
            assertEquals(1, sum, run.number("error") * (1 + 1e-6));
        }

        /** The frequencies of a design of angles are harmonics of the period: whole numbers where that is 2π. */
        @Test
        void hasHarmonicsOfAPeriodWithoutADomain() {
            Run run = design("--kernel", "periodic(width=0.5)", "--dimension", 5, "--json")
                    .worked();
            assertEquals(List.of(List.of(0.0), List.of(1.0), List.of(2.0)), run.list("frequencies"));
            assertEquals("lp(dimension=5)", run.json().get("map"));
            assertEquals(Arrays.asList((Object) null), run.list("domain"));
        }

        @Test
        void findsTheLeastDimensionOfAnError() {
            Run run = design("--kernel", "chi2", "--domain", "1:255", "--max-error", 0.001, "--json")
                    .worked();
            assertEquals(5, run.number("dimension"));
            assertTrue(run.number("error") <= 0.001, run.out());
            Run fewer = design("--kernel", "chi2", "--domain", "1:255", "--dimension", 4, "--json")
                    .worked();
            assertTrue(fewer.number("error") > 0.001, fewer.out());
        }

        @Test
        void spellsTheMapOfOtherErrors() {
            Run run = design(
                            "--kernel",
                            "chi2",
                            "--domain",
                            "1:10",
                            "--dimension",
                            3,
                            "--error",
                            "relative",
                            "--norm",
                            "mean",
                            "--json")
                    .worked();
            assertEquals(
                    "lp(dimension=3, range=1:10, weight=relative, norm=mean)",
                    run.json().get("map"));
            assertEquals(null, run.json().get("errorAtHighest"), "a relative error is the same for all values");
            assertTrue(number(rival(run, "sampled(order=1)").get("times")) > 1, run.out());
        }

        @Test
        void namesNoCertificateWithoutALinearProgram() {
            Run run = design(
                            "--kernel",
                            "gaussian(sigma=1)",
                            "--domain",
                            "0:1,0:1",
                            "--dimension",
                            5,
                            "--search",
                            "greedy",
                            "--json")
                    .worked();
            assertEquals(null, run.json().get("bound"));
            assertEquals(null, run.json().get("map"));
        }
    }

    @Nested
    class Data {
        @Test
        void givesTheRangeOfItsPositiveValues() {
            Run run = design("--kernel", "chi2", "--dimension", 3, "--json", Run.DIGITS)
                    .worked();
            assertEquals(List.of(List.of(1.0, 16.0)), run.list("domain"));
            assertEquals("lp(dimension=3, range=1:16)", run.json().get("map"));
            assertTrue(String.valueOf(run.json().get("data")).endsWith("digits.csv.gz"), run.out());
        }

        @Test
        void givesTheScaledRange() throws IOException {
            Path data = Files.writeString(folder.resolve("h.csv"), "a,b,y\n10,0,p\n40,80,q\n");
            Run run = design("--kernel", "chi2", "--dimension", 3, "--scale", "divide(by=10)", "--json", data)
                    .worked();
            assertEquals(List.of(List.of(1.0, 8.0)), run.list("domain"));
        }

        @Test
        void givesTheLowestAndHighestValueOfEveryColumnAndTheBandwidth() throws IOException {
            Path data = Files.writeString(folder.resolve("xy.csv"), "a,b,y\n-1,5,p\n2,7.5,q\n0,6,p\n1,5.5,q\n");
            Run run = design("--kernel", "gaussian", "--scale", "none", "--dimension", 3, "--json", "--quiet", data)
                    .worked();
            assertEquals(List.of(List.of(-1.0, 2.0), List.of(5.0, 7.5)), run.list("domain"));
            assertTrue(String.valueOf(run.json().get("kernel")).startsWith("gaussian(sigma="), run.out());
            assertTrue(run.list("notes").toString().contains("scale taken from the data"), run.out());
            assertEquals("lp(dimension=3)", run.json().get("map"), "ranges that differ are left to the data");
        }

        @Test
        void givesOnlyTheColumnsThatTheKernelNames() throws IOException {
            Path data = Files.writeString(folder.resolve("x.libsvm"), "1 1:3 3:-2 9:7\n2 1:4 9:1\n1 3:5\n");
            Run run = design("--kernel", "gaussian(sigma=4)[2:3]", "--dimension", 3, "--json", data)
                    .worked();
            // The second row has nothing in the column, which is 0.
            assertEquals(List.of(List.of(-2.0, 5.0)), run.list("domain"));
        }

        @Test
        void isRefusedWhereItHasNoRange() throws IOException {
            Path data = Files.writeString(folder.resolve("flat.csv"), "a,b,y\n2,0,p\n2,0,q\n");
            design("--kernel", "chi2", "--dimension", 3, data)
                    .refused(Main.FAILED, "flat.csv", "all positive values are 2", "--universal");
            design("--kernel", "chi2[1:2]", "--dimension", 3, data)
                    .refused(Main.FAILED, "flat.csv", "no value is positive");
            design("--kernel", "gaussian(sigma=1)[0:1]", "--dimension", 3, data)
                    .refused(Main.FAILED, "flat.csv", "column 0 has the same value in all rows");
        }

        @Test
        void isRefusedWithThePlaceOfAValueThatTheKernelDoesNotTake() throws IOException {
            Path data = Files.writeString(folder.resolve("negative.csv"), "a,b,y\n1,2,p\n3,-0.5,q\n");
            design("--kernel", "chi2", "--dimension", 3, data)
                    .refused(
                            Main.FAILED,
                            "negative.csv:3: column 'b' (1, from 0)",
                            "needs values of at least 0, got -0.5");
        }

        @Test
        void isRefusedWhereItHasTooManyColumns() {
            design("--kernel", "gaussian", "--dimension", 3, Run.DIGITS)
                    .refused(Main.USAGE, "1 to 3 columns", "these are 64", "--kernel 'gaussian[0:2]'");
        }

        @Test
        void isNotReplacedByThePlot() throws IOException {
            Path data = Files.writeString(folder.resolve("data.svg"), "a,b,y\n1,2,p\n3,4,q\n");
            design("--kernel", "chi2", "--dimension", 3, "--format", "csv", "--plot", data, data)
                    .refused(Main.USAGE, "is also an input");
        }
    }

    @Nested
    class Plots {
        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                --kernel chi2 --domain 1:255               | ratio of the two values         | error / largest value
                --kernel chi2                              | ratio of the two values         | error / largest value
                --kernel chi2 --domain 1:10 --error relative | relative error                | (design - k) / k
                --kernel gaussian(sigma=1) --domain 0:2    | difference of the values        | design - k
                --kernel gaussian(sigma=1) --domain 0:1,0:2 | share of the largest difference | error, diagonal
                """)
        void showTheSignatureTheDesignAndTheError(String line, String axis, String text) throws IOException {
            Path svg = folder.resolve("design.svg");
            List<Object> all =
                    new ArrayList<>(Arrays.asList((Object[]) line.strip().split(" +")));
            all.addAll(List.of("--dimension", 3, "--plot", svg));
            design(all.toArray()).worked();
            String picture = Files.readString(svg);
            for (String part :
                    List.of("signature and design", "dimensions, largest error", axis, text, ">+0.", ">-0.")) {
                assertTrue(picture.contains(part), () -> part + " is not in " + picture);
            }
        }

        @Test
        void arePngToo() throws IOException {
            Path png = folder.resolve("design.png");
            design("--kernel", "chi2", "--domain", "1:255", "--dimension", 3, "--plot", png)
                    .worked();
            assertArrayEquals(new byte[] {(byte) 0x89, 'P', 'N', 'G'}, Arrays.copyOf(Files.readAllBytes(png), 4));
        }
    }

    @Nested
    class Refuses {
        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                --kernel chi2                                                              | give either --dimension D (finds the least error) or --max-error E
                --kernel chi2 --dimension 5 --max-error 0.1                                | give either --dimension D
                --dimension 5                                                              | --kernel
                --kernel chi2 --dimension 0                                                | --dimension must be at least 1, got 0
                --kernel chi2 --dimension 62                                               | from 1 to 61, got 62
                --kernel chi2 --dimension five                                             | must be a whole number, got 'five'
                --kernel chi2 --max-error 0                                                | --max-error must be positive, got 0
                --kernel chi2 --max-error NaN                                              | --max-error must be positive, got NaN
                --kernel chi2 --max-error 1e-12                                            | ask for 1.0E-8 or more
                --kernel chi2 --dimension 5 --domain 5:5                                   | LOW must be less than HIGH, got 5:5
                --kernel chi2 --dimension 5 --domain 5                                     | --domain must be LOW:HIGH, got '5'
                --kernel chi2 --dimension 5 --domain a:5                                   | LOW must be a number, got 'a'
                --kernel chi2 --dimension 5 --domain 0:255                                 | give the smallest positive value, which is 1 for counts, or --universal
                --kernel chi2 --dimension 5 --domain -1:255                                | needs values of at least 0, got -1
                --kernel chi2 --dimension 5 --domain 1e-300:1e300                          | --universal takes
                --kernel chi2 --dimension 5 --domain 1:2,1:3                               | give one interval
                --kernel chi2 --dimension 5 --domain 1:2 --columns 2                       | every column of chi2 has the same map
                --kernel chi2 --dimension 5 --domain 1:2 --universal                       | give only one of DATA
                --kernel chi2 --dimension 5 --domain 1:2 --scale unit-l1                   | --scale is for DATA
                --kernel chi2 --dimension 5 --universal --error relative                   | has no bound over every ratio
                --kernel chi2 --dimension 5 --error relative                               | --domain LOW:HIGH
                --kernel chi2 --dimension 5 --error relativ                                | must be absolute or relative, got 'relativ'; did you mean 'relative'?
                --kernel chi2 --dimension 5 --norm larges                                  | did you mean 'largest'?
                --kernel chi2 --dimension 5 --search discret                               | did you mean 'discrete'?
                --kernel chi2 --dimension 5 --search greedy                                | is for designs of several columns
                --kernel chi2 --dimension 5 --form modulation                              | is for designs of several columns
                --kernel chi2 --dimension 5 --pool polar                                   | is for designs of several columns
                --kernel chi2 --dimension 5 --spacing 0.1                                  | --search discrete
                --kernel chi2 --dimension 5 --search discrete --spacing 0                  | --spacing must be positive, got 0
                --kernel chi --dimension 5                                                 | did you mean 'chi2'?
                --kernel exp-chi2 --dimension 5                                            | --map 'fourier@lp(dimension=5)'
                --kernel hellinger --dimension 5                                           | --map exact
                --kernel linear --dimension 5                                              | --map exact
                --kernel polynomial --dimension 5                                          | --map auto
                --kernel chi2+hellinger --dimension 5                                      | one by one
                --kernel 2*chi2 --dimension 5                                              | leave out the factor
                --kernel skewed-chi2(c=1) --dimension 5                                    | design for sech(sigma=1)
                --kernel gaussian(sigma=1) --dimension 5                                   | give the range of the values
                --kernel gaussian(sigma=1) --dimension 5 --universal                       | is for kernels of ratios
                --kernel gaussian --dimension 5 --domain 0:1                               | gaussian has no sigma
                --kernel laplacian(sigma=~3) --dimension 5 --domain 0:1                    | leave ~ out
                --kernel gaussian(sigma=1) --dimension 5 --domain 0:1 --columns 4          | 1 to 3 columns, and these are 4
                --kernel gaussian(sigma=1) --dimension 5 --domain 0:1,0:1,0:1 --columns 2  | there are 3 intervals
                --kernel gaussian(sigma=[0:1=1,1:3=2]) --dimension 5 --domain 0:1,0:1      | has 3 columns
                --kernel gaussian(sigma=0.01) --dimension 5 --domain 0:9 --error relative  | take a shorter range or absolute errors
                --kernel gaussian(sigma=1) --dimension 5 --domain 0:1,0:1 --search discrete --spacing 1 | --spacing is for one column
                --kernel gaussian(sigma=1) --dimension 5 --domain 0:1,0:1 --pool polar --form modulation | take the product pool
                --kernel gaussian(sigma=1) --dimension 5 --domain 0:1,0:1 --pool polar --search greedy | take another search or the product pool
                """)
        void whatDoesNotGoTogether(String line, String text) {
            design((Object[]) line.strip().split(" +")).refused(Main.USAGE, text);
        }

        @Test
        void aPlotOfAnotherKind() {
            design("--kernel", "chi2", "--dimension", 3, "--plot", folder.resolve("design.jpg"))
                    .refused(Main.FAILED, "must end in .svg or .png");
        }
    }
}
