package org.bochner.cli;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.file.Files;
import java.nio.file.Path;

/** How much memory this process has used at most. */
final class Memory {
    private static final Path STATUS = Path.of("/proc/self/status");

    private Memory() {}

    /** The peak resident size where the system tells it (Linux), else the peak of the JVM's memory pools. */
    static long peakBytes() {
        try {
            if (Files.isReadable(STATUS)) {
                for (String line : Files.readAllLines(STATUS)) {
                    if (line.startsWith("VmHWM:")) {
                        return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
                    }
                }
            }
        } catch (IOException | NumberFormatException e) {
            // The pools below are an answer too.
        }
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .map(MemoryPoolMXBean::getPeakUsage)
                .mapToLong(usage -> usage.getUsed())
                .sum();
    }
}
