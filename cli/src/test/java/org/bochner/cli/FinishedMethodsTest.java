package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bochner.model.ComparedMethod;
import org.junit.jupiter.api.Test;

class FinishedMethodsTest {
    private static final ComparedMethod METHOD = new ComparedMethod(
            "linear", "linear", Optional.empty(), 2, 10, 5, 0.1, 0.01, 1, 100, 1e-6, 20, Optional.empty());

    private final List<String> printed = new ArrayList<>();

    @Test
    void arePrintedOnceWhenTheProcessIsToldToEnd() {
        try (FinishedMethods finished = new FinishedMethods(methods -> printed.add(methods.size() + " finished"))) {
            finished.interrupted();
            assertEquals(List.of(), printed);
            finished.add(METHOD);
            finished.interrupted();
            finished.interrupted();
            finished.printAll(() -> printed.add("all"));
        }
        assertEquals(List.of("1 finished"), printed);
    }

    @Test
    void areNotPrintedAfterTheWholeComparison() {
        try (FinishedMethods finished = new FinishedMethods(methods -> printed.add("finished"))) {
            finished.add(METHOD);
            finished.printAll(() -> printed.add("all"));
            finished.interrupted();
        }
        assertEquals(List.of("all"), printed);
    }
}
