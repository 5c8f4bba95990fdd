package org.bochner.stats;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.binary.Numbers;
import org.bochner.map.layout.Penalty;

/**
 * All statistics except the scatter matrix: weight, means, and the centred products of features and targets. Each
 * class is one indicator target.
 */
final class Moments {
    final int features;
    final int targets;
    long rows;
    /** The number of rows with a weight above 0. */
    long weighedRows;

    double weight;
    final double[] mean;
    final double[] targetMean;
    /** Σ w (y − ȳ)² per target. */
    final double[] targetScatter;
    /** Σ w (y − ȳ)(z − z̄): D values per target. */
    final double[] cross;

    Moments(int features, int targets) {
        this(features, targets, Math.multiplyExact(targets, features));
    }

    /** Creates moments without the products of features and targets. */
    static Moments withoutProducts(int features, int targets) {
        return new Moments(features, targets, 0);
    }

    private Moments(int features, int targets, int products) {
        this.features = features;
        this.targets = targets;
        mean = new double[features];
        targetMean = new double[targets];
        targetScatter = new double[targets];
        cross = new double[products];
    }

    /** Returns moments of other features over these rows; the means and products of the features are 0. */
    Moments forFeatures(int others) {
        Moments result = new Moments(others, targets);
        result.rows = rows;
        result.weighedRows = weighedRows;
        result.weight = weight;
        System.arraycopy(targetMean, 0, result.targetMean, 0, targets);
        System.arraycopy(targetScatter, 0, result.targetScatter, 0, targets);
        return result;
    }

    /** Returns a copy. */
    Moments copy() {
        Moments result = forFeatures(features);
        System.arraycopy(mean, 0, result.mean, 0, features);
        System.arraycopy(cross, 0, result.cross, 0, cross.length);
        return result;
    }

    /** Returns the weight and the means of the features alone. */
    Moments ofFeatures() {
        Moments result = new Moments(features, 0);
        result.rows = rows;
        result.weighedRows = weighedRows;
        result.weight = weight;
        System.arraycopy(mean, 0, result.mean, 0, features);
        return result;
    }

    void write(DataOutput to) throws IOException {
        to.writeInt(features);
        to.writeInt(targets);
        to.writeLong(rows);
        to.writeLong(weighedRows);
        to.writeDouble(weight);
        for (double[] values : List.of(mean, targetMean, targetScatter, cross)) {
            Numbers.write(values, to);
        }
    }

    static Moments read(DataInput from) throws IOException {
        Moments result = new Moments(from.readInt(), from.readInt());
        result.rows = from.readLong();
        result.weighedRows = from.readLong();
        result.weight = from.readDouble();
        for (double[] values : List.of(result.mean, result.targetMean, result.targetScatter, result.cross)) {
            System.arraycopy(Numbers.readDoubles(from), 0, values, 0, values.length);
        }
        return result;
    }

    void clear() {
        rows = 0;
        weighedRows = 0;
        weight = 0;
        Arrays.fill(mean, 0);
        Arrays.fill(targetMean, 0);
        Arrays.fill(targetScatter, 0);
        Arrays.fill(cross, 0);
    }

    /**
     * Adds the moments of other rows by the merge formula (Chan, Golub and LeVeque, 1983). Writes the difference of the
     * means to delta and returns w₁w₂/(w₁+w₂), the factor of delta·deltaᵀ in the merged scatter.
     */
    double merge(Moments other, double[] delta) {
        rows += other.rows;
        weighedRows += other.weighedRows;
        if (other.weight == 0) {
            Arrays.fill(delta, 0);
            return 0;
        }
        double total = weight + other.weight;
        double share = other.weight / total;
        double factor = weight * share;
        for (int j = 0; j < features; j++) {
            delta[j] = other.mean[j] - mean[j];
            mean[j] += delta[j] * share;
        }
        for (int t = 0; t < targets; t++) {
            double difference = other.targetMean[t] - targetMean[t];
            targetMean[t] += difference * share;
            targetScatter[t] += other.targetScatter[t] + difference * difference * factor;
            addCross(t * features, other.cross, 1, difference * factor, delta);
        }
        weight = total;
        return factor;
    }

    /**
     * Returns the moments of the remaining rows after a part is removed, by the inverse of the merge formula. Little
     * cancels, because the removed rows are a part of the whole.
     */
    Moments without(Moments part) {
        Moments left = new Moments(features, targets);
        left.rows = rows - part.rows;
        left.weighedRows = weighedRows - part.weighedRows;
        left.weight = weight - part.weight;
        double factor = left.weight * part.weight / weight;
        double[] delta = new double[features];
        for (int j = 0; j < features; j++) {
            left.mean[j] = (weight * mean[j] - part.weight * part.mean[j]) / left.weight;
            delta[j] = part.mean[j] - left.mean[j];
        }
        for (int t = 0; t < targets; t++) {
            left.targetMean[t] = (weight * targetMean[t] - part.weight * part.targetMean[t]) / left.weight;
            double difference = part.targetMean[t] - left.targetMean[t];
            left.targetScatter[t] =
                    Math.max(0, targetScatter[t] - part.targetScatter[t] - difference * difference * factor);
            System.arraycopy(cross, t * features, left.cross, t * features, features);
            left.addCross(t * features, part.cross, -1, -difference * factor, delta);
        }
        return left;
    }

    /** Turns the moments of features z into those of R⁻ᵀz. */
    void whiten(Penalty penalty) {
        penalty.whiten(mean, 0);
        for (int t = 0; t < targets; t++) {
            penalty.whiten(cross, t * features);
        }
    }

    private void addCross(int start, double[] other, double sign, double factor, double[] delta) {
        for (int j = 0; j < delta.length; j++) {
            cross[start + j] += sign * other[start + j] + factor * delta[j];
        }
    }
}
