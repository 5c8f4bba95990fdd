package org.bochner.fuzz;

import java.util.Locale;
import org.bochner.data.ReaderFuzz;
import org.bochner.model.ModelFuzz;

/** The readers that are fuzzed. The corpus of each lies in {@code src/test/resources/fuzz} under its name. */
enum FuzzTarget {
    LIBSVM('s'),
    CSV('c'),
    LABELS('l'),
    NPY('n'),
    NPZ('a'),
    IDX('i'),
    GZIP('g'),
    BZIP2('b'),
    XZ('x'),
    ZSTD('z'),
    MODEL('m');

    /** Stands before a file where one process fuzzes all targets. */
    final char key;

    FuzzTarget(char key) {
        this.key = key;
    }

    String folder() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Reads a file; returns how many rows or models it gave, and throws what must not be thrown. */
    int read(byte[] file) {
        return switch (this) {
            case LIBSVM -> ReaderFuzz.libsvm(file);
            case CSV -> ReaderFuzz.csv(file);
            case LABELS -> ReaderFuzz.labels(file);
            case NPY -> ReaderFuzz.npy(file);
            case NPZ -> ReaderFuzz.npz(file);
            case IDX -> ReaderFuzz.idx(file);
            case GZIP, BZIP2, XZ, ZSTD -> ReaderFuzz.compressed(file);
            case MODEL -> ModelFuzz.model(file);
        };
    }
}
