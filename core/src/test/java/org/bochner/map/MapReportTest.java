package org.bochner.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.bochner.base.BochnerException;
import org.bochner.kernel.Gaussian;
import org.bochner.kernel.Kernels;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;

class MapErrorReportTest {
    private static final Seed SEED = new Seed(5);

    private static double[][] rows(int count, int columns) {
        RandomStream stream = SEED.stream();
        double[][] rows = new double[count][columns];
        for (double[] row : rows) {
            for (int l = 0; l < columns; l++) {
                row[l] = (float) stream.nextUniform();
            }
        }
        return rows;
    }

    @Test
    void measuresOnePairAsByHand() {
        FeatureMap map = new Fourier().build(new Gaussian(1), 2, 64, SEED);
        double[][] pair = {{0.25, 0.5}, {1, -0.5}};
        double[] x = new double[64];
        double[] y = new double[64];
        map.apply(pair[0], x);
        map.apply(pair[1], y);
        double product = 0;
        for (int j = 0; j < 64; j++) {
            product += x[j] * y[j];
        }
        double k = Math.exp(-0.5 * (0.75 * 0.75 + 1));
        MapErrorReport report = MapErrorReport.measure(map, pair, 10, SEED);
        assertEquals(Math.abs(product - k), report.overall().max(), 1e-6);
        assertEquals(report.overall().max(), report.overall().mean());
        assertEquals(report.overall().max(), report.overall().percentile99());
        assertEquals(1, report.overall().pairs());
        assertEquals(k, report.overall().low(), 1e-15);
        assertEquals(Math.sqrt((1 + Math.pow(k, 4) - 2 * k * k) / 64), report.expectedRms(), 1e-15);
    }

    @Test
    void rangesShareOutAllPairs() {
        FeatureMap map = new Fourier().build(new Gaussian(0.5), 4, 256, SEED);
        MapErrorReport report = MapErrorReport.measure(map, rows(60, 4), 10_000, SEED);
        assertEquals(60 * 59 / 2, report.overall().pairs());
        assertEquals(
                report.overall().pairs(),
                report.ranges().stream().mapToInt(MapErrorReport.Errors::pairs).sum());
        double squares = report.ranges().stream()
                .mapToDouble(range -> range.pairs() * range.rms() * range.rms())
                .sum();
        assertEquals(
                report.overall().rms(), Math.sqrt(squares / report.overall().pairs()), 1e-12);
        for (MapErrorReport.Errors range : report.ranges()) {
            assertTrue(range.mean() <= range.rms() && range.rms() <= range.max());
            assertTrue(range.percentile99() <= range.max());
        }
    }

    @Test
    void drawsPairsWhereThereAreTooMany() {
        FeatureMap map = new Fourier().build(new Gaussian(0.5), 4, 64, SEED);
        MapErrorReport report = MapErrorReport.measure(map, rows(200, 4), 700, SEED);
        assertEquals(700, report.overall().pairs());
        assertEquals(report, MapErrorReport.measure(map, rows(200, 4), 700, SEED));
    }

    @Test
    void expectsWhatIndependentFrequenciesGive() {
        // Mean of squares over 30 maps against its expectation. Errors of one map's pairs go together; even if each map
        // counted for a single Gaussian error, 5 standard deviations of the mean would be 5·√(2/30) = 1.3.
        for (String recipe : new String[] {"fourier", "fourier(phase)"}) {
            String kernel = "gaussian(sigma=1)[0:2] + 0.5*matern(nu=2.5, sigma=2) + laplacian(sigma=5)@log(c=1)";
            double measured = 0;
            double expected = 0;
            for (int s = 0; s < 30; s++) {
                FeatureMap map = FeatureMaps.parse(recipe).build(Kernels.parse(kernel), 4, 96, new Seed(s));
                MapErrorReport report = MapErrorReport.measure(map, rows(20, 4), 1000, SEED);
                measured += report.overall().rms() * report.overall().rms();
                expected += report.expectedRms() * report.expectedRms();
            }
            assertEquals(1, measured / expected, 1.3);
            assertTrue(measured / expected > 0.4, "ratio " + measured / expected);
        }
    }

    @Test
    void measuresEqualRowsWithoutRanges() {
        FeatureMap map = new Fourier().build(new Gaussian(1), 2, 64, SEED);
        MapErrorReport report = MapErrorReport.measure(map, new double[3][2], 10, SEED);
        assertEquals(0, report.overall().max(), 1e-6);
        assertTrue(report.ranges().isEmpty());
    }

    @Test
    void needsTwoRowsOfTheRightWidth() {
        FeatureMap map = new Fourier().build(new Gaussian(1), 2, 64, SEED);
        assertThrows(BochnerException.class, () -> MapErrorReport.measure(map, new double[1][2], 10, SEED));
        assertThrows(IllegalArgumentException.class, () -> MapErrorReport.measure(map, new double[3][3], 10, SEED));
        assertThrows(IllegalArgumentException.class, () -> MapErrorReport.measure(map, new double[3][2], 0, SEED));
    }
}
