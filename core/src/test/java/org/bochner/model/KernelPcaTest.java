package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.numeric.Workers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kernel principal component analysis of rows without labels. */
class KernelPcaTest {
    private static final Workers ONE = new Workers(1);

    /**
     * Golden values: scikit-learn 1.2.1, {@code KernelPCA(n_components=3, eigen_solver='dense')} of the rows 0 to 29,
     * {@code transform} of rows, {@code eigenvalues_}. With all rows as landmarks the map is exact.
     */
    private static final double GOLDEN = 1e-8;

    private static double value(int row, int column) {
        int label = row % 7 < 3 ? 0 : row % 7 < 5 ? 1 : 2;
        return (row * row * 7 + 31 * column * row + 17 * column) % 61 / 16.0 + label * (column + 1) % 3 / 2.0;
    }

    private static MemorySource source() {
        float[] values = new float[30 * 4];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) value(i / 4, i % 4);
        }
        return MemorySource.of(4, values);
    }

    private static KernelModel fit(String kernel, String map, String components) {
        return KernelMachine.of(kernel)
                .withScaling("none")
                .withMap(map)
                .withComponents(components)
                .fitComponents(source(), ONE, Progress.NONE, new Notes());
    }

    private static double[] components(KernelModel model, int row) {
        double[] components = new double[model.map().outputDimension()];
        model.map().apply(IntStream.range(0, 4).mapToDouble(j -> value(row, j)).toArray(), components);
        return components;
    }

    private static void assertGolden(KernelModel model, double[] eigenvalues, double share, double[][] rows) {
        Transformer transformer = model.transformer();
        assertArrayEquals(
                eigenvalues,
                Arrays.stream(transformer.variances()).map(v -> 30 * v).toArray(),
                GOLDEN * eigenvalues[0]);
        assertEquals(share, Arrays.stream(transformer.varianceShares()).sum(), GOLDEN);
        int[] numbers = {0, 1, 30, 31};
        for (int c = 0; c < 3; c++) {
            double sign = Math.signum(rows[0][c] * components(model, 0)[c]);
            for (int i = 0; i < rows.length; i++) {
                assertEquals(rows[i][c], sign * components(model, numbers[i])[c], GOLDEN);
            }
        }
    }

    @Test
    void equalsScikitLearnForAPolynomialKernel() {
        assertGolden(
                fit("polynomial(degree=2, gamma=0.5, c=1)", "landmarks(30)", "3"),
                new double[] {913.1214410769704, 432.57564378317, 229.7137549104027},
                0.8713409739463761,
                new double[][] {
                    {-6.729186699754058, -1.6014807534508622, 0.6191256906191869},
                    {-2.811579444149495, 2.9626546246460723, 5.95750463898326},
                    {-2.510017519817307, 4.124588944160469, -0.7273811865389308},
                    {-3.983308999851094, -0.3075375528131155, 0.7091312725953568}
                });
    }

    @Test
    void equalsScikitLearnForAGaussianKernel() {
        assertGolden(
                fit("gaussian(sigma=2)", "landmarks(30)", "3"),
                new double[] {4.379211579702373, 3.0457490183263696, 2.3952184622826933},
                0.5693591536372435,
                new double[][] {
                    {0.21847232072246345, -0.33962409055132226, 0.46042059316977657},
                    {0.21301057560697487, 0.14193838576163104, -0.05163897687581766},
                    {0.3762004992301989, 0.23802128454048366, 0.19292944662047493},
                    {0.3030440497587528, -0.13148642272165417, -0.21953642490057343}
                });
    }

    /** The linear kernel of disjoint columns is the sum of linear kernels, and so are the components. */
    @Test
    void aSumOfKernelsHasComponentsOfTheWholeSum() {
        KernelModel sum = fit("linear[0:2] + linear[2:4]", "auto", "2");
        KernelModel whole = fit("linear", "auto", "2");
        assertArrayEquals(components(whole, 7), components(sum, 7), 1e-10);
    }

    @Test
    void aShareTakesTheFewestComponents() {
        KernelModel share = fit("gaussian(sigma=2)", "landmarks(30)", "0.55");
        assertEquals(3, share.map().outputDimension());
        assertEquals(2, fit("gaussian(sigma=2)", "landmarks(30)", "0.40").map().outputDimension());
    }

    @Test
    void writtenComponentsAreThoseOfTheMapRoundedOnce() {
        KernelModel model = fit("gaussian(sigma=2)", "fourier", "5");
        float[] written = new float[5];
        model.transformer().transform(source(), ONE, Progress.NONE, (RowBlock rows) -> {
            double[] row = new double[5];
            rows.copyRow(8, row);
            for (int c = 0; c < 5; c++) {
                written[c] = (float) row[c];
            }
        });
        double[] expected = components(model, 8);
        for (int c = 0; c < 5; c++) {
            // One rounding to float32, and the float64 sums of 1000 features of at most 1.
            assertEquals(expected[c], written[c], Math.ulp(written[c]) + 1e-12);
        }
    }

    @Test
    void aSavedModelProjectsTheSameAndPredictsNothing(@TempDir Path folder) {
        KernelModel model = fit("gaussian(sigma=2)", "fourier", "4");
        Path file = folder.resolve("pca.bochner");
        model.save(file);
        KernelModel loaded = KernelModel.load(file);
        assertArrayEquals(components(model, 33), components(loaded, 33));
        assertArrayEquals(
                model.transformer().varianceShares(), loaded.transformer().varianceShares());
        assertFalse(loaded.predicts());
        assertEquals("4 principal components from 4 columns: gaussian(sigma=2)", loaded.toString());
        assertEquals("4", loaded.training().components());
        BochnerException e = assertThrows(BochnerException.class, () -> loaded.score(new double[4]));
        assertTrue(String.valueOf(e.getMessage()).contains("predicts nothing"), e.getMessage());
        assertThrows(BochnerException.class, () -> loaded.predictClass(new double[4]));
        assertThrows(BochnerException.class, () -> loaded.predictNumber(new double[4]));
        assertThrows(BochnerException.class, () -> loaded.probabilities(new double[4]));
        assertThrows(BochnerException.class, () -> Pruning.of(loaded));
        KernelMachine machine = KernelMachine.of("gaussian(sigma=2)");
        assertThrows(BochnerException.class, () -> machine.withStart(loaded));
    }

    @Test
    void badSettingsAreReported() {
        assertThrows(BochnerException.class, () -> fit("gaussian(sigma=2)", "none", "2"));
        assertThrows(IllegalArgumentException.class, () -> fit("linear", "auto", "5"));
        KernelMachine unset = KernelMachine.of("linear");
        assertThrows(
                IllegalArgumentException.class, () -> unset.fitComponents(source(), ONE, Progress.NONE, new Notes()));
    }
}
