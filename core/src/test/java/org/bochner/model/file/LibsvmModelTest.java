package org.bochner.model.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.data.DataOptions;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.model.AdditiveCurves;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Text files of LIBSVM models. */
class LibsvmModelTest {
    private static final String MODEL = """
            svm_type c_svc
            kernel_type intersection
            nr_class 2
            total_sv 3
            rho 0.25
            label 1 -1
            probA -1.5
            probB 0.5
            nr_sv 1 2
            SV
            1.5 1:2 3:1
            -1 1:0.5 2:3
            -0.5 3:4
            """;

    private final Path folder;

    LibsvmModelTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private KernelModel load(String text) throws IOException {
        return KernelModel.load(Files.writeString(folder.resolve("libsvm.model"), text));
    }

    /** 1.5·1 − 0.5 − 3 − 0.25 is the decision of LIBSVM, which is positive for the first label. */
    @Test
    void decisionsArePositiveForTheFirstLabel() throws IOException {
        double[] row = {1, 5, 0};
        KernelModel model = load(MODEL);
        assertEquals(List.of("-1", "1"), model.labels().names());
        assertEquals(-2.25, model.score(row)[0], 1e-12);
        assertEquals("-1", model.predictClass(row));
        // 1/(1 + exp(A·decision + B)) is the probability of the first label.
        double first = 1 / (1 + Math.exp(-1.5 * -2.25 + 0.5));
        assertEquals(first, model.probabilities(row).getOrDefault("1", Double.NaN), 1e-12);
        KernelModel turned = load(MODEL.replace("label 1 -1", "label 1 2"));
        assertEquals(List.of("1", "2"), turned.labels().names());
        assertEquals(2.25, turned.score(row)[0], 1e-12);
        assertEquals("2", turned.predictClass(row));
        assertEquals(first, turned.probabilities(row).getOrDefault("1", Double.NaN), 1e-12);
    }

    /** Files of LIBSVM often have labels with a sign, which the model file has not. */
    @ParameterizedTest
    @CsvSource({"label 1 -1, +1, -1", "label 1 -1, 1, -1.0", "label +1 -1, 1, -1", "label 1 0, +1.0, -0"})
    void labelsAreNumbersWhateverTheirSpelling(String label, String second, String first) throws IOException {
        KernelModel model = load(MODEL.replace("label 1 -1", label));
        Path data = Files.writeString(folder.resolve("data.svm"), second + " 1:2\n" + first + " 2:1\n");
        try (RowCursor cursor = model.open(DataOptions.of(data.toString())).open()) {
            RowBlockBuilder builder = new RowBlockBuilder();
            assertTrue(cursor.next(builder, 2));
            RowBlock rows = builder.build();
            assertEquals(1, rows.target(0, 0));
            assertEquals(0, rows.target(1, 0));
        }
    }

