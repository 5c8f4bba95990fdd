package org.bochner.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpellingTest {
    @ParameterizedTest
    @ValueSource(strings = {"fourier", "fourier(phase)", "gaussian(sigma=0.5)", "k(a=[0:2=1, 2:4=3], b=1)"})
    void printsBackWhatItParsed(String text) {
        assertEquals(text, Spelling.parse("recipe", text).toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "(", "a(", "a)", "a(b=)", "a(=1)", "a(b=1", "a(b=1,b=2)", "3a", "a b", "a(b=[1)"})
    void rejectsWhatIsMalformed(String text) {
        assertThrows(SpellingException.class, () -> Spelling.parse("recipe", text));
    }

    /** Whoever catches failures that are written for people catches misspellings too. */
    @Test
    void whatIsMisspelledIsAFailureForPeople() {
        assertThrows(BochnerException.class, () -> Spelling.parse("recipe", "a("));
        SpellingException e = assertThrows(
                SpellingException.class, () -> Spelling.reading(() -> Require.positive("kernel", "sigma", -1)));
        assertEquals("kernel: sigma must be positive and finite, got -1.0", e.getMessage());
        assertInstanceOf(IllegalArgumentException.class, e.getCause());
    }

    @Test
    void suggestsTheNearestParameter() {
        Spelling spelling = Spelling.parse("kernel", "gaussian(sigme=1)");
        SpellingException e = assertThrows(SpellingException.class, () -> spelling.allow("sigma"));
        assertTrue(String.valueOf(e.getMessage()).contains("did you mean 'sigma'"), e.getMessage());
    }

    @Test
    void listsWhatIsKnownWhereNothingIsNear() {
        String message = String.valueOf(Spelling.unknown("kernel", "xyz", List.of("gaussian", "laplacian"))
                .getMessage());
        assertTrue(message.contains("known: gaussian, laplacian"), message);
    }

    @Test
    void readsNumbersAndWholeNumbers() {
        Spelling spelling = Spelling.parse("map", "m(a=1e-3, b=4, c=2.5)");
        assertEquals(1e-3, spelling.number("a"));
        assertEquals(4, spelling.integer("b", 1));
        assertEquals(9, spelling.integer("absent", 9));
        assertThrows(SpellingException.class, () -> spelling.integer("c", 1));
        assertThrows(SpellingException.class, () -> spelling.number("absent"));
    }

    @ParameterizedTest
    @CsvSource({"0.2, 20%", "0.333, 33.3%", "0.001, 0.1%", "1, 100%", "0.07, 7 %", "-0.5, -50%", "NaN, NaN%"})
    void readsASharePlainOrInPercentWithTheSameBits(double expected, String text) {
        assertEquals(expected, Spelling.toShare("share", text));
        assertEquals(expected, Spelling.toShare("share", Double.toString(expected)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%", "few", "x%", "20%%"})
    void rejectsAShareThatIsNoNumber(String text) {
        SpellingException e = assertThrows(SpellingException.class, () -> Spelling.toShare("--keep", text));
        assertTrue(
                String.valueOf(e.getMessage()).startsWith("--keep must be a number or a percentage"), e.getMessage());
    }

    @Test
    void roundsDown() {
        assertEquals("0.6666", Spelling.roundedDown(2 / 3.0, 4));
        assertEquals("0.99", Spelling.roundedDown(0.9999, 2));
        // The double nearest to 0.95 is below it.
        assertEquals("0.95", Spelling.roundedDown(0.95, 3));
        assertEquals("0", Spelling.roundedDown(0, 3));
    }
}
