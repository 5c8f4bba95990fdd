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
import org.junit.jupiter.params.provider.ValueSource;

class UncertaintyRecipeTest {
    @Test
    void spellingsParseBack() {
        for (UncertaintyRecipe recipe : List.of(
                UncertaintyRecipe.conformal(),
                new UncertaintyRecipe.CrossConformal(10),
                new UncertaintyRecipe.SplitConformal(0.25),
                UncertaintyRecipe.gaussian())) {
            assertEquals(recipe, UncertaintyRecipe.parse(recipe.toString()));
        }
        assertEquals(new UncertaintyRecipe.CrossConformal(5), UncertaintyRecipe.parse("conformal"));
        assertEquals(new UncertaintyRecipe.SplitConformal(0.2), UncertaintyRecipe.parse("conformal(share=20%)"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "conformal(folds=1)",
                "conformal(share=0)",
                "conformal(share=1)",
                "conformal(share=NaN)",
                "conformal(share=x)",
                "conformal(folds=5, share=0.2)",
                "conformal(size=3)",
                "gaussian(folds=5)",
                "normal",
                ""
            })
    void refusesOtherSpellings(String text) {
        assertThrows(SpellingException.class, () -> UncertaintyRecipe.parse(text));
    }

    @Test
    void refusesAGaussianProcessOfClasses() {
        Labels classes = new Labels.Classes(List.of("a", "b"));
        BochnerException e = assertThrows(
                BochnerException.class, () -> UncertaintyRecipe.gaussian().check(classes));
        assertTrue(String.valueOf(e.getMessage()).contains("conformal"), e.getMessage());
        UncertaintyRecipe.conformal().check(classes);
    }
}
