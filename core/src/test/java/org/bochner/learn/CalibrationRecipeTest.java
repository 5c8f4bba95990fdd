package org.bochner.learn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.SpellingException;
import org.bochner.data.Labels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalibrationRecipeTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            platt                    | platt(folds=5)
            platt(folds=10)          | platt(folds=10)
            isotonic(holdout=0.25)   | isotonic(holdout=0.25)
            temperature( folds = 2 ) | temperature(folds=2)
            quantile                 | quantile
            quantile(rank=500)       | quantile(rank=500)
            """)
    void parsesAndPrintsBack(String text, String printed) {
        CalibrationRecipe recipe = CalibrationRecipe.parse(text);
        assertEquals(printed, recipe.toString());
        assertEquals(recipe, CalibrationRecipe.parse(printed));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            plat                         | did you mean 'platt'
            sigmoid                      | did you mean 'platt'
            odds                         | known: platt, temperature, isotonic, quantile
            platt(folds=1)               | folds must be at least 2
            platt(folds=2.5)             | whole number
            platt(holdout=0)             | holdout must lie strictly between 0
            platt(holdout=1)             | holdout must lie strictly between 0
            platt(holdout=NaN)           | holdout must lie strictly between 0
            isotonic(folds=5, holdout=0.5) | exclude each other
            temperature(fold=5)          | did you mean 'folds'
            quantile(rank=0)             | rank must be at least 1
            quantile(rank=-3)            | rank must be at least 1
            quantile(folds=5)            | no parameter 'folds'
            platt(folds=5                | not closed
            """)
    void refusesWhatMakesNoSense(String text, String message) {
        SpellingException e = assertThrows(SpellingException.class, () -> CalibrationRecipe.parse(text));
        assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
    }

    @Test
    void needsClassesAndLevelsNeedSeveral() {
        Labels numbers = new Labels.Numbers(List.of("price"));
        Labels two = new Labels.Classes(List.of("a", "b"));
        CalibrationRecipe platt = CalibrationRecipe.parse("platt");
        CalibrationRecipe quantile = CalibrationRecipe.parse("quantile");
        assertThrows(BochnerException.class, () -> platt.check(numbers));
        assertThrows(BochnerException.class, () -> quantile.check(numbers));
        BochnerException e = assertThrows(BochnerException.class, () -> quantile.check(two));
        assertTrue(String.valueOf(e.getMessage()).contains("single score"), e.getMessage());
        platt.check(two);
        quantile.check(new Labels.Classes(List.of("a", "b", "c")));
    }
}
