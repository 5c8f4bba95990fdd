package org.bochner.kernel;

import java.util.List;
import org.bochner.base.Spelling;

/** Reads kernels from their spellings. */
public final class Kernels {
    private Kernels() {}

    /** The kernel so spelled. */
    public static Kernel parse(String text) {
        Spelling spelling = Spelling.parse("kernel", text);
        if (!spelling.name().equals("gaussian")) {
            throw Spelling.unknown("kernel", spelling.name(), List.of("gaussian"));
        }
        return new Gaussian(spelling.allow("sigma").number("sigma"));
    }
}
