package org.bochner.kernel.composed;

import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.columns.ByColumn;
import org.bochner.kernel.family.DeclaredFamily;

/** The families of skewed kernels: the parameters are c and power, and the power may be measured on the data. */
final class SkewedFamily {
    private SkewedFamily() {}

    interface Maker {
        WarpedKernel kernel(ByColumn c, Bandwidth power);
    }

    /** Returns a family. A missing power is one over the median distance of log(x + c). */
    static KernelFamily of(String name, int norm, Maker maker) {
        return DeclaredFamily.measured(
                name,
                "power",
                spelling -> {
                    ByColumn c = LogWarp.shift(spelling);
                    return maker.kernel(c, Bandwidth.parseInverse(name, "power", spelling.textOf("power")));
                },
                (spelling, rows) ->
                        1 / rows.warped(new LogWarp(LogWarp.shift(spelling))).medianDistance(norm),
                "c");
    }
}
