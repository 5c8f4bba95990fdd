package org.bochner.testkit;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.bochner.kernel.AdditiveKernel;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.additive.AdditiveMap;
import org.bochner.map.additive.BinnedMap;
import org.bochner.map.additive.ExactMap;
import org.bochner.map.additive.SeriesMap;
import org.bochner.map.additive.SpectralMap;
import org.bochner.map.composed.ColumnRangeMap;
import org.bochner.map.composed.ConcatenatedMap;
import org.bochner.map.composed.ScaledMap;
import org.bochner.map.composed.TwoStageMap;
import org.bochner.map.fourier.FourierForm;
import org.bochner.map.fourier.FourierMap;
import org.bochner.map.fourier.WarpedMap;
import org.bochner.map.fourier.WeightedFourierMap;

/** What theory allows the library's maps to err by. */
final class MapBounds {
    private static final double ROUNDING = 1e-12;

    /** Largest errors at values up to 1, found once a map. */
    private static final Map<SpectralMap, Double> LARGEST = new ConcurrentHashMap<>();

    private MapBounds() {}

    /**
     * How far an inner product of two rows may be from the kernel, with a failure probability of 1e-6 for so many pairs where
     * the map is random.
     */
    static double of(FeatureMap map, double[] x, double[] y, int pairs) {
        if (map instanceof ConcatenatedMap sum) {
            return sum.parts().stream()
                    .mapToDouble(part -> of(part, x, y, pairs))
                    .sum();
        }
        if (map instanceof ScaledMap scaled) {
            return scaled.factor() * of(scaled.map(), x, y, pairs);
        }
        if (map instanceof ColumnRangeMap channel) {
            return of(channel.map(), part(channel, x), part(channel, y), pairs);
        }
        if (map instanceof TwoStageMap composed) {
            return hoeffding(composed, pairs) + ofFirstStage(composed, x, y);
        }
        if (map instanceof WeightedFourierMap) {
            // The sum of its cosines is as far from the kernel as its design says; that is for the case to know.
            return ROUNDING;
        }
        return map instanceof AdditiveMap additive ? ofColumns(additive, x, y) : hoeffding(map, pairs);
    }

    private static double[] part(ColumnRangeMap channel, double[] row) {
        return Arrays.copyOfRange(row, channel.from(), channel.to());
    }

    /** How far the kernel of the first stage's features is from that of the rows. */
    static double ofFirstStage(TwoStageMap map, double[] x, double[] y) {
        double[][] features = ContractRows.features(map.first(), new double[][] {x, y});
        double ofFeatures = map.second().kernel().value(features[0], features[1]);
        return Math.abs(ofFeatures - map.kernel().value(x, y)) + ROUNDING;
    }

    static double ofColumns(AdditiveMap map, double[] x, double[] y) {
        if (map instanceof SpectralMap spectral) {
            return ofSpectrum(spectral, x, y);
        }
        if (map instanceof SeriesMap series) {
            return ofSeries(series, x, y);
        }
        if (map instanceof ExactMap) {
            return ROUNDING * Math.sqrt(map.kernel().value(x, x) * map.kernel().value(y, y));
        }
        if (map instanceof BinnedMap binned) {
            return ofBins(binned, x, y);
        }
        throw new IllegalArgumentException("what may " + map + " err by?");
    }

    /**
     * Rounded codes err by half a bin, filled ones by a quarter ({@code BinnedMapContractTest} holds them to it); of two values
     * beyond the range, √((x − b)(y − b)) stands for min(x − b, y − b).
     */
    private static double ofBins(BinnedMap map, double[] x, double[] y) {
        double sum =
                ROUNDING * Math.sqrt(map.kernel().value(x, x) * map.kernel().value(y, y));
        for (int l = 0; l < x.length; l++) {
            double range = map.state().array("ranges", x.length)[l];
            sum += range / (2 * map.state().count("bins"));
            if (Math.min(x[l], y[l]) > range) {
                sum += Math.abs(x[l] - y[l]);
            }
        }
        return sum;
    }

    /**
     * An error scales like its kernel, so a column errs by max(x, y)^degree times the error at 1 and the ratio, whose largest
     * is looked for at log-ratios up to 40 in steps of 0.01; between them it is larger by less than 1%.
     */
    private static double ofSpectrum(SpectralMap map, double[] x, double[] y) {
        double degree = ((HomogeneousKernel) map.kernel()).degree();
        double sum = 0;
        for (int l = 0; l < x.length; l++) {
            if (x[l] != 0 && y[l] != 0) {
                sum += Math.pow(Math.max(x[l], y[l]), degree);
            }
        }
        return (1.01 * LARGEST.computeIfAbsent(map, MapBounds::largest) + ROUNDING) * sum;
    }