    @ParameterizedTest
    @CsvSource({"exact", "linear", "constant"})
    void compiledModelsScoreSingleRowsAsBlocksAndRefuseBadValues(String form) throws IOException {
        KernelModel model =
                AdditiveCurves.compile(load(MODEL), form, 9, new Workers(1)).model();
        double[][] rows = {{1, 5, 0}, {0, 0.3, 7}, {0.1, 0.2, 0.3}};
        List<Double> scores = new ArrayList<>();
        model.score(MemorySource.of(rows), new Workers(1), Progress.NONE, (block, of) -> {
            for (int i = 0; i < block.rows(); i++) {
                scores.add(of[i]);
            }
        });
        for (int i = 0; i < rows.length; i++) {
            assertEquals(scores.get(i), model.score(rows[i])[0]);
        }
        assertThrows(BochnerException.class, () -> model.score(new double[] {1, -1e-9, 0}));
        for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY, 1e39}) {
            assertThrows(IllegalArgumentException.class, () -> model.score(new double[] {1, bad, 0}));
        }
        assertThrows(IllegalArgumentException.class, () -> model.score(new double[] {1, 0}));
    }

    @Test
    void regressionAndIndicesFromZeroAreRead() throws IOException {
        KernelModel model = load(MODEL.replace("c_svc", "epsilon_svr").replace("1:2 3:1", "0:2 3:1"));
        assertEquals(4, model.columns());
        assertEquals(1.5 * 1 - 0.25, model.predictNumber(new double[] {1, 0, 0, 0}), 1e-12);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            linear                                | -2
            HIK                                   | -2.25
            chi2                                  | -5.1666666666666667
            rbf gamma 0.5                         | 0
            """)
    void kernelsAreKnown(String kernel, double score) throws IOException {
        KernelModel model =
                load(MODEL.replace("kernel_type intersection", "kernel_type " + kernel.replace(" gamma", "\ngamma")));
        double[] row = {1, 5, 0};
        double expected =
                switch (kernel) {
                    case "linear" -> 1.5 * 2 - (0.5 + 15) - 0.25;
                    case "chi2" -> 1.5 * 2 * 2 / 3.0 - (2 * 0.5 / 1.5 + 2 * 15 / 8.0) - 0.25;
                    case "rbf gamma 0.5" ->
                        1.5 * Math.exp(-0.5 * (1 + 25 + 1))
                                - Math.exp(-0.5 * (0.25 + 4))
                                - 0.5 * Math.exp(-0.5 * 42)
                                - 0.25;
                    default -> score;
                };
        assertEquals(expected, model.score(row)[0], 1e-6);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            total_sv 3               | total_sv 4           | the file ends after 3 of 4 support vectors
            total_sv 3               | total_sv 2           | more support vectors than total_sv says, 2
            total_sv 3               | total_sv 1e99        | total_sv must be a positive whole number
            total_sv 3               | total_sv nan         | total_sv must be a finite number
            SV                       | SW                   | the file ends before the line 'SV'
            nr_class 2               | nr_class 3           | tells apart by votes between pairs of them
            kernel_type intersection | kernel_type sigmoid  | the kernel_type 'sigmoid' is not supported
            kernel_type intersection | kernel_type precomputed | the kernel_type 'precomputed' is not supported
            kernel_type intersection | kernel_type          | the header has no 'kernel_type'
            svm_type c_svc           | svm_type one_class   | a one-class machine
            svm_type c_svc           | svm_type x           | unknown svm_type 'x'
            rho 0.25                 | rho inf              | rho must be a finite number, got 'inf'
            rho 0.25                 | rho 1 2              | rho must be one number
            label 1 -1               | label 1 1            | label must name two classes
            1.5 1:2                  | 1.5 3:2              | the indices of a support vector must ascend
            1.5 1:2                  | nan 1:2              | the coefficient must be a finite number, got 'nan'
            1.5 1:2                  | 1:2                  | must begin with its coefficient
            1.5 1:2                  | 1.5 0.5 1:2          | '0.5' is not index:value
            1.5 1:2                  | 1.5 1:-2             | index 1: intersection compares histograms
            1.5 1:2                  | 1.5 1:x              | the value of index 1 must be a finite number, got 'x'
            1.5 1:2                  | 1.5 1:1e39           | within ±3.4e38
            1.5 1:2                  | 1.5 -1:2             | '-1:2' is not index:value
            1.5 1:2 3:1              | 1.5 2147483647:2     | index 2147483647 is too large: at most
            1.5 1:2 3:1              | 1.5 3000000000:2     | index 3000000000 is too large: at most
            1.5 1:2 3:1              | 1.5 99999999999999999999:2 | index 99999999999999999999 is too large: at most
            probA -1.5               | probA 1.5            | probA is positive
            probB 0.5                | x 1                  | the header has no 'probB'
            probA -1.5               | x 1                  | the header has no 'probA'
            nr_sv 1 2                | nr_sv 1 3            | the sum of nr_sv '1 3' must be total_sv, 3
            """)
    void damagedFilesAreRefusedWithTheirLine(String good, String bad, String message) {
        BochnerException e = assertThrows(BochnerException.class, () -> load(MODEL.replace(good, bad)));
        assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
        assertTrue(String.valueOf(e.getMessage()).matches("(?s).*libsvm.model:\\d+: .*"), e.getMessage());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            svm_type c_svc           | svm_type x           | 1
            kernel_type intersection | kernel_type sigmoid  | 2
            nr_class 2               | nr_class 3           | 3
            total_sv 3               | total_sv 1.5         | 4
            rho 0.25                 | rho inf              | 5
            label 1 -1               | label 1 x            | 6
            probA -1.5               | probA 1.5            | 7
            nr_sv 1 2                | nr_sv 1 3            | 9
            -0.5 3:4                 | -0.5 999999999999:4  | 13
            """)
    void problemsNameTheirOwnLine(String good, String bad, int line) {
        BochnerException e = assertThrows(BochnerException.class, () -> load(MODEL.replace(good, bad)));
        assertTrue(String.valueOf(e.getMessage()).contains("libsvm.model:" + line + ": "), e.getMessage());
    }

    @Test
    void blankLinesBeforeTheHeaderAreSkipped() throws IOException {
        assertEquals(3, load("\n  \n" + MODEL).columns());
    }

    /** An intersection with a support vector that is 0 is 0; a Gaussian kernel has the factor exp(-γx²). */
    @Test
    void furtherColumnsAreZeroInTheSupportVectors() throws IOException {
        double narrow = load(MODEL).score(new double[] {1, 5, 0})[0];
        KernelModel wide = KernelModel.loadLibsvm(folder.resolve("libsvm.model"), 5);
        assertEquals(5, wide.columns());
        assertEquals(narrow, wide.score(new double[] {1, 5, 0, 0, 7})[0], 1e-12);
        KernelModel gaussian = load(MODEL.replace("kernel_type intersection", "kernel_type rbf\ngamma 0.5"));
        double decision = gaussian.score(new double[] {1, 5, 0})[0] + 0.25;
        KernelModel wider = KernelModel.loadLibsvm(folder.resolve("libsvm.model"), 4);
        assertEquals(decision * Math.exp(-0.5) - 0.25, wider.score(new double[] {1, 5, 0, 1})[0], 1e-9);
        assertThrows(
                DataException.class,
                () -> KernelModel.loadLibsvm(folder.resolve("libsvm.model"), Integer.MAX_VALUE - 1));
    }

    /** Lists of the columns take 20 bytes per column, 43 GB, which exceeds the memory of the tests. */
    @ParameterizedTest
    @CsvSource({"3:4, 2147483646:4", "kernel_type intersection, kernel_type rbf\ngamma 1e308"})
    void numbersOutOfProportionAreRefused(String good, String bad) {
        DataException e = assertThrows(DataException.class, () -> load(MODEL.replace(good, bad)));
        assertTrue(String.valueOf(e.getMessage()).contains("libsvm.model"), e.toString());
    }

    @Test
    void everyBeginningAndChangedFilesAreReadOrRefused() {
        RandomStream random = new Seed(9).stream();
        for (int i = 0; i < 400; i++) {
            StringBuilder text = new StringBuilder(i < MODEL.length() ? MODEL.substring(0, Math.max(8, i)) : MODEL);
            for (int k = 0; k < 3 && i % 2 == 1; k++) {
                text.setCharAt(8 + random.nextInt(text.length() - 7) - 1, (char) (' ' + random.nextInt(90)));
            }
            try {
                KernelModel model = load(text.toString());
                if (model.columns() < 1000) {
                    assertTrue(Double.isFinite(model.score(new double[model.columns()])[0]));
                }
            } catch (BochnerException e) {
                assertTrue(String.valueOf(e.getMessage()).contains("libsvm.model"), e.getMessage());
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }
}
