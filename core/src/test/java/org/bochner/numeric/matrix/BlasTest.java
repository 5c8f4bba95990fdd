package org.bochner.numeric.matrix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ludovic.netlib.blas.NativeBLAS;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.bochner.numeric.Workers;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Both implementations against the textbook sum in float64. A sum of k products in any order, of numbers of at most 1
 * in size, errs by at most (k + 2)·ε·k, with ε = 2⁻²⁴ in float32 and 2⁻⁵³ in float64 (Higham, Accuracy and Stability,
 * 3.5); adding beta·c makes it k + 3 terms.
 */
class BlasTest {
    private static final int[] SIZES = {0, 1, 3, 7, 13, 64, 65, 129, 257};

    static Stream<Blas> implementations() {
        return Stream.of(Blas.get(), Blas.java());
    }

    private static double bound(int k, double epsilon) {
        return (k + 3.0) * (k + 3.0) * epsilon;
    }

    private static float[] floats(SplittableRandom random, int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (float) (2 * random.nextDouble() - 1);
        }
        return values;
    }

    private static double[] widened(float[] values) {
        double[] wide = new double[values.length];
        for (int i = 0; i < wide.length; i++) {
            wide[i] = values[i];
        }
        return wide;
    }

    /** A triple of awkward sizes, a transposition and strides, drawn so that each size meets each place often. */
    private record Product(int m, int n, int k, boolean transposeA, boolean transposeB, int pad, int offset, int beta) {
        static List<Product> awkward() {
            SplittableRandom random = new SplittableRandom(5);
            List<Product> products = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                products.add(new Product(
                        SIZES[i % SIZES.length],
                        SIZES[random.nextInt(SIZES.length)],
                        SIZES[random.nextInt(SIZES.length)],
                        random.nextBoolean(),
                        random.nextBoolean(),
                        random.nextInt(3) * 5,
                        random.nextInt(3) * 7,
                        random.nextInt(2)));
            }
            return products;
        }

        int strideA() {
            return (transposeA ? m : k) + pad;
        }

        int strideB() {
            return (transposeB ? k : n) + pad;
        }

        int strideC() {
            return n + pad;
        }

        int sizeA() {
            return offset + (transposeA ? k : m) * strideA();
        }

        int sizeB() {
            return offset + (transposeB ? n : k) * strideB();
        }

        int sizeC() {
            return offset + m * strideC();
        }

        /** What the product should be: entries outside the m×n window unchanged. */
        double[] expected(double alpha, double[] a, double[] b, double[] c) {
            double[] result = c.clone();
            for (int i = 0; i < m; i++) {
                for (int j = 0; j < n; j++) {
                    double sum = 0;
                    for (int p = 0; p < k; p++) {
                        double left = a[offset + (transposeA ? p * strideA() + i : i * strideA() + p)];
                        double right = b[offset + (transposeB ? j * strideB() + p : p * strideB() + j)];
                        sum += left * right;
                    }
                    int at = offset + i * strideC() + j;
                    result[at] = alpha * sum + (beta == 0 ? 0 : beta * c[at]);
                }
            }
            return result;
        }
    }

    @Nested
    class Gemm {
        @ParameterizedTest
        @MethodSource("org.bochner.numeric.matrix.BlasTest#implementations")
        void isTheTextbookProductInFloat32(Blas blas) {
            SplittableRandom random = new SplittableRandom(6);
            for (Product p : Product.awkward()) {
                float[] a = floats(random, p.sizeA());
                float[] b = floats(random, p.sizeB());
                float[] c = floats(random, p.sizeC());
                double[] expected = p.expected(0.5, widened(a), widened(b), widened(c));
                blas.multiply(
                        0.5f,
                        new Matrix<float[]>(
                                a,
                                p.offset,
                                p.transposeA ? p.k : p.m,
                                p.transposeA ? p.m : p.k,
                                p.strideA(),
                                p.transposeA),
                        new Matrix<float[]>(
                                b,
                                p.offset,
                                p.transposeB ? p.n : p.k,
                                p.transposeB ? p.k : p.n,
                                p.strideB(),
                                p.transposeB),
                        p.beta,
                        Matrix.of(c, p.offset, p.m, p.n, p.strideC()));
                assertArrayEquals(expected, widened(c), bound(p.k, 0x1p-24), p::toString);
            }
        }

        @ParameterizedTest
        @MethodSource("org.bochner.numeric.matrix.BlasTest#implementations")
        void isTheTextbookProductInFloat64(Blas blas) {
            SplittableRandom random = new SplittableRandom(7);
            for (Product p : Product.awkward()) {
                double[] a = widened(floats(random, p.sizeA()));
                double[] b = widened(floats(random, p.sizeB()));
                double[] c = widened(floats(random, p.sizeC()));
                double[] expected = p.expected(-1, a, b, c);
                blas.multiply(
                        -1.0,
                        new Matrix<double[]>(
                                a,
                                p.offset,
                                p.transposeA ? p.k : p.m,
                                p.transposeA ? p.m : p.k,
                                p.strideA(),
                                p.transposeA),
                        new Matrix<double[]>(
                                b,
                                p.offset,
                                p.transposeB ? p.n : p.k,
                                p.transposeB ? p.k : p.n,
                                p.strideB(),
                                p.transposeB),
                        p.beta,
                        Matrix.of(c, p.offset, p.m, p.n, p.strideC()));
                // The reference rounds too.
                assertArrayEquals(expected, c, 2 * bound(p.k, 0x1p-53), p::toString);
            }
        }

        @ParameterizedTest
        @MethodSource("org.bochner.numeric.matrix.BlasTest#implementations")
        void betaZeroForgetsWhatWasThereEvenNaN(Blas blas) {
            float[] c = {Float.NaN, Float.POSITIVE_INFINITY};
            blas.multiply(Matrix.of(new float[] {2}, 1, 1), Matrix.of(new float[] {3, 4}, 1, 2), c);
            assertArrayEquals(new float[] {6, 8}, c);
            double[] d = {Double.NaN, Double.NaN, 7, Double.NaN};
            blas.gram(1.0, Matrix.of(new double[] {2, 3}, 1, 2), 0.0, Matrix.of(d, 2, 2));
            assertArrayEquals(new double[] {4, 6, 7, 9}, d);
        }

        @ParameterizedTest
        @MethodSource("org.bochner.numeric.matrix.BlasTest#implementations")
        void refusesToReadOrWriteBeyondAnArray(Blas blas) {
            float[] four = new float[4];
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> blas.multiply(Matrix.of(four, 2, 3), Matrix.of(new float[6], 3, 2), four));
        }
    }

    @Nested
    class Gram {
        @ParameterizedTest
        @MethodSource("org.bochner.numeric.matrix.BlasTest#implementations")
        void fillsTheUpperTriangleAlone(Blas blas) {
            SplittableRandom random = new SplittableRandom(8);
            for (int n : SIZES) {
                for (int k : new int[] {0, 1, 13, 65, 129}) {
                    int pad = random.nextInt(2) * 3;
                    int offset = random.nextInt(2) * 5;
                    float[] a = floats(random, offset + k * (n + pad));
                    float[] c = floats(random, 2 + n * (n + pad));
                    double[] expected = new Product(n, n, k, true, false, pad, 0, 1)
                            .expected(
                                    1,
                                    widened(Arrays.copyOfRange(a, offset, a.length)),
                                    widened(Arrays.copyOfRange(a, offset, a.length)),
                                    widened(Arrays.copyOfRange(c, 2, c.length)));
                    double[] before = widened(c);
                    double[] wide = widened(c);
                    blas.gram(1f, Matrix.of(a, offset, k, n, n + pad), 1f, Matrix.of(c, 2, n, n, n + pad));
                    blas.gram(
                            1.0, Matrix.of(widened(a), offset, k, n, n + pad), 1.0, Matrix.of(wide, 2, n, n, n + pad));
                    for (int i = 0; i < n; i++) {
                        for (int j = 0; j < n + pad; j++) {
                            int at = i * (n + pad) + j;
                            boolean upper = j >= i && j < n;
                            double want = upper ? expected[at] : before[2 + at];
                            assertEquals(want, c[2 + at], upper ? bound(k, 0x1p-24) : 0);
                            assertEquals(want, wide[2 + at], upper ? 2 * bound(k, 0x1p-53) : 0);
                        }
                    }
                }
            }
        }
    }

    @Nested
    class Triangles {
        /** Unit triangles plus n on the diagonal: well conditioned, so that the residual bound carries over. */
        private double[] triangle(SplittableRandom random, int n, int stride) {
            double[] u = new double[n * stride];
            Arrays.fill(u, Double.NaN);
            for (int i = 0; i < n; i++) {
                for (int j = i; j < n; j++) {
                    u[i * stride + j] = random.nextDouble() + (i == j ? n : 0);
                }
            }
            return u;
        }

        /** |U·X − B| ≤ n·ε·|U|·|X| for substitution (Higham, 8.1); entries of U are at most n + 1, sums of |U| 2n. */
        @ParameterizedTest
        @MethodSource("org.bochner.numeric.matrix.BlasTest#implementations")
        void solvesFromTheUpperTriangleAlone(Blas blas) {
            SplittableRandom random = new SplittableRandom(9);
            for (int n : SIZES) {
                for (int columns : new int[] {0, 1, 5, 64}) {
                    for (boolean transposed : new boolean[] {false, true}) {
                        double[] u = triangle(random, n, n + 2);
                        double[] b = widened(floats(random, 3 + n * (columns + 1)));
                        double[] x = b.clone();
                        blas.solveUpper(
                                new Matrix<double[]>(u, 0, n, n, n + 2, transposed),
                                Matrix.of(x, 3, n, columns, columns + 1));
                        for (int i = 0; i < n; i++) {
                            for (int c = 0; c < columns; c++) {
                                double sum = 0;
                                for (int p = transposed ? 0 : i; p < (transposed ? i + 1 : n); p++) {
                                    sum += u[transposed ? p * (n + 2) + i : i * (n + 2) + p]
                                            * x[3 + p * (columns + 1) + c];
                                }
                                assertEquals(b[3 + i * (columns + 1) + c], sum, 2.0 * n * n * 0x1p-52);
                            }
                        }
                    }
                }
            }
        }

        @ParameterizedTest
        @MethodSource("org.bochner.numeric.matrix.BlasTest#implementations")
        void factorsAndNamesTheFirstBadPivot(Blas blas) {
            double[] good = {4, 2, Double.NaN, 10};
            assertEquals(-1, blas.factorUpper(2, good, 0, 2));
            assertArrayEquals(new double[] {2, 1, Double.NaN, 3}, good);
            assertEquals(1, blas.factorUpper(2, new double[] {1, 2, 0, 1}, 0, 2));
            assertEquals(0, blas.factorUpper(2, new double[] {Double.NaN, 2, 0, 1}, 0, 2));
            assertEquals(1, blas.factorUpper(2, new double[] {1, Double.NaN, 0, 1}, 0, 2));
        }
    }

    /** Windows that end where their array ends, with less than a stride behind the last row. */
    @Nested
    class AtTheEndOfAnArray {
        @ParameterizedTest
        @MethodSource("org.bochner.numeric.matrix.BlasTest#implementations")
        void gramAndSolveAgreeWithTheSameWindowElsewhere(Blas blas) {
            SplittableRandom random = new SplittableRandom(12);
            float[] a = floats(random, 3 * 5);
            float[] c = floats(random, 4 * 5);
            float[] tight = c.clone();
            // Columns 1 to 4 of a 3×5 array, into columns 1 to 4 of a 4×5 one.
            blas.gram(1f, Matrix.of(a, 1, 3, 4, 5), 1f, Matrix.of(tight, 1, 4, 4, 5));
            float[] roomy = Arrays.copyOf(c, 21);
            blas.gram(1f, Matrix.of(Arrays.copyOf(a, 16), 1, 3, 4, 5), 1f, Matrix.of(roomy, 1, 4, 4, 5));
            assertArrayEquals(roomy, Arrays.copyOf(tight, 21));

            double[] u = {0, 2, 1, 0, 0, 4};
            double[] b = {0, 4, 0, 8};
            blas.solveUpper(Matrix.of(u, 1, 2, 2, 3), Matrix.of(b, 1, 2, 1, 2));
            assertArrayEquals(new double[] {0, 1, 0, 2}, b);
        }

        @ParameterizedTest
        @MethodSource("org.bochner.numeric.matrix.BlasTest#implementations")
        void stillRefusesToLeaveTheArray(Blas blas) {
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> blas.gram(
                            1f, Matrix.of(new float[14], 1, 3, 4, 5), 1f, Matrix.of(new float[20], 1, 4, 4, 5)));
            assertThrows(IndexOutOfBoundsException.class, () -> blas.factorUpper(3, new double[8], 0, 3));
        }
    }

    @Nested
    class Eigen {
        /** Backward stable: residuals of a few n·ε·‖A‖; here ‖A‖ ≤ n. */
        @ParameterizedTest
        @MethodSource("org.bochner.numeric.matrix.BlasTest#implementations")
        void rowsAreEigenvectorsOfAscendingValues(Blas blas) {
            int n = 33;
            double[] a = widened(floats(new SplittableRandom(10), n * n));
            double[] vectors = a.clone();
            double[] values = blas.eigen(n, vectors);
            for (int v = 0; v < n; v++) {
                assertTrue(v == 0 || values[v - 1] <= values[v]);
                for (int i = 0; i < n; i++) {
                    double sum = 0;
                    for (int j = 0; j < n; j++) {
                        sum += a[Math.min(i, j) * n + Math.max(i, j)] * vectors[v * n + j];
                    }
                    assertEquals(values[v] * vectors[v * n + i], sum, 10.0 * n * n * 0x1p-52);
                }
            }
        }
    }

    @Test
    void sameCallSameBitsOnEveryThread() {
        SplittableRandom random = new SplittableRandom(11);
        float[] a = floats(random, 300 * 500);
        float[] first = new float[300 * 300];
        Blas.get().multiply(Matrix.of(a, 300, 500), Matrix.of(a, 300, 500).transposed(), first);
        new Workers(2).each(8, i -> {
            float[] again = new float[300 * 300];
            Blas.get().multiply(Matrix.of(a, 300, 500), Matrix.of(a, 300, 500).transposed(), again);
            assertArrayEquals(first, again);
        });
    }

    @Test
    void openBlasUsesOneThreadACall() {
        assumeTrue(Blas.get().name().startsWith("OpenBLAS"), "OpenBLAS did not load here");
        assertEquals(1, openblas_nolapack.blas_get_num_threads());
    }

    /** Another copy, the system's or one from the loader's cache under another name, would not know of the one thread. */
    @Test
    void oneCopyOfOpenBlasIsLoaded() throws IOException {
        Path maps = Path.of("/proc/self/maps");
        assumeTrue(Blas.get().name().startsWith("OpenBLAS"), "OpenBLAS did not load here");
        assumeTrue(Files.exists(maps), "what is loaded can be seen on Linux only");
        List<String> copies = Files.readAllLines(maps).stream()
                .filter(line -> line.matches(".*/libopenblas[^/]*"))
                .map(line -> line.substring(line.indexOf('/')))
                .distinct()
                .toList();
        assertEquals(1, copies.size(), copies::toString);
    }

    /** The first user of netlib in a process, for example Spark's MLlib, decides which library its netlib has. */
    @Test
    void otherUsersOfNetlibDoNotChangeTheLibrary() throws IOException, InterruptedException {
        assumeTrue(Blas.get().name().startsWith("OpenBLAS"), "OpenBLAS did not load here");
        assertEquals("none, then " + Blas.get().name() + " beside missing.so", LateStart.run());
    }

    /** A process in which netlib has looked in vain for its native library before {@link Blas} is used. */
    static final class LateStart {
        private static final String LIBRARY = "dev.ludovic.netlib.blas.nativeLibPath";

        static String run() throws IOException, InterruptedException {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-D" + LIBRARY + "=missing.so",
                            "-cp",
                            System.getProperty("java.class.path"),
                            LateStart.class.getName())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (InputStream out = process.getInputStream()) {
                String output = new String(out.readAllBytes(), StandardCharsets.UTF_8);
                assertEquals(0, process.waitFor(), output);
                return output;
            } finally {
                process.destroyForcibly();
            }
        }

        public static void main(String[] arguments) {
            String first;
            try {
                first = NativeBLAS.getInstance().toString();
            } catch (RuntimeException e) {
                first = "none";
            }
            System.out.print(first + ", then " + Blas.get().name() + " beside " + System.getProperty(LIBRARY));
        }
    }

    @Test
    void warningOfAModuleNamesTheJavaOption() {
        assertTrue(OpenBlas.remedy(true).contains("--add-modules ALL-MODULE-PATH"));
        assertEquals("", OpenBlas.remedy(false));
    }

    @Test
    void namesWhatRuns() {
        assertTrue(Blas.get().name().matches("OpenBLAS \\d+\\.\\d+\\.\\d+ \\(bundled\\)|pure Java"));
        assertEquals("pure Java", Blas.java().name());
    }

    @Test
    void netlibIsSilent() {
        List<String> lines = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger netlib = Logger.getLogger("dev.ludovic.netlib.blas.InstanceBuilder");
        netlib.addHandler(handler);
        try {
            Blas.java();
            netlib.warning("an implementation was not found");
            assertEquals(List.of(), lines);
        } finally {
            netlib.removeHandler(handler);
        }
    }
}
