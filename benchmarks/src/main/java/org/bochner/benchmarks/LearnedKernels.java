package org.bochner.benchmarks;

import java.nio.file.Path;
import java.util.Locale;
import org.bochner.numeric.matrix.Blas;

/** Experiments on learned kernels: each part is a class of its own. */
public final class LearnedKernels {
    private LearnedKernels() {}

    /** Arguments: the part, the folder of the data sets, and what the part takes. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[1]);
        System.out.printf(
                Locale.ROOT,
                "Linear algebra: %s; Java %s; %d processors%n",
                Blas.get().name(),
                System.getProperty("java.specification.version"),
                Runtime.getRuntime().availableProcessors());
        switch (arguments[0]) {
            case "scales" -> LearnedScales.run(folder, Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
            case "gradient" -> GradientCost.run(folder);
            case "rows" -> RowCost.run(folder, Integer.parseInt(arguments[2]), arguments[3]);
            case "channels" ->
                ChannelWeights.run(
                        folder,
                        Integer.parseInt(arguments[2]),
                        Integer.parseInt(arguments[3]),
                        arguments.length > 4 ? arguments[4] : "");
            default -> throw new IllegalArgumentException("unknown part " + arguments[0]);
        }
    }
}
