package org.bochner.kernel.family;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Stream;
import org.bochner.base.Spelling;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.ShiftInvariantKernel;

/**
 * A kernel family that the file of a kernel declares in one expression.
 *
 * @param maker makes a kernel from its spelling
 * @param measure measures the scale on sampled rows, given the other parameters
 */
public record DeclaredFamily(
        String name,
        List<String> parameters,
        Optional<String> scale,
        boolean scaleIsLength,
        Function<Spelling, Kernel> maker,
        ToDoubleBiFunction<Spelling, RowSample> measure)
        implements KernelFamily {
    /**
     * Declares shift-invariant kernels, whose {@code sigma} is by default the median distance of rows.
     *
     * @param norm 1 or 2: the distance that sigma measures, Σ|xₗ − yₗ| or √Σ(xₗ − yₗ)²
     */
    public static KernelFamily shiftInvariant(
            String name,
            int norm,
            BiFunction<Spelling, Bandwidth, ShiftInvariantKernel> maker,
            String... otherParameters) {
        return new DeclaredFamily(
                name,
                Stream.concat(Stream.of("sigma"), Stream.of(otherParameters)).toList(),
                Optional.of("sigma"),
                true,
                spelling -> maker.apply(spelling, Bandwidth.parse(name, "sigma", spelling.textOf("sigma"))),
                (spelling, rows) -> rows.medianDistance(norm));
    }

    /**
     * Declares kernels whose scale is an inverse length or an inverse squared length, measured on the data if missing.
     */
    public static KernelFamily measured(
            String name,
            String scale,
            Function<Spelling, Kernel> maker,
            ToDoubleBiFunction<Spelling, RowSample> measure,
            String... otherParameters) {
        List<String> parameters =
                Stream.concat(Stream.of(scale), Stream.of(otherParameters)).toList();
        return new DeclaredFamily(name, parameters, Optional.of(scale), false, maker, measure);
    }

    /** Declares kernels without a scale. */
    public static KernelFamily withoutScale(String name, Function<Spelling, Kernel> maker, String... parameters) {
        return new DeclaredFamily(name, List.of(parameters), Optional.empty(), false, maker, (spelling, rows) -> {
            throw new IllegalStateException(name + " has nothing to measure");
        });
    }

    @Override
    public double measure(Spelling spelling, RowSample rows) {
        return measure.applyAsDouble(spelling, rows);
    }

    @Override
    public Kernel kernel(Spelling spelling) {
        return maker.apply(spelling);
    }
}
