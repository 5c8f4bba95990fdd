package org.bochner.base.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SuggestionTest {
    @Test
    void findsTheWordWithAFewLettersChanged() {
        assertEquals(Optional.of("gaussian"), Suggestion.of("gausian", List.of("laplacian", "gaussian", "cauchy")));
        assertEquals(Optional.of("where"), Suggestion.of("WHERE", List.of("x", "y", "where")));
    }

    @Test
    void findsTheWordWithTwoLettersSwapped() {
        assertEquals(Optional.of("train"), Suggestion.of("trian", List.of("transform", "train")));
        assertEquals(1, Suggestion.distance("predcit", "Predict"));
        assertEquals(3, Suggestion.distance("", "abc"));
    }

    @Test
    void findsNoneWhereAllLettersWouldChange() {
        assertEquals(Optional.empty(), Suggestion.of("z", List.of("a", "b")));
        assertEquals("; known: a, b", Suggestion.hint("z", List.of("a", "b")));
    }

    @Test
    void findsNoneAmongNone() {
        assertEquals(Optional.empty(), Suggestion.of("z", List.of()));
    }

    @Test
    void suggestsCategoriesThatDifferInOneLetterOnly() {
        List<String> towns = List.of("Bonn", "Halle, Saale", "Trier");
        assertEquals("; did you mean 'Bonn'?", Suggestion.category("bon", towns));
        assertEquals("; did you mean 'Halle, Saale'?", Suggestion.category("Halle", towns));
        assertEquals("; known: Bonn, 'Halle, Saale', Trier", Suggestion.category("Tribe", towns));
    }

    @Test
    void takesNoIdentifierForAnotherOne() {
        assertEquals("; known: shop006, shop120", Suggestion.category("shop126", List.of("shop006", "shop120")));
        assertEquals("; known: 1, 2", Suggestion.category("3", List.of("1", "2")));
        assertEquals("; did you mean 'shop126'?", Suggestion.category("shp126", List.of("shop006", "shop126")));
    }

    @Test
    void listsTheFirstCategories() {
        List<String> many = IntStream.range(0, 30).mapToObj(i -> "c" + i).toList();
        assertEquals(
                "; known: " + String.join(", ", many.subList(0, 20)) + ", ...", Suggestion.category("other", many));
    }
}
