package org.bochner.stats;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.base.row.RowException;
import org.bochner.data.Labels;

/**
 * Weights, means and scatter of features, summed up tile by tile and merged.
 *
 * <p>The scatter is that of each tile about its own mean; tiles are merged by the formula of Chan, Golub and LeVeque. Sums
 * of squares less the square of the sum would lose it where the features' mean is large: of features 10⁶ ± 10⁻² nothing
 * would be left. A first mean of a tile, in the features' precision, is only what deviations are taken from; the sum of
 * the deviations, in float64, corrects it.
 *
 * <p>Results depend on the order of tiles and merges, and on nothing else. Cost: 2·D operations per row beside the sums.
 * Threads: not safe; each worker has its own.
 */
public final class FeatureTotals {
    private final Labels labels;
    private final double[] sums;
    private final double[] targetSums;
    private final double[] deviations;
    private final double[] centre;
    private long rows;
    private double weight;
    private double scatter;
    private double[] weights = new double[0];

    /** Creates empty totals. */
    public FeatureTotals(int features, Labels labels) {
        this.labels = labels;
        sums = new double[features];
        targetSums = new double[Moments.targets(labels)];
        deviations = new double[features];
        centre = new double[features];
    }

    /** Forgets all rows. */
    public void clear() {
        rows = 0;
        weight = 0;
        scatter = 0;
        Arrays.fill(sums, 0);
        Arrays.fill(targetSums, 0);
    }

    /** Returns D, the number of features. */
    int features() {
        return sums.length;
    }

    /** Adds the rows of a block. */
    public void add(MappedRows rows, RowWeights rowWeights) {
        RowTargets targets = new RowTargets(rows.rows(), rowWeights);
        add(FeatureTile.of(rows.features(), targets, 0, rows.rows().rows()));
    }

    /**
     * Adds the rows of a tile.
     *
     * @throws RowException for the first row whose features are not all finite: it would spoil every sum
     */
    void add(FeatureTile tile) {
        if (weights.length < tile.rows()) {
            weights = new double[tile.rows()];
        }
        double added = 0;
        for (int i = 0; i < tile.rows(); i++) {
            double w = tile.rowWeight(i);
            weights[i] = w;
            added += w;
            if (labels instanceof Labels.Classes) {
                targetSums[(int) tile.target(i, 0)] += w;
            } else {
                for (int t = 0; t < targetSums.length; t++) {
                    targetSums[t] += w * tile.target(i, t);
                }
            }
        }
        Arrays.fill(centre, 0);
        Arrays.fill(deviations, 0);
        tile.addTransposed(weights, 1, centre);
        double about = 0;
        if (added > 0) {
            for (int j = 0; j < centre.length; j++) {
                centre[j] /= added;
            }
            about = tile.addDeviations(weights, centre, deviations);
            double off = 0;
            for (int j = 0; j < centre.length; j++) {
                double correction = deviations[j] / added;
                centre[j] += correction;
                off += correction * deviations[j];
            }
            about = about - off < 0 ? 0 : about - off;
        }
        requireFinite(tile, about);
        merge(added, about);
        rows += tile.rows();
    }

    private void requireFinite(FeatureTile tile, double about) {
        boolean finite = about < Double.POSITIVE_INFINITY;
        for (int j = 0; finite && j < centre.length; j++) {
            finite = Double.isFinite(centre[j]);
        }
        for (int i = 0; !finite && i < tile.rows(); i++) {
            if (!(tile.squaredNorm(i) < Double.POSITIVE_INFINITY)) {
                throw RowException.ofRow(
                        tile.firstRow() + i,
                        new BochnerException("features are not finite numbers; look for values that are missing, or too"
                                + " large for the map, and scale the columns"));
            }
        }
    }

    /** Adds other rows, given their scatter about their mean, which is in the centre. */
    private void merge(double otherWeight, double otherScatter) {
        double total = weight + otherWeight;
        double distance = 0;
        if (weight > 0 && otherWeight > 0) {
            for (int j = 0; j < centre.length; j++) {
                double apart = centre[j] - sums[j] / weight;
                distance += apart * apart;
            }
            distance *= weight * (otherWeight / total);
        }
        for (int j = 0; j < sums.length; j++) {
            sums[j] += otherWeight * centre[j];
        }
        scatter += otherScatter + distance;
        weight = total;
    }

    /** Adds other totals, which are not changed. */
    public void add(FeatureTotals other) {
        for (int j = 0; other.weight > 0 && j < centre.length; j++) {
            centre[j] = other.sums[j] / other.weight;
        }
        merge(other.weight, other.scatter);
        rows += other.rows;
        for (int t = 0; t < targetSums.length; t++) {
            targetSums[t] += other.targetSums[t];
        }
    }

    /** How many rows were added. */
    public long rows() {
        return rows;
    }

    /** The sum of their weights. */
    public double totalRowWeight() {
        return weight;
    }

    /** The weighted mean of the features; a new array. */
    public double[] mean() {
        return Arrays.stream(sums).map(sum -> sum / weight).toArray();
    }

    /** Σ w |z − z̄|². */
    public double scatterTrace() {
        return scatter;
    }

    /** The weighted mean of a target; for a class, its share of the weight. */
    public double targetMean(int target) {
        return targetSums[target] / weight;
    }
}
