package org.bochner.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.bochner.base.SpellingException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChannelsTest {
    private static final List<ColumnRange> CHANNELS = List.of(
            new ColumnRange("colour", 0, 20), new ColumnRange("texture", 20, 79), new ColumnRange("e5_x.y-z", 79, 80));

    private static String resolve(String spelling) {
        return Channels.resolve("kernel", spelling, CHANNELS);
    }

    @Nested
    class Names {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "gaussian[colour] | gaussian[0:20]",
                    "gaussian [ colour ] | gaussian [0:20]",
                    "exp-chi2[colour] + 0.5*gaussian(sigma=2)[texture] | exp-chi2[0:20] + 0.5*gaussian(sigma=2)[20:79]",
                    "a(b=1)@log(c=1)[e5_x.y-z]+c[texture] | a(b=1)@log(c=1)[79:80] + c[20:79]",
                    "gaussian[colour] + gaussian[20:79] + laplacian | gaussian[0:20] + gaussian[20:79] + laplacian",
                    "gaussian[colour] + cauchy[colour] | gaussian[0:20] + cauchy[0:20]",
                    "1e+5*gaussian(sigma=1e+2)[colour] | 1e+5*gaussian(sigma=1e+2)[0:20]",
                    "2*gaussian[colour] * periodic(width=2)[texture] + chi2[colour] | 2*gaussian[0:20] * periodic(width=2)[20:79] + chi2[0:20]",
                    "gaussian[0:20]*periodic[texture]*chi2[e5_x.y-z] | gaussian[0:20]*periodic[20:79]*chi2[79:80]",
                    "gaussian(sigma=[0:2=1, 2:5=3])[colour] | gaussian(sigma=[0:2=1, 2:5=3])[0:20]"
                })
        void becomeColumns(String spelling, String expected) {
            assertTrue(Channels.areNamed(spelling));
            assertEquals(expected, resolve(spelling));
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "unit-l1[*] | unit-l1[0:20] + unit-l1[20:79] + unit-l1[79:80]",
                    "2e+1*k(a=1)[ * ] + c[colour] | 2e+1*k(a=1)[0:20] + 2e+1*k(a=1)[20:79] + 2e+1*k(a=1)[79:80] + c[0:20]"
                })
        void ofEveryChannelBecomeATermForEach(String spelling, String expected) {
            assertTrue(Channels.areNamed(spelling));
            assertEquals(expected, resolve(spelling));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "gaussian",
                    "gaussian[0:20]",
                    " unit-l1[0:20]+standard[20:60] ",
                    "gaussian(sigma=[0:2=1])",
                    "gaussian(sigma=[colour=1])",
                    "gaussian[3]",
                    "gaussian[-1:3]",
                    "gaussian[a:b]",
                    "gaussian[",
                    "a]+[",
                    "0.5*gaussian",
                    "gaussian[a b]",
                    ")(+[]"
                })
        void thatAreNotThereLeaveTheSpellingAsItIs(String spelling) {
            assertFalse(Channels.areNamed(spelling));
            assertSame(spelling, resolve(spelling));
            assertSame(spelling, Channels.resolve("kernel", spelling, List.of()));
        }

        @Test
        void canBeLeftOutWhileWidthsAreUnknown() {
            List<String> names = CHANNELS.stream().map(ColumnRange::name).toList();
            assertEquals("a(b=1) + 2*c", Channels.withoutNames("kernel", "a(b=1)[colour] + 2*c[texture]", names));
            assertEquals("a + a + a + b[0:3]", Channels.withoutNames("kernel", "a[*] + b[0:3]", names));
            assertEquals("2*a", Channels.withoutNames("kernel", "2*a[colour] * b[texture]", names));
            assertEquals("a[0:20] + c", Channels.withoutNames("kernel", "a[0:20]*b[texture] + c[colour]", names));
            assertThrows(SpellingException.class, () -> Channels.withoutNames("kernel", "a[colur]", names));
            assertThrows(SpellingException.class, () -> Channels.withoutNames("kernel", "a[colour]*b[textur]", names));
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

        private String named(String spelling) {
            return Channels.resolve("kernel", spelling, List.of(), columns);
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    "gaussian[length] | gaussian[0:1]",
                    "gaussian[sex] | gaussian[1:4]",
                    "gaussian[sex, length] + 2*laplacian['fixed acidity'] | gaussian[0:4] + 2*laplacian[4:5]",
                    "gaussian[ length,sex, \"fixed acidity\" ] | gaussian[0:5]",
                    "gaussian['a+b, [c]*d'] * periodic['1990'] | gaussian[5:6] * periodic[6:7]",
                    "gaussian[length] + chi2[3:5] | gaussian[0:1] + chi2[3:5]"
                })
        void goByTheNamesOfTheHeader(String spelling, String expected) {
            assertTrue(Channels.areNamed(spelling));
            assertEquals(expected, named(spelling));
        }

        @Test
        void ofChannelsAreQuotedWithTheNameOfTheirChannel() {
            List<ColumnRange> both = List.of(new ColumnRange("colour:red", 3, 4), new ColumnRange("colour", 7, 8));
            assertEquals("k[3:4] + k[0:20]", Channels.resolve("kernel", "k['colour:red'] + k[colour]", CHANNELS, both));
            assertEquals("k[7:8]", Channels.resolve("kernel", "k['colour']", CHANNELS, both));
            assertEquals(
                    "k + 2*k", Channels.withoutNames("kernel", "k['colour:red'] + 2*k[colour]", List.of("colour")));
        }

        @Test
        void areTakenOnTrustUntilTheDataIsOpen() {
            assertEquals("k + 2*j", Channels.withoutNames("kernel", "k[a, b] + 2*j['c d']", List.of()));
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    "k[lenght] | kernel 'k[lenght]': unknown column 'lenght'; did you mean 'length'? (the data has length, sex, fixed acidity, a+b, [c]*d, 1990)",
                    "k[length, length] | kernel 'k[length, length]': 'length' is named twice"
                })
        void explainWhatIsWrong(String spelling, String message) {
            SpellingException e = assertThrows(SpellingException.class, () -> named(spelling));
            assertEquals(message, e.getMessage());
        }

        @Test
        void inOneListMustBeNeighbours() {
            SpellingException e = assertThrows(SpellingException.class, () -> named("k[length, 'fixed acidity']"));
            assertTrue(
                    String.valueOf(e.getMessage()).contains("'length' and 'fixed acidity' are no neighbours"),
                    e.getMessage());
        }

        @Test
        void makeChannels() {
            assertEquals(
                    "size=0:4,rest=4:7", Channels.ranges("size=length..sex,rest='fixed acidity'..'1990'", columns));
            assertEquals("one=1:4,two=4:6", Channels.ranges("one=sex,two=4:6", columns));
            assertEquals(List.of("one", "two"), Channels.names("one='a+b, [c]*d',two=4:6"));
            assertTrue(Channels.haveNamedColumns("one=sex,two=4:6"));
            assertFalse(Channels.haveNamedColumns("one=0:4,two=4:6"));
            assertThrows(SpellingException.class, () -> Channels.ranges("a=sex..length", columns));
            assertThrows(SpellingException.class, () -> Channels.ranges("a=sox", columns));
            assertThrows(SpellingException.class, () -> Channels.ranges("a=sex", List.of()));
        }
    }

    @Nested
    class Explains {
        private void assertFailure(String message, String spelling, List<ColumnRange> channels) {
            SpellingException e = assertThrows(
                    SpellingException.class, () -> Channels.resolve("scaling", spelling, channels), spelling);
            assertEquals(message, e.getMessage());
        }

        @Test
        void aNameThatNoChannelHas() {
            assertFailure(
                    "scaling 'unit-l1[colur]': unknown channel 'colur'; did you mean 'colour'?"
                            + " (the data has colour, texture, e5_x.y-z)",
                    "unit-l1[colur]",
                    CHANNELS);
            assertFailure(
                    "scaling 'unit-l1[shape]': unknown channel 'shape' (the data has colour, texture, e5_x.y-z)",
                    "unit-l1[shape]",
                    CHANNELS);
        }

        @Test
        void everyChannelInAProduct() {
            assertFailure(
                    "scaling 'a[*]*b[colour]': [*] writes a sum of terms, one a channel, and has no place in a product; name"
                            + " the channel of each factor",
                    "a[*]*b[colour]",
                    CHANNELS);
        }

        @ParameterizedTest
        @ValueSource(strings = {"colour", "*"})
        void dataWithoutChannels(String name) {
            assertFailure(
                    "scaling 'unit-l1[" + name + "]': [" + name + "] names a channel, and the data has none; join files"
                            + " as channels with --channel NAME=FILE, or write columns, such as [0:20]",
                    "unit-l1[" + name + "]",
                    List.of());
        }
    }
}
