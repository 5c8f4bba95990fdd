package org.bochner.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.bochner.base.SpellingException;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.kernel.composed.LogWarp;
import org.bochner.kernel.composed.ProductKernel;
import org.bochner.kernel.composed.ScaledKernel;
import org.bochner.kernel.composed.SqrtWarp;
import org.bochner.kernel.composed.SumKernel;
import org.bochner.kernel.composed.WarpedKernel;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.kernel.shift.Periodic;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KernelSpellingTest {
    @Nested
    class ScalesUpToAFactor {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "laplacian(sigma=~[0:2=1, 2:5=3])        | laplacian(sigma=[0:2=0.5, 2:5=1.5])",
                    "gaussian(sigma=~0.3)[0:2]               | gaussian(sigma=0.15)[0:2]",
                    "gaussian(sigma=~[0:1=2, 1:2=Infinity])  | gaussian(sigma=[0:1=1, 1:2=Infinity])",
                    "exp-chi2(gamma=~4)                      | exp-chi2(gamma=2)",
                    "skewed-chi2(c=0.1, power=~[0:1=2, 1:2=0]) | skewed-chi2(c=0.1, power=[0:1=1, 1:2=0])"
                })
        void areMultipliedByTheFactor(String relative, String halved) {
            KernelRecipe recipe = Kernels.recipe(relative);
            assertTrue(recipe.needsData());
            assertEquals(relative, recipe.toString());
            assertEquals(Kernels.parse(halved), recipe.withScales(0.5));
            assertNotEquals(recipe, Kernels.recipe(halved));
        }

        @Test
        void haveTheMedianDistanceInTheirUnits() {
            RowSample rows = RowSample.even(100, 2, -1, 1, new Seed(1));
            double median = Kernels.recipe("laplacian").measure(rows)[0];
            assertEquals(
                    median, Kernels.recipe("laplacian(sigma=~[0:1=1, 1:2=1])").measure(rows)[0], 1e-12);
            double[] alone =
                    Kernels.recipe("laplacian(sigma=~[0:1=1, 1:2=Infinity])").measure(rows);
            assertEquals(Kernels.recipe("laplacian[0:1]").measure(rows)[0], alone[0], 1e-12);
        }

        @Test
        void dependOnTheRatiosAlone() {
            RowSample rows = RowSample.even(100, 2, -1, 1, new Seed(1));
            for (String family : List.of("laplacian", "gaussian", "matern")) {
                double[] small =
                        Kernels.recipe(family + "(sigma=~[0:1=1e-6, 1:2=3e-6])").measure(rows);
                double[] large =
                        Kernels.recipe(family + "(sigma=~[0:1=1000, 1:2=3000])").measure(rows);
                assertEquals(1e-6 * small[0], 1000 * large[0], 1e-9 * large[0] * 1000);
            }
            double missing = Kernels.recipe("exp-chi2").measure(rows(0.1))[0];
            assertEquals(missing / 5, Kernels.recipe("exp-chi2(gamma=~5)").measure(rows(0.1))[0], 1e-12 * missing);
        }

        private static RowSample rows(double low) {
            return RowSample.even(100, 2, low, 1, new Seed(1));
        }

        @Test
        void opensTheFactorOfEachScale() {
            KernelRecipe recipe =
                    Kernels.recipe("gaussian(sigma=2)[0:2] * laplacian(sigma=[0:1=1, 1:2=5])[2:4] + 2*linear");
            assertEquals(2, recipe.withOpenFactors().openLengths().size());
            assertEquals(
                    Kernels.parse("gaussian(sigma=20)[0:2] * laplacian(sigma=[0:1=0.1, 1:2=0.5])[2:4] + 2*linear"),
                    recipe.withOpenFactors().withScales(10, 0.1));
        }

        @Test
        void aKernelObjectKeepsItsScales() {
            assertFalse(KernelRecipe.of(Kernels.laplacian(3)).withOpenFactors().needsData());
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"gaussian(sigma=~)", "gaussian(sigma=~-1)", "gaussian(sigma=~~2)", "matern(nu=~2, sigma=1)"})
        void refusesOtherTexts(String text) {
            assertThrows(SpellingException.class, () -> Kernels.recipe(text));
        }
    }

    @Nested
    class Reads {
        @Test
        void everyFamily() {
            assertEquals(new Gaussian(0.5), Kernels.parse("gaussian(sigma=0.5)"));
            assertEquals(Kernels.laplacian(3), Kernels.parse("laplacian(sigma=3)"));
            assertEquals(Kernels.cauchy(2), Kernels.parse("cauchy(sigma=2)"));
            assertEquals(Kernels.matern(2.5, 2), Kernels.parse("matern(nu=2.5, sigma=2)"));
            assertEquals(Kernels.matern(1.5, 2), Kernels.parse("matern(sigma=2)"));
            assertEquals(Kernels.rationalQuadratic(3, 2), Kernels.parse("rational-quadratic(sigma=2, alpha=3)"));
            assertEquals(Kernels.rationalQuadratic(1, 2), Kernels.parse("rational-quadratic(sigma=2)"));
        }

        @Test
        void sumsFactorsChannelsAndWarps() {
            assertEquals(
                    new SumKernel(List.of(
                            new ChannelKernel(new Gaussian(2), 0, 64),
                            new ScaledKernel(0.5, new ChannelKernel(Kernels.laplacian(3), 64, 364)),
                            WarpedKernel.of(Kernels.cauchy(1), new LogWarp(0.1)),
                            new ChannelKernel(WarpedKernel.of(new Gaussian(1), new SqrtWarp()), 364, 365))),
                    Kernels.parse("gaussian(sigma=2)[0:64] + 0.5*laplacian(sigma=3)[64:364]"
                            + " + cauchy(sigma=1)@log(c=0.1) + gaussian(sigma=1)@sqrt[364:365]"));
        }

        @Test
        void signsInsideNumbersAreNotOperators() {
            assertEquals(
                    new SumKernel(List.of(
                            new ScaledKernel(1e5, new Gaussian(1e-3)), new ScaledKernel(0.5, new Gaussian(20)))),
                    Kernels.parse("1e+5*gaussian(sigma=1e-3)+.5*gaussian(sigma=+2.0E+1)"));
        }

        @Test
        void blocksOfBandwidths() {
            assertEquals(
                    new Gaussian(Bandwidth.ofRanges(new int[] {2, 5}, new double[] {1, 3})),
                    Kernels.parse("gaussian(sigma=[0:2=1, 2:5=3])"));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "gaussian(sigma=[0:1=2, 1:2=Infinity])",
                    "laplacian(sigma=[0:2=Infinity, 2:3=0.5])",
                    "skewed-chi2(c=0.1, power=[0:1=2, 1:2=0])",
                    "skewed-intersection(c=0.1, power=[0:1=0, 1:2=0.3])",
                    "gaussian(sigma=[0:1=Infinity, 1:2=1])[0:2] * periodic(period=2, width=0.5)[2:3]"
                })
        void columnsThatDoNotCount(String text) {
            Kernel kernel = Kernels.parse(text);
            assertEquals(text, kernel.toString());
            assertEquals(kernel, Kernels.parse(kernel.toString()));
        }

        @Test
        void equalChannelsAndAllColumnsBesideChannels() {
            assertEquals(
                    5,
                    Kernels.parse(
                                    "gaussian(sigma=1)[3:5]+laplacian(sigma=1)+gaussian(sigma=1)[0:3]+cauchy(sigma=1)[3:5]")
                            .minimumColumns());
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    " gaussian( sigma = 2 ) [ 0 : 4 ] ",
                    "\tgaussian(sigma=2)[0:4]\n",
                    "gaussian (sigma=2.0)[0:4]",
                    "gaussian(sigma=2e0)[0:4]"
                })
        void spaceAnywhere(String text) {
            assertEquals("gaussian(sigma=2)[0:4]", Kernels.parse(text).toString());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gaussian(sigma=2)",
                "1*gaussian(sigma=2)",
                "1.0E-5*matern(nu=1.5, sigma=1.0E10)@log(c=0.1)[7:9] + 3*cauchy(sigma=4)",
                "laplacian(sigma=[0:2=1, 2:5=3.5])@sqrt[10:15]",
                "rational-quadratic(alpha=0.25, sigma=1)",
                "stable(p=1.5, q=0.5, sigma=[0:2=1, 2:5=3.5])@log(c=1)[10:15]",
                "gaussian(sigma=1) + gaussian(sigma=1)",
                "periodic(period=360, width=0.5)",
                "periodic(period=[0:1=1, 1:3=24], width=2)[4:7]",
                "gaussian(sigma=0.3)[0:2] * periodic(period=6.283185307179586, width=0.5)[2:3]",
                "0.5*matern(nu=1.5, sigma=[0:1=2, 1:2=3])[0:2] * laplacian(sigma=1)[2:3] * sech(sigma=4)[3:9] + chi2[0:2]",
                "gaussian(sigma=1)[0:2] + 2*gaussian(sigma=1)[7:9] * periodic(period=1, width=1)[9:10] + chi2[2:7]"
            })
    void printsWhatItRead(String text) {
        assertEquals(text, Kernels.parse(text).toString());
        assertEquals(text, Kernels.recipe(text).toString());
        assertFalse(Kernels.recipe(text).needsData());
        assertEquals(Kernels.parse(text), Kernels.recipe(text).complete());
    }

    @Nested
    class Products {
        @Test
        void areReadInAnyOrder() {
            assertEquals(
                    new ProductKernel(List.of(
                            new ProductKernel.Factor(new Gaussian(0.3), 0, 2),
                            new ProductKernel.Factor(Periodic.ofPeriod(2 * Math.PI, 0.5), 2, 3))),
                    Kernels.parse("periodic(width=0.5)[2:3]*gaussian(sigma=0.3)[0:2]"));
        }

        @Test
        void ofLaterColumnsAreChannels() {
            ChannelKernel kernel = (ChannelKernel) Kernels.parse("gaussian(sigma=1)[4:6] * periodic[6:7]");
            assertEquals(Kernels.parse("gaussian(sigma=1)[0:2] * periodic[2:3]"), kernel.kernel());
            assertEquals(4, kernel.from());
            assertEquals(7, kernel.to());
        }

        @ParameterizedTest
        @CsvSource({
            "chi2, chi2",
            "polynomial, polynomial",
            "exp-chi2(gamma=1), exp-chi2",
            "skewed-chi2(c=1), skewed-chi2",
            "linear, linear",
            "gaussian@log(c=1), gaussian@log(c=1)"
        })
        void refuseFactorsThatAreNotShiftInvariant(String factor, String shown) {
            assertFailure(
                    shown
                            + " cannot be a factor of a product: factors are shift-invariant kernels without a warp, such as"
                            + " gaussian, matern or periodic; take one of these, or add it with '+'",
                    "gaussian[0:2] * " + factor + "[2:3]");
        }

        @Test
        void refuseBlocksOfAnotherWidth() {
            assertFailure(
                    "product: the column ranges of gaussian(sigma=[0:1=1, 1:3=2]) cover 3 columns, [0:4] has 4",
                    "gaussian(sigma=[0:1=1, 1:3=2])[0:4] * periodic[4:5]");
        }
    }

    @Nested
    class Recipes {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "gaussian",
                    "matern",
                    "matern(nu=0.5)@log(c=1)[0:4] + gaussian(sigma=2)",
                    "0.5*laplacian[0:64]",
                    "rational-quadratic(alpha=2)",
                    "gaussian[0:2] * periodic[2:3]",
                    "0.5*gaussian(sigma=2)[3:4] * laplacian[4:6] + chi2[0:3]"
                })
        void withoutABandwidthNeedDataAndPrintBack(String text) {
            KernelRecipe recipe = Kernels.recipe(text);
            assertTrue(recipe.needsData());
            assertEquals(text, recipe.toString());
            assertEquals(recipe, Kernels.recipe(recipe.toString()));
        }

        @Test
        void withoutABandwidthAreNotComplete() {
            assertFailure(
                    "kernel 'gaussian(sigma=1) + laplacian[0:4]': laplacian has no sigma; write it, as in"
                            + " laplacian(sigma=1), or take it from data",
                    "gaussian(sigma=1)+laplacian[0:4]");
        }

        @Test
        void withScalesUpToAFactorAreNotComplete() {
            assertFailure(
                    "kernel 'laplacian(sigma=~3)': with ~, the sigma of laplacian has a factor that is chosen from data;"
                            + " leave ~ out to take the numbers as they are, or give data",
                    "laplacian(sigma=~3)");
        }

        @Test
        void checkTheOtherParametersAtOnce() {
            assertThrows(SpellingException.class, () -> Kernels.recipe("matern(nu=-1)"));
            assertThrows(SpellingException.class, () -> Kernels.recipe("matern(nu=x)"));
        }
    }

    @Nested
    class Explains {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '"',
                value = {
                    "gausian(sigma=1) | unknown kernel 'gausian'; did you mean 'gaussian'?",
                    "gaussian(sigm=1) | gaussian has no parameter 'sigm'; did you mean 'sigma'?",
                    "gaussian(sigma=1)@lgo(c=1) | unknown warp 'lgo'; did you mean 'log'?",
                    "gaussian(sigma=1)@log | log needs c, as in log(c=0.1): values are compared by the ratio of x + c, so take the size of a typical small value",
                    "gaussian(sigma=1)@sqrt(c=1) | sqrt takes no parameters, got 'c'",
                    "gaussian(sigma=-1) | gaussian: sigma must be positive and finite, got -1.0",
                    "gaussian(sigma=0) | gaussian: sigma must be positive and finite, got 0.0",
                    "gaussian(sigma=NaN) | gaussian: sigma must be positive and finite, got NaN",
                    "gaussian(sigma=wide) | gaussian: sigma must be a number, got 'wide'",
                    "periodic(period=0) | periodic: period must be positive and finite, got 0.0",
                    "periodic(width=NaN) | periodic: width must be positive and finite, got NaN",
                    "periodic(width=1e-9) | periodic: width must be at least 1.0E-4, got 1.0E-9; take gaussian(sigma=S) with S = width*period/6.2832 for values that near each other",
                    "periodic(period=1, sigma=1) | periodic: give the period, or sigma = period/(2π), not both",
                    "periodic(perod=1) | periodic has no parameter 'perod'; did you mean 'period'?",
                    "matern(nu=0, sigma=1) | matern: nu must be positive and finite, got 0.0",
                    "gaussian(sigma=1, sigma=2) | kernel 'gaussian(sigma=1, sigma=2)': sigma is given twice",
                })
        void whatIsUnknownOrOutOfRange(String text, String message) {
            assertFailure(message, text);
        }

        @Test
        void whatAnEmptyTextLacks() {
            assertFailure("kernel '': expected a kernel, such as gaussian(sigma=1); the text ends at position 1", "");
            assertFailure(
                    "kernel '  ': expected a kernel, such as gaussian(sigma=1); the text ends at position 3", "  ");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '"',
                value = {
                    "gaussian(sigma=1) + | expected a kernel, such as gaussian(sigma=1); the text ends at position 20",
                    "+ gaussian(sigma=1) | expected a kernel, such as gaussian(sigma=1); found '+' at position 1",
                    "gaussian(sigma=1) laplacian | expected '+', '*', '@', '[from:to]' or the end; found 'laplacian' at position 19",
                    "gaussian(sigma=1)*2 | expected the next factor of the product, a kernel with columns; a number stands in front of all; found '2' at position 19",
                    "gaussian[0:2] * | expected a kernel, such as gaussian(sigma=1); the text ends at position 16",
                    "gaussian * periodic | gaussian is a factor of a product and has no columns; every factor needs columns of its own, such as gaussian[0:2] * periodic[2:3]",
                    "gaussian[0:2] * periodic(width=2) | periodic(width=2) is a factor of a product and has no columns; every factor needs columns of its own, such as gaussian[0:2] * periodic[2:3]",
                    "gaussian[0:3] * periodic[2:4] | the factors of [0:3] and [2:4] share the columns [2:3]; every factor of a product has columns of its own, so let one end where the other starts",
                    "periodic[0:2] * gaussian[0:2] | the factors of [0:2] and [0:2] share the columns [0:2]; every factor of a product has columns of its own, so let one end where the other starts",
                    "periodic[5:6] * gaussian[0:2] | no factor has the columns [2:5]; the factors of a product follow each other without a gap, so give them one, such as gaussian[2:5], or put the columns of the factors side by side in the data",
                    "0.5 gaussian(sigma=1) | expected '*' after the factor 0.5; found 'gaussian' at position 5",
                    "gaussian(sigma=1)@ | expected a warp, such as log(c=0.1); the text ends at position 19",
                    "gaussian(sigma=1)[5:3] | the columns [5:3] are empty; write [from:to] with from < to, where 'to' itself is left out",
                    "gaussian(sigma=1)[3:3] | the columns [3:3] are empty; write [from:to] with from < to, where 'to' itself is left out",
                    "gaussian(sigma=1)[3] | expected columns written [from:to], such as [0:64]; found '[' at position 18",
                    "gaussian(sigma=1)[-1:3] | expected columns written [from:to], such as [0:64]; found '[' at position 18",
                    "gaussian(sigma=1 | the parenthesis opened at position 9 is not closed",
                    "gaussian(sigma=[0:2=1) | the parenthesis opened at position 9 is not closed",
                    "-0.5*gaussian(sigma=1) | factor must be positive and finite, got -0.5",
                    "0*gaussian(sigma=1) | factor must be positive and finite, got 0.0",
                })
        void whereItStoppedReading(String text, String problem) {
            assertFailure("kernel '" + text + "': " + problem, text);
        }

        @ParameterizedTest
        @CsvSource({
            "gaussian[0:300] + gaussian[200:400], [0:300], [200:400], [200:300]",
            "gaussian[200:400] + 0.5*laplacian(sigma=2)[0:300], [0:300], [200:400], [200:300]",
            "gaussian[0:9] + gaussian[3:4], [0:9], [3:4], [3:4]",
            "gaussian[0:9] + gaussian[0:4], [0:9], [0:4], [0:4]",
            "gaussian[5:7] + gaussian[0:5] + gaussian + gaussian[6:8], [5:7], [6:8], [6:7]"
        })
        void channelsThatOverlapWithoutBeingEqual(String text, String left, String right, String shared) {
            SpellingException e = assertThrows(SpellingException.class, () -> Kernels.recipe(text));
            assertEquals(
                    "kernel '" + text + "': the channels " + left + " and " + right + " share the columns " + shared
                            + "; let one end where the other starts, or write the same columns in both",
                    e.getMessage());
        }

        @Test
        void bandwidthsWithWhichNoColumnCounts() {
            assertFailure(
                    "gaussian: sigma must be positive and finite, got Infinity",
                    "gaussian(sigma=[0:1=Infinity, 1:2=Infinity])");
            assertFailure("gaussian: sigma must be positive and finite, got Infinity", "gaussian(sigma=Infinity)");
            assertFailure("skewed-chi2: power must be positive and finite, got 0.0", "skewed-chi2(c=1, power=0)");
        }

        @Test
        void columnsThatDoNotCountInTheOtherUnit() {
            assertThrows(SpellingException.class, () -> Kernels.parse("gaussian(sigma=[0:1=2, 1:2=0])"));
            assertThrows(SpellingException.class, () -> Kernels.parse("skewed-chi2(c=1, power=[0:1=2, 1:2=Infinity])"));
        }

        @Test
        void channelsTooNarrowForTheirBandwidths() {
            assertThrows(SpellingException.class, () -> Kernels.parse("gaussian(sigma=[0:2=1, 2:5=3])[0:4]"));
        }
    }

    @Nested
    class Families {
        @Test
        void ofAKernelObjectAreThoseOfItsTerms() {
            Kernel sum = Kernels.sum(Kernels.gaussian(1), Kernels.channel(Kernels.chi2(), 0, 2));
            for (KernelRecipe recipe : List.of(KernelRecipe.of(sum), Kernels.recipe("gaussian + chi2[0:2]"))) {
                assertTrue(recipe.hasFamiliesOf(Kernels.parse("gaussian(sigma=3) + chi2(degree=2)[0:2]")));
                assertFalse(recipe.hasFamiliesOf(Kernels.parse("gaussian(sigma=3) + intersection[0:2]")));
                assertFalse(recipe.hasFamiliesOf(Kernels.parse("gaussian(sigma=3) + chi2[0:3]")));
            }
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "exp-chi2           | exp-chi2(gamma=2)           | exp-intersection(gamma=2)",
                    "matern-chi2        | matern-chi2(nu=0.5, sigma=2) | rational-quadratic-chi2(sigma=2)",
                    "exp-chi2           | 3*exp-chi2(gamma=2)         | laplace-chi2(beta=2)",
                    "skewed-chi2(c=1)   | skewed-chi2(c=1, power=2)   | skewed-intersection(c=1, power=2)",
                    "sech@log(c=1)      | sech(sigma=2)@log(c=1)      | sech(sigma=2)@log(c=2)",
                    "gaussian[0:2] * periodic(width=1)[2:3] | gaussian(sigma=2)[0:2] * periodic(width=2)[2:3]"
                            + " | gaussian(sigma=2)[0:2] * cauchy(sigma=2)[2:3]",
                })
        void doNotDependOnParameters(String recipe, String same, String other) {
            assertTrue(Kernels.recipe(recipe).hasFamiliesOf(Kernels.parse(same)));
            assertFalse(Kernels.recipe(recipe).hasFamiliesOf(Kernels.parse(other)));
        }
    }

    @Nested
    class EqualRecipes {
        @Test
        void areEqualHoweverNumbersAreWritten() {
            assertEquals(Kernels.recipe("matern(nu=1.5)"), Kernels.recipe("matern(nu=1.50)"));
            assertEquals(
                    Kernels.recipe("matern(nu=1.5)").hashCode(),
                    Kernels.recipe("matern(nu=1.50)").hashCode());
            assertNotEquals(Kernels.recipe("gaussian"), Kernels.recipe("gaussian(sigma=1)"));
            assertNotEquals(
                    Kernels.recipe("gaussian + laplacian(sigma=1)"), Kernels.recipe("gaussian(sigma=1) + laplacian"));
        }
    }

    private static void assertFailure(String message, String text) {
        SpellingException e = assertThrows(SpellingException.class, () -> Kernels.parse(text));
        assertEquals(message, e.getMessage());
    }
}
