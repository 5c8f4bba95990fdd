package org.bochner.scale;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Locale;
import org.bochner.base.SpellingException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names from other programs lead to ours. */
class AliasesTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            StandardScaler | standard
            standard-scaler | standard
            z-score | standard
            MinMaxScaler | min-max
            normalize | unit-l2
            """)
    void nameOfAnotherProgramIsRefusedWithOurs(String theirs, String ours) {
        SpellingException e = assertThrows(SpellingException.class, () -> Scalings.parse(theirs));
        assertTrue(
                String.valueOf(e.getMessage()).contains("'" + theirs + "'; did you mean '" + ours + "'?"),
                e.getMessage());
    }

    @Test
    void everyAliasLeadsToASpellingThatParses() {
        Scalings.ALIASES.forEach((theirs, ours) -> {
            assertEquals(theirs.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", ""), theirs);
            assertDoesNotThrow(() -> Scalings.parse(ours), ours);
            assertThrows(SpellingException.class, () -> Scalings.parse(theirs), theirs);
        });
    }
}
