package org.bochner.numeric.matrix;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Silences the log messages of netlib; the project logs the implementation in use itself. */
final class Netlib {
    // A static reference, because an unreferenced logger is collected together with its level.
    private static final Logger BLAS = Logger.getLogger("dev.ludovic.netlib.blas");
    private static final Logger LAPACK = Logger.getLogger("dev.ludovic.netlib.lapack");

    private Netlib() {}

    /**
     * Drops netlib's warnings about each implementation that it does not find. It always tries one that needs an
     * incubating module, so without this every start of the program would warn.
     */
    static void quieten() {
        BLAS.setLevel(Level.OFF);
        LAPACK.setLevel(Level.OFF);
    }
}
