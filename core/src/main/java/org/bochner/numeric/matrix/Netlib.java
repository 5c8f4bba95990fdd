package org.bochner.numeric.matrix;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Keeps netlib from talking past us: which implementation runs is our log line to write. */
final class Netlib {
    // Held here because a logger that nobody holds is collected, and its level with it.
    private static final Logger BLAS = Logger.getLogger("dev.ludovic.netlib.blas");
    private static final Logger LAPACK = Logger.getLogger("dev.ludovic.netlib.lapack");

    private Netlib() {}

    /**
     * Drops netlib's warnings, once written for each implementation that it tries and does not find. It always tries
     * one that needs an incubating module, so without this every start of the program would warn.
     */
    static void quieten() {
        BLAS.setLevel(Level.OFF);
        LAPACK.setLevel(Level.OFF);
    }
}
