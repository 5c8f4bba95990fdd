package org.bochner.numeric;

import dev.ludovic.netlib.blas.NativeBLAS;
import dev.ludovic.netlib.lapack.NativeLAPACK;
import java.io.File;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Optional;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas_nolapack;

/**
 * Loads the OpenBLAS that comes as a Maven artifact and hands it to netlib, which calls it on heap arrays without
 * copying.
 */
final class OpenBlas {
    private static final Logger LOG = System.getLogger(OpenBlas.class.getName());

    private OpenBlas() {}

    /** OpenBLAS, or pure Java with one logged line that says why and what it costs. */
    static Blas loadOrJava() {
        if (Boolean.getBoolean("bochner.blas.java")) {
            Blas java = Blas.java();
            LOG.log(Level.INFO, "linear algebra: pure Java, as -Dbochner.blas.java asks");
            return java;
        }
        try {
            Blas blas = load();
            LOG.log(Level.INFO, "linear algebra: {0}", blas.name());
            return blas;
        } catch (LinkageError | RuntimeException e) {
            LOG.log(
                    Level.WARNING,
                    "linear algebra: pure Java, some 5 to 10 times slower, because OpenBLAS did not load ({0})",
                    String.valueOf(e.getMessage()));
            return Blas.java();
        }
    }

    private static Blas load() {
        String loaded = Loader.load(openblas_nolapack.class);
        // Loader returns the path of its JNI glue; the library proper lies beside it.
        String library = findLibrary(new File(loaded).getParentFile())
                .orElseThrow(() -> new UnsatisfiedLinkError("no libopenblas beside " + loaded));
        System.setProperty("dev.ludovic.netlib.blas.nativeLibPath", library);
        System.setProperty("dev.ludovic.netlib.lapack.nativeLibPath", library);
        // One thread a call: parallelism is ours, over blocks, and results must not depend on the number of threads.
        openblas_nolapack.blas_set_num_threads(1);
        return new Blas("OpenBLAS (bundled)", NativeBLAS.getInstance(), NativeLAPACK.getInstance());
    }

    private static Optional<String> findLibrary(File folder) {
        File[] files = folder.listFiles((dir, name) -> name.matches("(lib)?openblas.*\\.(so|dll|dylib)(\\.\\d+)*"));
        return Arrays.stream(files == null ? new File[0] : files)
                .map(File::getAbsolutePath)
                .sorted()
                .findFirst();
    }
}
