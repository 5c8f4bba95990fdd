package org.bochner.kernel;

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
            rbf | gaussian
            RBF | gaussian
            poly | polynomial
            squared-exponential | gaussian
            chi-squared | chi2
            exponential | matern(nu=0.5)
            """)
    void nameOfAnotherProgramIsRefusedWithOurs(String theirs, String ours) {
        SpellingException e = assertThrows(SpellingException.class, () -> Kernels.recipe(theirs));
        assertTrue(
                String.valueOf(e.getMessage()).contains("'" + theirs + "'; did you mean '" + ours + "'?"),
                e.getMessage());
    }

    @Test
    void everyAliasLeadsToASpellingThatParses() {
        KernelFamilies.ALIASES.forEach((theirs, ours) -> {
            assertEquals(theirs.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", ""), theirs);
            assertDoesNotThrow(() -> Kernels.recipe(ours), ours);
            assertThrows(SpellingException.class, () -> Kernels.recipe(theirs), theirs);
        });
    }
}
