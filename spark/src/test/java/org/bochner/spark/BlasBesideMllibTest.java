package org.bochner.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.ml.linalg.BLAS$;
import org.apache.spark.ml.linalg.DenseMatrix;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library and MLlib use netlib in one process, each with its own native library. */
class BlasBesideMllibTest {
    private static final String LIBRARY = "dev.ludovic.netlib.blas.nativeLibPath";

    @BeforeEach
    void requireOpenBlas() {
        assumeTrue(Blas.get().name().startsWith("OpenBLAS"), "OpenBLAS did not load here");
    }

    @Test
    void openBlasLoadsAfterMllibFoundNoLibrary(@TempDir Path folder) throws InterruptedException {
        assertEquals(List.of("MLlib in Java", Blas.get().name()), users(folder, "missing.so", "mllib", "core"));
    }

    @Test
    void mllibFindsNoLibraryAfterOpenBlasLoaded(@TempDir Path folder) throws InterruptedException {
        assertEquals(List.of(Blas.get().name(), "MLlib in Java"), users(folder, "missing.so", "core", "mllib"));
    }

    @Test
    void openBlasLoadsAfterMllibHasLoadedAnotherLibrary(@TempDir Path folder) throws IOException, InterruptedException {
        assertEquals(List.of("MLlib, native", Blas.get().name()), users(folder, otherLibrary(folder), "mllib", "core"));
    }

    @Test
    void mllibLoadsItsLibraryAfterOpenBlasLoaded(@TempDir Path folder) throws IOException, InterruptedException {
        assertEquals(List.of(Blas.get().name(), "MLlib, native"), users(folder, otherLibrary(folder), "core", "mllib"));
    }

    /** Returns a copy of OpenBLAS beside copies of what it needs. The system takes it for another library. */
    private static String otherLibrary(Path folder) throws IOException {
        Path own = Path.of(Loader.load(openblas_nolapack.class)).resolveSibling("libopenblas_nolapack.so");
        assumeTrue(Files.exists(own), "the name of the library is that of Linux");
        try (DirectoryStream<Path> libraries =
                Files.newDirectoryStream(own.getParent(), "lib{gfortran,quadmath,gcc}*")) {
            for (Path library : libraries) {
                Files.copy(library, folder.resolve(library.getFileName()));
            }
        }
        return Files.copy(own, folder.resolve("libother.so")).toString();
    }

    /** Returns what the given users of netlib say in a new process in which MLlib is to use the given library. */
    private static List<String> users(Path folder, String library, String... users) throws InterruptedException {
        try (JavaProcess process = JavaProcess.start(
                folder.resolve("log"),
                Map.of(),
                JavaProcess.ownClassPath(),
                List.of("-Xmx512m", "-D" + LIBRARY + "=" + library),
                List.of(Users.class.getName(), String.join(",", users)))) {
            return process.finish(Duration.ofSeconds(60))
                    .lines()
                    .filter(line -> line.startsWith("> "))
                    .map(line -> line.substring(2))
                    .toList();
        }
    }

    /** The process in which both are used. */
    static final class Users {
        private static final int SIZE = 50;

        public static void main(String[] arguments) {
            for (String user : arguments[0].split(",", -1)) {
                System.out.println("> " + (user.equals("mllib") ? mllib() : core()));
            }
        }

        private static String mllib() {
            double[] product = new double[SIZE * SIZE];
            DenseMatrix ones = new DenseMatrix(SIZE, SIZE, ones());
            BLAS$.MODULE$.gemm(1, ones, ones, 0, product);
            check(product);
            return BLAS$.MODULE$.nativeBLAS() == BLAS$.MODULE$.javaBLAS() ? "MLlib in Java" : "MLlib, native";
        }

        private static String core() {
            double[] product = new double[SIZE * SIZE];
            Matrix<double[]> ones = Matrix.of(ones(), SIZE, SIZE);
            Blas.get().multiply(ones, ones, product);
            check(product);
            return Blas.get().name();
        }

        private static double[] ones() {
            double[] ones = new double[SIZE * SIZE];
            Arrays.fill(ones, 1);
            return ones;
        }

        private static void check(double[] product) {
            for (double value : product) {
                if (value != SIZE) {
                    throw new AssertionError("the product holds " + value);
                }
            }
        }
    }
}
