package org.bochner.stats;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.base.binary.Numbers;
import org.bochner.base.row.RowException;
import org.bochner.data.Labels;
import org.bochner.numeric.optimise.Vectors;

/**
 * Total weight, mean and scatter of features, summed tile by tile and mergeable.
 *
 * <p>Each tile's scatter is taken about the tile's own mean, and tiles are merged by the formula of Chan, Golub and
 * LeVeque. The difference of Σz² and (Σz)²/n would cancel if the mean is large: features of 10⁶ ± 10⁻² would keep no
 * correct digit. Deviations are taken from a first estimate of the tile's mean in the features' precision; their sum
 * in float64 corrects the estimate.
 *
 * <p>Results depend only on the order of tiles and merges. Cost: 2·D operations per row in addition to the sums.
 * Threads: not safe; each worker has its own totals.
 */
public final class FeatureTotals {
    private final Labels labels;
    private final double[] sums;
    private final double[] targetSums;
    private final double[] deviations;
    private final double[] centre;
    private long rows;
    private long entries;
    private double weight;
    private double scatter;
    private double[] weights = new double[0];

    /** Creates empty totals. */
    public FeatureTotals(int features, Labels labels) {
        this(labels, new double[features], new double[Statistics.targets(labels)]);
    }

    private FeatureTotals(Labels labels, double[] sums, double[] targetSums) {
        this.labels = labels;
        this.sums = sums;
        this.targetSums = targetSums;
        deviations = new double[sums.length];
        centre = new double[sums.length];
    }

    /** Returns a copy, which can be added to others. */
    FeatureTotals copy() {
        FeatureTotals copy = new FeatureTotals(Labels.none(), sums.clone(), targetSums.clone());
        copy.rows = rows;
        copy.entries = entries;
        copy.weight = weight;
        copy.scatter = scatter;
        return copy;
    }

    void write(DataOutput to) throws IOException {
        Numbers.write(sums, to);
        Numbers.write(targetSums, to);
        to.writeLong(rows);
        to.writeLong(entries);
        to.writeDouble(weight);
        to.writeDouble(scatter);
    }

    /** Reads totals, which can be added to others. */
    static FeatureTotals read(DataInput from) throws IOException {
        FeatureTotals totals = new FeatureTotals(Labels.none(), Numbers.readDoubles(from), Numbers.readDoubles(from));
        totals.rows = from.readLong();
        totals.entries = from.readLong();
        totals.weight = from.readDouble();
        totals.scatter = from.readDouble();
        return totals;
    }

    /** Resets the totals to those of no rows. */
    public void clear() {
        rows = 0;
        entries = 0;
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
        RowTargets targets = RowTargets.of(rows.rows(), rowWeights);
        add(new FeatureTile(rows.features(), targets, 0, rows.rows().rows()));
    }

    /**
     * Adds the rows of a tile.
     *
     * @throws RowException for the first row whose features are not all finite; they would make every sum NaN or
     *     infinite
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
        entries += tile.entries();
    }

    private void requireFinite(FeatureTile tile, double about) {
        boolean finite = about < Double.POSITIVE_INFINITY;
        for (int j = 0; finite && j < centre.length; j++) {
            finite = Double.isFinite(centre[j]);
        }
        for (int i = 0; !finite && i < tile.rows(); i++) {
            double[] row = new double[centre.length];
            tile.addRow(i, 1, row);
            if (!(Vectors.dot(row, row) < Double.POSITIVE_INFINITY)) {
                throw RowException.ofRow(
                        tile.firstRow() + i,
                        new BochnerException("features are not finite numbers; look for values that are missing, or too"
                                + " large for the map, and scale the columns"));
            }
        }
    }

    /** Adds rows whose mean is in {@link #centre}, given their weight and their scatter about that mean. */
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
        Vectors.add(otherWeight, centre, sums);
        scatter += otherScatter + distance;
        weight = total;
    }

    /** Adds other totals, which do not change. */
    public void add(FeatureTotals other) {
        for (int j = 0; other.weight > 0 && j < centre.length; j++) {
            centre[j] = other.sums[j] / other.weight;
        }
        merge(other.weight, other.scatter);
        rows += other.rows;
        entries += other.entries;
        Vectors.add(1, other.targetSums, targetSums);
    }

    /** Returns the number of rows added. */
    public long rows() {
        return rows;
    }

    /** Returns the number of stored features: rows times features, or the number of non-zeros of sparse rows. */
    long entries() {
        return entries;
    }

    /** Returns the sum of the row weights. */
    public double totalRowWeight() {
        return weight;
    }

    /** Returns the weighted mean of the features in a new array. */
    public double[] mean() {
        return Arrays.stream(sums).map(sum -> sum / weight).toArray();
    }

    /** Returns Σ w |z − z̄|². */
    public double scatterTrace() {
        return scatter;
    }

    /** Returns the weighted mean of a target; for a class, its share of the weight. */
    public double targetMean(int target) {
        return targetSums[target] / weight;
    }
}
