package org.bochner.map;

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
            rff | fourier
            nystroem | landmarks
            RBFSampler | fourier
            ORF | orthogonal
            fastfood | structured
            RandomBinning | binning
            """)
    void nameOfAnotherProgramIsRefusedWithOurs(String theirs, String ours) {
        SpellingException e = assertThrows(SpellingException.class, () -> FeatureMaps.parse(theirs));
        assertTrue(
                String.valueOf(e.getMessage()).contains("'" + theirs + "'; did you mean '" + ours + "'?"),
                e.getMessage());
    }

    @Test
    void everyAliasLeadsToASpellingThatParses() {
        FeatureMaps.ALIASES.forEach((theirs, ours) -> {
            assertEquals(theirs.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", ""), theirs);
            assertDoesNotThrow(() -> FeatureMaps.parse(ours), ours);
            assertThrows(SpellingException.class, () -> FeatureMaps.parse(theirs), theirs);
        });
    }
}
