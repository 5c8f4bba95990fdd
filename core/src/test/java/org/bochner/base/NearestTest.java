package org.bochner.base;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NearestTest {
    @Test
    void findsTheWordWithAFewLettersChanged() {
        assertEquals(Optional.of("gaussian"), Nearest.of("gausian", List.of("laplacian", "gaussian", "cauchy")));
        assertEquals(Optional.of("where"), Nearest.of("WHERE", List.of("x", "y", "where")));
    }

    @Test
    void findsTheWordWithTwoLettersSwapped() {
        assertEquals(Optional.of("train"), Nearest.of("trian", List.of("transform", "train")));
        assertEquals(1, Nearest.distance("predcit", "Predict"));
        assertEquals(3, Nearest.distance("", "abc"));
    }

    @Test
    void findsNoneWhereAllLettersWouldChange() {
        assertEquals(Optional.empty(), Nearest.of("z", List.of("a", "b")));
        assertEquals("; known: a, b", Nearest.hint("z", List.of("a", "b")));
    }

    @Test
    void findsNoneAmongNone() {
        assertEquals(Optional.empty(), Nearest.of("z", List.of()));
    }
}
