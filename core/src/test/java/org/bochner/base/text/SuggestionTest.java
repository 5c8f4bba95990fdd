package org.bochner.base.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
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
}
