package org.bochner.model.evaluate;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.function.Function;

/** Measures the peak of the Java heap above its use at the start. The pools' peaks are summed, which is an upper bound. */
public record HeapPeak(long before) {
    private static final List<MemoryPoolMXBean> HEAP = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .toList();

    /** Collects garbage and starts a measurement. Only one measurement runs at a time. */
    public static HeapPeak start() {
        System.gc();
        HEAP.forEach(MemoryPoolMXBean::resetPeakUsage);
        return new HeapPeak(used(MemoryPoolMXBean::getUsage));
    }

    /** Returns the bytes above the start. */
    public long bytes() {
        return Math.max(0, used(MemoryPoolMXBean::getPeakUsage) - before);
    }

    private static long used(Function<MemoryPoolMXBean, MemoryUsage> usage) {
        return HEAP.stream().map(usage).mapToLong(MemoryUsage::getUsed).sum();
    }
}
