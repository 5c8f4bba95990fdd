package org.bochner.learn.solve;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.bochner.base.binary.Numbers;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.FeatureTile;
import org.bochner.stats.TouchedFeatures;

/** The sums of a {@link LossTask} over some tiles: losses per problem, and coefficients times features. */
final class LossSums {
    final int features;
    final int count;
    /** The losses of each problem. */
    final double[] values;
    /** The losses of each problem at points on a line. */
    final double[][] valuesAlong;
    /** The largest loss of a row with positive weight, per problem. */
    final double[] largest;
    /** Σ of the coefficients times the uncentred features: features×count. */
    final double[] sum;
    /** Σ of the coefficients. */
    final double[] coefficientSum;

    private final TouchedFeatures touched;
    /** True if sums were received: the features that they touch are then unknown. */
    private boolean received;

    /** The losses of one row. */
    final double[] losses;

    double[] scores = new double[0];
    double[] steps = new double[0];
    double[] coefficients = new double[0];

    /**
     * Creates empty sums.
     *
     * @param count the number of chosen outputs
     * @param points the number of points on a line
     */
    LossSums(int features, int count, int problems, int points) {
        this(
                features,
                count,
                new double[problems],
                new double[points][problems],
                new double[problems],
                new double[features * count],
                new double[count]);
    }

    private LossSums(
            int features,
            int count,
            double[] values,
            double[][] valuesAlong,
            double[] largest,
            double[] sum,
            double[] coefficientSum) {
        this.features = features;
        this.count = count;
        this.values = values;
        this.valuesAlong = valuesAlong;
        this.largest = largest;
        this.sum = sum;
        this.coefficientSum = coefficientSum;
        touched = new TouchedFeatures(features);
        losses = new double[count];
    }

    void ensure(FeatureTile tile) {
        int length = tile.rows() * count;
        if (scores.length < length) {
            scores = new double[length];
            steps = new double[length];
            coefficients = new double[length];
        }
    }

    /** Adds the features of a tile times the coefficients and the row weights. */
    void addCoefficients(FeatureTile tile) {
        for (int i = 0; i < tile.rows(); i++) {
            double weight = tile.rowWeight(i);
            for (int o = 0; o < count; o++) {
                coefficients[i * count + o] *= weight;
                coefficientSum[o] += coefficients[i * count + o];
            }
        }
        touched.add(tile, count);
        tile.addTransposed(coefficients, count, sum);
    }

    /** Adds these sums to others, and clears them. */
    void moveInto(LossSums total) {
        total.received = true;
        if (received) {
            Vectors.move(sum, total.sum);
        } else {
            touched.move(sum, total.sum, count);
        }
        Vectors.move(values, total.values);
        for (int k = 0; k < valuesAlong.length; k++) {
            Vectors.move(valuesAlong[k], total.valuesAlong[k]);
        }
        for (int p = 0; p < largest.length; p++) {
            total.largest[p] = Math.max(total.largest[p], largest[p]);
        }
        Vectors.move(coefficientSum, total.coefficientSum);
    }

    void write(DataOutput to) throws IOException {
        to.writeInt(features);
        to.writeInt(count);
        Numbers.write(values, to);
        to.writeInt(valuesAlong.length);
        for (double[] along : valuesAlong) {
            Numbers.write(along, to);
        }
        Numbers.write(largest, to);
        Numbers.write(sum, to);
        Numbers.write(coefficientSum, to);
    }

    static LossSums read(DataInput from) throws IOException {
        int features = from.readInt();
        int count = from.readInt();
        double[] values = Numbers.readDoubles(from);
        double[][] valuesAlong = new double[from.readInt()][];
        for (int k = 0; k < valuesAlong.length; k++) {
            valuesAlong[k] = Numbers.readDoubles(from);
        }
        double[] largest = Numbers.readDoubles(from);
        double[] sum = Numbers.readDoubles(from);
        LossSums sums = new LossSums(features, count, values, valuesAlong, largest, sum, Numbers.readDoubles(from));
        sums.received = true;
        return sums;
    }
}
