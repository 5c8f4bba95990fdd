package org.bochner.cli;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.file.Files;
import java.nio.file.Path;

/** Measures the peak memory of this process. */
final class Memory {
    private static final Path STATUS = Path.of("/proc/self/status");

    private Memory() {}

    /** Returns the peak resident size on Linux; on other systems, the peak of the memory pools of the JVM. */
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
            // The memory pools below are used instead.
        }
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .map(MemoryPoolMXBean::getPeakUsage)
                .mapToLong(usage -> usage.getUsed())
                .sum();
    }
}
