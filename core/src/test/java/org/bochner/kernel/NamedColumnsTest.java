package org.bochner.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.bochner.base.Setting;
import org.bochner.base.SpellingException;
import org.bochner.data.ColumnNames;
import org.bochner.data.ColumnRange;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamedColumnsTest {
    private static final List<ColumnRange> CHANNELS = List.of(
            new ColumnRange("colour", 0, 20), new ColumnRange("texture", 20, 79), new ColumnRange("e5_x.y-z", 79, 80));
    private static final ColumnNames NAMES = ColumnNames.of(CHANNELS, List.of());
    private static final ColumnNames UNREAD =
            ColumnNames.unread(CHANNELS.stream().map(ColumnRange::name).toList(), false);

    private static String kernel(String spelling, ColumnNames names) {
        return Kernels.recipe(spelling, names).toString();
    }

    private static String failure(String spelling, ColumnNames names) {
        return assertThrows(SpellingException.class, () -> kernel(spelling, names), spelling)
                .problem();
    }

    @Nested
    class Channels {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "gaussian[colour] | gaussian[0:20]",
                    "gaussian [ colour ] | gaussian[0:20]",
                    "exp-chi2[colour] + 0.5*gaussian(sigma=2)[texture] | exp-chi2[0:20] + 0.5*gaussian(sigma=2)[20:79]",
                    "sech@log(c=1)[e5_x.y-z]+cauchy[texture] | sech@log(c=1)[79:80] + cauchy[20:79]",
                    "gaussian[colour] + gaussian[20:79] + laplacian | gaussian[0:20] + gaussian[20:79] + laplacian",
                    "gaussian[colour] + cauchy[colour] | gaussian[0:20] + cauchy[0:20]",
                    "1e+5*gaussian(sigma=1e+2)[colour] | 100000*gaussian(sigma=100)[0:20]",
                    "2*gaussian[colour] * periodic(width=2)[texture] + chi2[colour] | 2*gaussian[0:20] * periodic(width=2)[20:79] + chi2[0:20]",
                    "gaussian[0:20]*cauchy[texture]*sech[e5_x.y-z] | gaussian[0:20] * cauchy[20:79] * sech[79:80]",
                    "gaussian(sigma=[0:2=1, 2:20=3])[colour] | gaussian(sigma=[0:2=1, 2:20=3])[0:20]",
                    "2e+1*gaussian[ * ] + cauchy[colour] | 20*gaussian[0:20] + 20*gaussian[20:79] + 20*gaussian[79:80] + cauchy[0:20]"
                })
        void becomeColumns(String spelling, String expected) {
            assertEquals(expected, kernel(spelling, NAMES));
        }

        @Test
        void becomeColumnsOfScalings() {
            assertEquals(
                    Optional.of("unit-l1[0:20] + unit-l1[20:79] + unit-l1[79:80]"),
                    Scalings.parse("unit-l1[*]", NAMES).map(Scaling::toString));
            assertEquals(
                    Optional.of("unit-l1[0:20] + divide(by=100000)[20:79]"),
                    Scalings.parse("unit-l1[colour]+divide(by=1e+5)[texture]", NAMES)
                            .map(Scaling::toString));
        }

        @ParameterizedTest
        @ValueSource(strings = {"gaussian[3]", "gaussian[-1:3]", "gaussian[a:b]", "gaussian[", "gaussian[]"})
        void mustBeNamesOrNumbers(String spelling) {
            assertTrue(
                    failure(spelling, NAMES).contains("expected columns written [from:to]"), failure(spelling, NAMES));
        }

        @Test
        void withBlanksNeedQuotes() {
            assertTrue(failure("gaussian[a b]", NAMES).contains("need quotes: ['a b']"));
        }

        @Test
        void mustBeKnown() {
            assertEquals(
                    "kernel 'gaussian[colur]': unknown channel 'colur'; did you mean 'colour'?"
                            + " (the data has colour, texture, e5_x.y-z)",
                    failure("gaussian[colur]", NAMES));
            assertThrows(SpellingException.class, () -> Scalings.parse("unit-l1[colur]", NAMES));
            assertThrows(SpellingException.class, () -> Scalings.parse("unit-l1[colur]", UNREAD));
        }

        @Test
        void areRefusedInAProductIfAllAreMeant() {
            assertTrue(failure("gaussian[*]*cauchy[colour]", NAMES).contains("one term per channel"));
        }

        @ParameterizedTest
        @ValueSource(strings = {"colour", "*"})
        void areRefusedWithARemedyIfThereAreNone(String name) {
            SpellingException e = assertThrows(
                    SpellingException.class, () -> Kernels.recipe("gaussian[" + name + "]", ColumnNames.none()));
            assertEquals(Setting.CHANNEL, e.remedies().get(1).setting());
        }
    }

    @Nested
    class BeforeTheDataAreRead {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "gaussian(sigma=1)[colour] + 2*cauchy[texture] | gaussian(sigma=1) + 2*cauchy",
                    "gaussian[*] + cauchy[0:3] | gaussian + gaussian + gaussian + cauchy[0:3]",
                    "2*gaussian[colour] * cauchy[texture] | 2*gaussian",
                    "gaussian[0:20]*cauchy[texture] + sech[colour] | gaussian[0:20] + sech"
                })
        void columnsAreLeftOut(String spelling, String expected) {
            assertEquals(expected, kernel(spelling, UNREAD));
        }

        @Test
        void channelsMustBeKnown() {
            assertThrows(SpellingException.class, () -> kernel("gaussian[colur]", UNREAD));
            assertThrows(SpellingException.class, () -> kernel("gaussian[colour]*cauchy[textur]", UNREAD));
        }

        @Test
        void columnsAreNotChecked() {
            assertEquals(
                    "gaussian + 2*cauchy",
                    kernel("gaussian[a, b] + 2*cauchy['c d']", ColumnNames.unread(List.of(), true)));
            assertEquals("gaussian + 2*cauchy", kernel("gaussian['colour:red'] + 2*cauchy[colour]", UNREAD));
        }

        @Test
        void scalingsWithNamesAreCheckedOnly() {
            assertEquals(Optional.empty(), Scalings.parse("unit-l1[colour] + standard[90:95]", UNREAD));
            assertThrows(SpellingException.class, () -> Scalings.parse("unit-l3[colour]", UNREAD));
        }
    }

    @Nested
    class Columns {
        private final List<ColumnRange> columns = List.of(
                new ColumnRange("length", 0, 1),
                new ColumnRange("sex", 1, 4),
                new ColumnRange("fixed acidity", 4, 5),
                new ColumnRange("a+b, [c]*d", 5, 6),
                new ColumnRange("1990", 6, 7));
        private final ColumnNames names = ColumnNames.of(List.of(), columns);

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    "gaussian[length] | gaussian[0:1]",
                    "gaussian[sex] | gaussian[1:4]",
                    "gaussian[sex, length] + 2*laplacian['fixed acidity'] | gaussian[0:4] + 2*laplacian[4:5]",
                    "gaussian[ length,sex, \"fixed acidity\" ] | gaussian[0:5]",
                    "gaussian['a+b, [c]*d'] * periodic(width=1)['1990'] | gaussian[5:6] * periodic(width=1)[6:7]",
                    "gaussian[length] + chi2[3:5] | gaussian[0:1] + chi2[3:5]"
                })
        void goByTheNamesOfTheHeader(String spelling, String expected) {
            assertEquals(expected, kernel(spelling, names));
        }

        @Test
        void ofScalingsMayHaveAnyName() {
            assertEquals(
                    Optional.of("standard[5:6] + centre[0:1]"),
                    Scalings.parse("standard['a+b, [c]*d'] + centre[length]", names)
                            .map(Scaling::toString));
        }

        @Test
        void ofChannelsAreQuotedWithTheNameOfTheirChannel() {
            ColumnNames both = ColumnNames.of(
                    CHANNELS, List.of(new ColumnRange("colour:red", 3, 4), new ColumnRange("colour", 7, 8)));
            assertEquals("gaussian[3:4]", kernel("gaussian['colour:red']", both));
            assertEquals("gaussian[0:20]", kernel("gaussian[colour]", both));
            assertEquals("gaussian[7:8]", kernel("gaussian['colour']", both));
        }

        @Test
        void mustBeKnownAndNamedOnce() {
            assertEquals(
                    "kernel 'chi2[lenght]': unknown column 'lenght'; did you mean 'length'?"
                            + " (the data has length, sex, fixed acidity, a+b, [c]*d, 1990)",
                    failure("chi2[lenght]", names));
            assertTrue(failure("chi2[length, length]", names).contains("'length' is named twice"));
        }

        @Test
        void inOneListMustBeNeighbours() {
            String problem = failure("chi2[length, 'fixed acidity']", names);
            assertTrue(problem.contains("'length' and 'fixed acidity' are not neighbours"), problem);
        }

        @Test
        void defineChannels() {
            assertEquals(
                    List.of(new ColumnRange("size", 0, 4), new ColumnRange("rest", 4, 7)),
                    names.channels("size=length..sex,rest='fixed acidity'..'1990'"));
            assertEquals(
                    List.of(new ColumnRange("one", 1, 4), new ColumnRange("two", 4, 6)),
                    names.channels("one=sex,two=4:6"));
            assertThrows(SpellingException.class, () -> names.channels("a=sex..length"));
            assertThrows(SpellingException.class, () -> names.channels("a=sox"));
            assertThrows(SpellingException.class, () -> ColumnNames.none().channels("a=sex"));
            assertThrows(SpellingException.class, () -> names.channels("a=7"));
        }

        @Test
        void defineChannelsThatLieApartBeforeTheDataAreRead() {
            List<ColumnRange> channels = ColumnNames.unread(List.of(), true).channels("one='a+b, [c]*d',two=4:6");
            assertEquals(
                    List.of("one", "two"),
                    channels.stream().map(ColumnRange::name).toList());
            assertTrue(channels.get(0).to() <= channels.get(1).from());
        }
    }
}
