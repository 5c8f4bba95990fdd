package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutOfMemoryMessageTest {
    @ParameterizedTest
    @CsvSource({"1, 8", "4, 8", "8, 16", "20, 40"})
    void advisesMoreThanTheProcessHas(long gigabytes, long advised) {
        String message = Main.outOfMemory("Java heap space", gigabytes << 30);
        assertTrue(message.endsWith("BOCHNER_OPTS=-Xmx" + advised + "g"), message);
        assertTrue(message.contains("buckets of --text-features"), message);
    }
}
