package org.bochner.numeric.matrix;

import java.io.File;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas_nolapack;

/** Loads the OpenBLAS of the Maven artifact and hands it to netlib, which calls it on heap arrays without copying. */
final class OpenBlas {
    private static final Logger LOG = System.getLogger(OpenBlas.class.getName());

    private OpenBlas() {}

    /** Returns OpenBLAS, or pure Java with one log line that gives the reason and the cost. */
    static Blas loadOrJava() {
        if (Boolean.getBoolean("bochner.blas.java")) {
            LOG.log(Level.INFO, "linear algebra: pure Java, as -Dbochner.blas.java asks");
            return Blas.pureJava();
        }
        try {
            Blas blas = load();
            LOG.log(Level.INFO, "linear algebra: {0}", blas.name());
            return blas;
        } catch (LinkageError | RuntimeException e) {
            LOG.log(
                    Level.WARNING,
                    "linear algebra: pure Java, some 10 to 20 times slower, because OpenBLAS did not load ({0}){1}",
                    String.valueOf(e.getMessage()),
                    remedy(OpenBlas.class.getModule().isNamed()));
            return Blas.pureJava();
        }
    }

    /**
     * Returns what to do if OpenBLAS does not load.
     *
     * @param modules true if this library is a module: the modules with the native libraries are then loaded only on
     *     request
     */
    static String remedy(boolean modules) {
        return modules ? "; start Java with --add-modules ALL-MODULE-PATH to load its native library" : "";
    }

    private static Blas load() {
        Blas.quietenNetlib();
        String loaded = Loader.load(openblas_nolapack.class);
        // Loader returns the path of its JNI glue; the library itself lies beside it.
        String library = findLibrary(new File(loaded).getParentFile())
                .orElseThrow(() -> new UnsatisfiedLinkError("no libopenblas beside " + loaded));
        // One thread per call. OpenBLAS cuts a product by its number of threads, and the cuts change the last bits of
        // the result; the project's threads work on blocks with fixed boundaries. OpenBLAS would also start threads
        // beside them, more than there are processors.
        openblas_nolapack.blas_set_num_threads(1);
        String version = openblas_nolapack.OPENBLAS_VERSION.strip();
        return Netlib.of(version + " (bundled)", library);
    }

    /**
     * Returns the library that the loader has just loaded. The loader's cache is shared by all programs of a user and
     * may hold a second copy under another name, which would be a second OpenBLAS without the limit of one thread.
     */
    private static Optional<String> findLibrary(File folder) {
        File[] files = folder.listFiles((dir, name) -> name.matches("(lib)?openblas.*\\.(so|dll|dylib)(\\.\\d+)*"));
        return Arrays.stream(files == null ? new File[0] : files)
                .min(Comparator.comparing((File file) -> !file.getName().contains("_nolapack"))
                        .thenComparing(File::getName))
                .map(File::getAbsolutePath);
    }
}
