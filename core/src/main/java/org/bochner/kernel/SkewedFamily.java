package org.bochner.kernel;

/** What the skewed kernels share: the parameters c and power, of which the data may give the power. */
final class SkewedFamily {
    private SkewedFamily() {}

    interface Maker {
        WarpedKernel kernel(Blocks c, Bandwidth power);
    }

    /** A power that is left out is one over the median distance of log(x + c). */
    static KernelFamily of(String name, Distance distance, Maker maker) {
        return KernelFamily.measured(
                name,
                "power",
                spelling -> {
                    Blocks c = LogWarp.shift(spelling);
                    return maker.kernel(c, Bandwidth.parseRates(name, "power", spelling.textOf("power")));
                },
                (spelling, rows, warp) ->
                        1 / rows.medianDistance(distance, 0, rows.columns(), new LogWarp(LogWarp.shift(spelling))),
                "c");
    }
}
