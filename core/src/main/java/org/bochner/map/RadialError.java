package org.bochner.map;

import org.bochner.kernel.RadialKernel;
import org.bochner.kernel.RowSample;

/** What the two stages of a radial kernel's map add to its error, measured over pairs of sampled rows. */
final class RadialError {
    /** Rows whose pairs are looked at: 496 pairs tell an RMS to some 5%. */
    private static final int ROWS = 32;

    private final RadialKernel kernel;
    private final double[][] rows;
    private final double[] squaredDistances;

    RadialError(RadialKernel kernel, RowSample sample) {
        this.kernel = kernel;
        int count = Math.min(ROWS, sample.rows());
        rows = new double[count][];
        for (int i = 0; i < count; i++) {
            rows[i] = sample.row(i);
        }
        squaredDistances = new double[count * (count - 1) / 2];
        int next = 0;
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < i; j++) {
                squaredDistances[next++] = kernel.additive().squaredDistance(rows[i], rows[j]);
            }
        }
    }

    /** RMS of what so many independent random features err by, were the first stage exact. */
    double ofFourier(FourierForm form, int features) {
        double sum = 0;
        for (double squared : squaredDistances) {
            sum += form.variance(kernel.atSquaredDistance(squared), kernel.atSquaredDistance(4 * squared), features);
        }
        return Math.sqrt(sum / squaredDistances.length);
    }

    /** RMS of what the additive map errs by, were the second stage exact. */
    double ofFirstStage(AdditiveMap map) {
        double[][] features = new double[rows.length][map.outputDimension()];
        for (int i = 0; i < rows.length; i++) {
            map.apply(rows[i], features[i]);
        }
        double sum = 0;
        int next = 0;
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < i; j++) {
                double squared = 0;
                for (int f = 0; f < features[i].length; f++) {
                    double difference = features[i][f] - features[j][f];
                    squared += difference * difference;
                }
                double error = kernel.atSquaredDistance(squared) - kernel.atSquaredDistance(squaredDistances[next++]);
                sum += error * error;
            }
        }
        return Math.sqrt(sum / squaredDistances.length);
    }
}
