package org.bochner.map;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.bochner.GoldenTable;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.composed.WarpedKernel;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.learn.linear.Loss;
import org.bochner.map.fourier.DenseProjection;
import org.bochner.map.fourier.FourierForm;
import org.bochner.map.fourier.FourierMap;
import org.bochner.map.fourier.WarpedMap;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The joint objective and its gradients at given weights, from features, losses and gradients of the map. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JointGoldenTest {
    // Sums of six rows in float64; the frequencies of the skewed intersection kernel reach 10², which costs two digits.
    private static final double TOLERANCE = 1e-10;

    Iterable<Map<String, String>> rows() {
        return GoldenTable.read("skl_joint.csv");
    }

    @ParameterizedTest
    @MethodSource("rows")
    void isThatOfTheReference(Map<String, String> row) {
        double[] x = GoldenTable.numbers(row, "x");
        double[] y = GoldenTable.numbers(row, "y");
        double[] w = GoldenTable.numbers(row, "w");
        double[] blocks = GoldenTable.numbers(row, "blocks");
        double[] sigma = GoldenTable.numbers(row, "sigma");
        double lambda = GoldenTable.number(row, "lambda");
        double rho = GoldenTable.number(row, "rho");
        Loss.PerScore loss =
                GoldenTable.text(row, "loss").equals("logistic") ? new Loss.Logistic() : new Loss.HalfSquare();
        FeatureMap map = map(row, blocks, sigma);
        MapGradient gradient = map.parameters(ParameterKind.SCALES).gradient();
        int columns = blocks.length;
        double objective = 0;
        double[] byWeight = new double[w.length];
        for (int n = 0; n < y.length; n++) {
            double[] point = new double[columns];
            System.arraycopy(x, n * columns, point, 0, columns);
            double[] psi = new double[w.length];
            map.apply(point, psi);
            double score = dot(w, psi);
            objective += loss.value(score, y[n]);
            double slope = loss.slope(score, y[n]);
            double[] cotangent = new double[w.length];
            for (int i = 0; i < w.length; i++) {
                byWeight[i] += slope * psi[i];
                cotangent[i] = slope * w[i];
            }
            gradient.add(point, cotangent);
        }
        objective += lambda * dot(w, w) + rho * dot(sigma, sigma);
        assertEquals(GoldenTable.number(row, "objective"), objective, TOLERANCE);
        double[] wanted = GoldenTable.numbers(row, "grad_w");
        for (int i = 0; i < w.length; i++) {
            assertEquals(wanted[i], byWeight[i] + 2 * lambda * w[i], TOLERANCE);
        }
        double[] bySigma = new double[sigma.length];
        double[] byColumn = gradient.values();
        for (int l = 0; l < columns; l++) {
            bySigma[(int) blocks[l]] += byColumn[l];
        }
        wanted = GoldenTable.numbers(row, "grad_sigma");
        for (int j = 0; j < sigma.length; j++) {
            assertEquals(wanted[j], bySigma[j] + 2 * rho * sigma[j], TOLERANCE * Math.max(1, Math.abs(wanted[j])));
        }
    }

    /** The map with the reference's unit frequencies and phases. */
    private static FeatureMap map(Map<String, String> row, double[] blocks, double[] sigma) {
        double[] lengths = new double[blocks.length];
        for (int l = 0; l < lengths.length; l++) {
            lengths[l] = 1 / sigma[(int) blocks[l]];
        }
        Bandwidth bandwidth = Bandwidth.ofColumns(lengths);
        String name = GoldenTable.text(row, "kernel");
        double[] unit = GoldenTable.numbers(row, "h");
        double[] phases = GoldenTable.numbers(row, "b");
        if (name.equals("gaussian")) {
            return fourier(new Gaussian(bandwidth), unit, lengths, phases);
        }
        WarpedKernel kernel = ((WarpedKernel) Kernels.parse(name + "(power=1, c=" + GoldenTable.text(row, "c") + ")"))
                .withSigma(bandwidth);
        return new WarpedMap(fourier(kernel.kernel(), unit, lengths, phases), kernel);
    }

    private static FourierMap fourier(ShiftInvariantKernel kernel, double[] unit, double[] lengths, double[] phases) {
        DenseProjection projection =
                new DenseProjection(unit, lengths, kernel.spectrum().heavyTailed());
        return new FourierMap(kernel, projection, FourierForm.PHASE, phases);
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
