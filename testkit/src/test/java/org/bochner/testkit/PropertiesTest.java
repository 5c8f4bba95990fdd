package org.bochner.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bochner.random.RandomStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class PropertiesTest {
    @BeforeEach
    void notWhileReplaying() {
        Assumptions.assumeTrue(
                System.getProperty("bochner.seed") == null, "a case of another property is being repeated");
    }

    @Test
    void triesTheSameCasesInEveryRun() {
        List<Long> first = new ArrayList<>();
        List<Long> second = new ArrayList<>();
        Properties.forAll(10, 3, stream -> first.add(stream.nextLong()));
        Properties.forAll(10, 3, stream -> second.add(stream.nextLong()));
        assertEquals(10, first.stream().distinct().count());
        assertEquals(first, second);
    }

    @Test
    void aFailureNamesTheCaseAndCanBeReplayed() {
        AssertionError failure = assertThrows(
                AssertionError.class,
                () -> Properties.forAll(1000, 3, stream -> stream.nextInt(100), value -> assertTrue(value < 99)));
        String message = String.valueOf(failure.getMessage());
        assertTrue(message.contains(" for 99; repeat it with -Dbochner.seed="), message);
        Matcher seed = Pattern.compile("bochner.seed=(-?\\d+)").matcher(message);
        assertTrue(seed.find());
        System.setProperty("bochner.seed", seed.group(1));
        try {
            List<Integer> replayed = new ArrayList<>();
            Properties.forAll(1000, 3, stream -> stream.nextInt(100), replayed::add);
            assertEquals(List.of(99), replayed);
        } finally {
            System.clearProperty("bochner.seed");
        }
    }

    @Test
    void exceptionsAreFailuresToo() {
        AssertionError failure = assertThrows(
                AssertionError.class, () -> Properties.forAll(1, 1, (RandomStream stream) -> stream.nextInt(0)));
        assertTrue(String.valueOf(failure.getMessage()).startsWith("case 1 of 1 failed; repeat it with"));
    }
}
