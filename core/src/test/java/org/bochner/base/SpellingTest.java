package org.bochner.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
}
