package org.bochner.model;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.Setting;
import org.bochner.data.RowSource;
import org.bochner.numeric.Workers;

/**
 * One method of a comparison: its test error, its costs and the size of its model. All methods of a comparison are
 * trained and tested on the same split of the rows.
 *
 * <pre>{@code
 * List<ComparedMethod> all = ComparedMethod.compare(
 *         KernelMachine.of("gaussian"), train, test, List.of(250, 1000), 1, List.of(), Workers.all(), Progress.NONE);
 * System.out.println(ComparedMethod.recommended(all).orElseThrow().name());
 * }</pre>
 *
 * <p>The standard error of an error rate e on n test rows is √(e·(1 − e)/n). That of the root mean squared error r is
 * s/(2·r·√n), where s is the standard deviation of the squared errors of the rows (the delta method). With several
 * seeds, the error is the mean over the seeds, and its squared standard error is the mean of these variances plus the
 * variance of the errors between the seeds divided by their number: the test rows are common to all seeds.
 *
 * @param name the name of the method, unique in a comparison
 * @param kind a word for reports: {@code constant}, {@code linear}, {@code map}, {@code default} (a map that determines
 *     its number of features itself), {@code landmarks}, {@code exact} or {@code peer}
 * @param settings the settings in which the method differs from the machine of the comparison, in the order in which
 *     they are applied; empty for the constant and for peers, which are no kernel machines
 * @param features the number of features; 0 for methods without a feature map
 * @param trainRows the number of rows it was trained on
 * @param testRows the number of rows it was tested on
 * @param errorOrRmse the share of wrong classes on the test rows, or the root mean squared error; NaN if the method was
 *     left out
 * @param standardError the standard error of {@code errorOrRmse}
 * @param fitSeconds wall time of a fit, with the choice of all hyperparameters; mean over the seeds
 * @param memoryBytes the peak of the Java heap during a fit, above the heap in use before; native memory of other
 *     libraries is not counted
 * @param predictSeconds the CPU time of predicting one row on one thread; mean over the test rows
 * @param modelBytes the size of the saved model
 * @param leftOut the reason why the method was left out; empty if it was not
 */
public record ComparedMethod(
        String name,
        String kind,
        Optional<Map<Setting, Object>> settings,
        int features,
        long trainRows,
        long testRows,
        double errorOrRmse,
        double standardError,
        double fitSeconds,
        long memoryBytes,
        double predictSeconds,
        long modelBytes,
        Optional<String> leftOut) {
    /** The most rows of an exact machine, whose memory grows with their square. */
    private static final int EXACT_ROWS = 5000;

    /**
     * Trains and tests a constant, a linear model, the machine with its own map and with landmarks at several sizes, an
     * exact machine on a sample of the rows, and peers. A method that fails is left out, and its result says why.
     *
     * <p>The training rows are held in memory if they fit into half the heap, so that the times do not contain the
     * reading of files. Otherwise the machines stream them, and peers are left out.
     *
     * @param machine the kernel machine, whose map and number of features are replaced
     * @param sizes the numbers of features, ascending
     * @param seeds the number of seeds, at least 1: that of the machine and the numbers after it
     * @param peers methods of other libraries
     * @param progress receives the name of the method that is being trained
     * @throws BochnerException if the rows have no labels, fewer than two classes or too few rows
     */
    public static List<ComparedMethod> compare(
            KernelMachine machine,
            RowSource training,
            RowSource testing,
            List<Integer> sizes,
            int seeds,
            List<Peer<?>> peers,
            Workers workers,
            Progress progress) {
        return compare(machine, training, testing, sizes, seeds, peers, workers, progress, method -> {});
    }

    /**
     * Compares methods, as {@link #compare(KernelMachine, RowSource, RowSource, List, int, List, Workers, Progress)} does.
     *
     * @param finished receives each method as soon as it was trained and tested, on the thread of the caller; not those that
     *     are left out
     */
    public static List<ComparedMethod> compare(
            KernelMachine machine,
            RowSource training,
            RowSource testing,
            List<Integer> sizes,
            int seeds,
            List<Peer<?>> peers,
            Workers workers,
            Progress progress,
            Consumer<ComparedMethod> finished) {
        Require.atLeast("comparison", "seeds", seeds, 1);
        sizes.forEach(size -> Require.atLeast("comparison", "features", size, 1));
        return new ComparisonRun(machine, training, testing, seeds, workers, progress, finished)
                .run(sizes, peers, EXACT_ROWS);
    }

    /** Returns true if the method was trained and tested. */
    public boolean measured() {
        return leftOut.isEmpty();
    }

    /** Returns the method with the lowest error; empty if all were left out. */
    public static Optional<ComparedMethod> best(List<ComparedMethod> methods) {
        return methods.stream()
                .filter(ComparedMethod::measured)
                .min(Comparator.comparingDouble(ComparedMethod::errorOrRmse)
                        .thenComparingLong(ComparedMethod::modelBytes));
    }

    /**
     * Returns the methods whose error is at most the lowest error plus its standard error, from the smallest model to
     * the largest; models of equal size by fit time.
     */
    public static List<ComparedMethod> nearBest(List<ComparedMethod> methods) {
        return best(methods)
                .map(best -> methods.stream()
                        .filter(ComparedMethod::measured)
                        .filter(method -> method.errorOrRmse() <= best.errorOrRmse() + best.standardError())
                        .sorted(Comparator.comparingLong(ComparedMethod::modelBytes)
                                .thenComparingDouble(ComparedMethod::fitSeconds))
                        .toList())
                .orElse(List.of());
    }

    /** Returns the method with the smallest model among {@link #nearBest}; empty if all methods were left out. */
    public static Optional<ComparedMethod> recommended(List<ComparedMethod> methods) {
        return nearBest(methods).stream().findFirst();
    }
}
