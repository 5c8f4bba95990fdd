package org.bochner.map.study;

import java.util.stream.IntStream;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.map.additive.AdditiveMap;
import org.bochner.map.fourier.FourierForm;
import org.bochner.random.Seed;

/** Errors of the maps of one term of a kernel on pairs of sampled rows, by which a map is chosen. */
public final class PairErrors {
    /** Number of rows. Their 496 pairs give the RMS error to about 5%. */
    private static final int ROWS = 32;

    private final RowPairs pairs;

    public PairErrors(Kernel kernel, RowSample rows) {
        pairs = new RowPairs(kernel, rows.thinned(ROWS), ROWS * ROWS, new Seed(1));
    }

    /** Returns true unless the kernel is 0 for all pairs, where relative errors do not exist. */
    public boolean comparable() {
        return IntStream.range(0, pairs.count()).anyMatch(p -> pairs.exact(p) != 0);
    }

    /** Returns the most features per column whose errors can be measured in little memory. */
    public int mostPerColumn() {
        return RowFeatures.affordablePerColumn(pairs.block());
    }

    /** Returns the RMS error over the RMS of the kernel. */
    public double relative(AdditiveMap map) {
        RowFeatures mapped = RowFeatures.of(map, pairs.block());
        double errors = 0;
        double squares = 0;
        for (int p = 0; p < pairs.count(); p++) {
            double error = mapped.product(pairs.first(p), pairs.second(p), 0, map.outputDimension()) - pairs.exact(p);
            errors += error * error;
            squares += pairs.exact(p) * pairs.exact(p);
        }
        return Math.sqrt(errors / squares);
    }

    /** Returns the RMS error of independent random features after an exact first stage. */
    public double ofFourier(FourierForm form, int features) {
        return Math.sqrt(pairs.unitVariance(0, form) / features);
    }

    /** Returns the RMS error of the first stage of a kernel of a distance before an exact second stage. */
    public double ofFirstStage(AdditiveMap map) {
        int columns = pairs.rows().columns();
        return MapErrors.rms(firstStage((RadialKernel) pairs.kernel(), map, 0, pairs, 0, columns));
    }

    /** Returns the error of the first stage for each pair; the term is a kernel of a distance in some columns. */
    public static double[] firstStage(
            RadialKernel kernel, AdditiveMap map, int term, RowPairs pairs, int from, int to) {
        RowFeatures stage = RowFeatures.of(map, pairs.block().columns(from, to));
        int features = map.outputDimension();
        double[] squares = new double[pairs.rows().rows()];
        for (int i = 0; i < squares.length; i++) {
            squares[i] = stage.product(i, i, 0, features);
        }
        double[] errors = new double[pairs.count()];
        for (int p = 0; p < errors.length; p++) {
            int i = pairs.first(p);
            int j = pairs.second(p);
            double squared = squares[i] + squares[j] - 2 * stage.product(i, j, 0, features);
            errors[p] = kernel.atSquaredDistance(squared) - pairs.exact(term, p);
        }
        return errors;
    }
}
