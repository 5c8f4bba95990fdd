package org.bochner.map.additive;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.RowSample;

/**
 * Errors of a homogeneous kernel count where the data are: at a log-ratio λ, √(share(λ)·e^(−degree·|λ|/2)), where the share
 * is what pairs of values of this ratio add to the kernel of sampled rows, Σ (xy)^(degree/2).
 *
 * <p>The share alone would leave rare ratios to themselves, and the other factor alone, which bounds the error of every pair
 * of values, counts ratios of thousands that no rows have. Between them, root-mean-square errors of rows were the least of
 * what was tried, by a factor of 2 to 6, and largest errors no larger.
 *
 * @param length the largest log-ratio
 * @param shares of even intervals up to it, the largest 1
 */
public record DataErrorWeight(double degree, double length, List<Double> shares) implements ToDoubleFunction<double[]> {
    private static final int INTERVALS = 100;

    /** Pairs that each sampled row is in, as the first. */
    private static final int PAIRS_OF_A_ROW = 3;

    /** What ratios count that no pair has, so that they are not left to themselves. */
    private static final double LEAST_SHARE = 1e-6;

    public DataErrorWeight {
        shares = List.copyOf(shares);
    }

    /** The weight that sampled rows give; empty where no two of them have values other than 0 in the same column. */
    public static Optional<DataErrorWeight> of(HomogeneousKernel kernel, RowSample rows, double length) {
        double[] sums = new double[INTERVALS];
        int count = rows.rows();
        for (int i = 0; i < count; i++) {
            for (int step = 1; step <= Math.min(PAIRS_OF_A_ROW, count - 1); step++) {
                rows.visit(i, (i + step) % count, 0, rows.columns(), (column, x, y) -> {
                    if (x > 0 && y > 0) {
                        int interval = (int) (Math.abs(Math.log(y / x)) / length * INTERVALS);
                        sums[Math.min(INTERVALS - 1, interval)] += Math.pow(x * y, kernel.degree() / 2);
                    }
                });
            }
        }
        double largest = Arrays.stream(sums).max().orElse(0);
        if (!(largest > 0 && largest < Double.POSITIVE_INFINITY)) {
            return Optional.empty();
        }
        List<Double> shares = new ArrayList<>();
        for (double sum : sums) {
            shares.add(Math.max(LEAST_SHARE, sum / largest));
        }
        return Optional.of(new DataErrorWeight(kernel.degree(), length, shares));
    }

    @Override
    public double applyAsDouble(double[] z) {
        double lambda = Math.abs(z[0]);
        // The shares hold at the middle of their intervals; linear between them.
        double place = Math.max(0, Math.min(INTERVALS - 1, lambda / length * INTERVALS - 0.5));
        int low = Math.min(INTERVALS - 2, (int) place);
        double share = shares.get(low) + (place - low) * (shares.get(low + 1) - shares.get(low));
        return Math.sqrt(share * StrictMath.exp(-degree * lambda / 2));
    }
}