    private static double largest(SpectralMap map) {
        HomogeneousKernel kernel = (HomogeneousKernel) map.kernel();
        double largest = 0;
        for (int i = 0; i <= 4000; i++) {
            double lambda = 0.01 * i;
            double size = Math.exp(-kernel.degree() * lambda / 2);
            largest = Math.max(largest, size * Math.abs(kernel.signature(lambda) - map.signature(lambda)));
        }
        return largest;
    }

    /**
     * κ(x, y) is the inner product of all terms, so what the missing ones add is at most √(t(x)·t(y)), where t(x) =
     * κ(x, x) − Σ cₖ(x)² is the sum of the missing squares.
     */
    private static double ofSeries(SeriesMap map, double[] x, double[] y) {
        double[] missingOfX = missing(map, x);
        double[] missingOfY = missing(map, y);
        double sum = 0;
        for (int l = 0; l < x.length; l++) {
            sum += Math.sqrt(missingOfX[l]) * Math.sqrt(missingOfY[l]);
        }
        return sum
                + ROUNDING * Math.sqrt(map.kernel().value(x, x) * map.kernel().value(y, y));
    }

    private static double[] missing(SeriesMap map, double[] row) {
        AdditiveKernel kernel = map.kernel();
        double[] features = ContractRows.features(map, new double[][] {row})[0];
        double[] missing = new double[row.length];
        for (int l = 0; l < row.length; l++) {
            missing[l] = kernel.scalar(row[l], row[l]);
            double rounding = ROUNDING * missing[l];
            for (int j = 0; j < map.featuresPerColumn(); j++) {
                missing[l] -= Math.pow(features[l * map.featuresPerColumn() + j], 2);
            }
            // Not a number where the terms are more than all, so that every comparison with it fails.
            missing[l] = Math.sqrt(missing[l] + rounding);
            missing[l] *= missing[l];
        }
        return missing;
    }

    /** How many features a single non-zero has at most. */
    static int featuresPerNonZero(FeatureMap map) {
        if (map instanceof ConcatenatedMap sum) {
            return sum.parts().stream().mapToInt(MapBounds::featuresPerNonZero).sum();
        }
        if (map instanceof ScaledMap scaled) {
            return featuresPerNonZero(scaled.map());
        }
        if (map instanceof ColumnRangeMap channel) {
            return featuresPerNonZero(channel.map());
        }
        return ((AdditiveMap) map).featuresPerColumn();
    }

    /** Returns Hoeffding's bound: scaled maps scale it, sums add it up, and a map in two stages has the bound of the second. */
    static double hoeffding(FeatureMap map, int pairs) {
        if (map instanceof FourierMap fourier) {
            return FeatureMapContract.hoeffding(inPairs(fourier) ? 2 : 4, fourier.frequencyCount(), pairs);
        }
        if (map instanceof ConcatenatedMap sum) {
            return sum.parts().stream()
                    .mapToDouble(part -> hoeffding(part, pairs))
                    .sum();
        }
        if (map instanceof ScaledMap scaled) {
            return scaled.factor() * hoeffding(scaled.map(), pairs);
        }
        if (map instanceof ColumnRangeMap channel) {
            return hoeffding(channel.map(), pairs);
        }
        if (map instanceof WarpedMap warped) {
            return hoeffding(warped.map(), pairs);
        }
        if (map instanceof TwoStageMap composed) {
            return hoeffding(composed.second(), pairs);
        }
        throw new IllegalArgumentException("no bound for " + map);
    }

    /** Returns true if every frequency has a cosine and a sine, so that φ(x) has the length √k(x, x) exactly. */
    static boolean inPairs(FeatureMap map) {
        if (map instanceof ConcatenatedMap sum) {
            return sum.parts().stream().allMatch(MapBounds::inPairs);
        }
        if (map instanceof ScaledMap scaled) {
            return inPairs(scaled.map());
        }
        if (map instanceof ColumnRangeMap channel) {
            return inPairs(channel.map());
        }
        if (map instanceof WarpedMap warped) {
            return inPairs(warped.map());
        }
        if (map instanceof TwoStageMap composed) {
            return inPairs(composed.second());
        }
        return map instanceof FourierMap fourier && fourier.form() == FourierForm.PAIRS;
    }
}
