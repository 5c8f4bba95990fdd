package org.bochner.fuzz;

import java.util.Locale;
import java.util.function.ToIntFunction;
import org.bochner.data.ReaderFuzz;
import org.bochner.model.ModelFuzz;

/** The readers that are fuzzed. The corpus of each lies in {@code src/test/resources/fuzz} under its name. */
enum FuzzTarget {
    LIBSVM(ReaderFuzz::libsvm),
    CSV(ReaderFuzz::csv),
    LABELS(ReaderFuzz::labels),
    NPY(ReaderFuzz::npy),
    NPZ(ReaderFuzz::npz),
    IDX(ReaderFuzz::idx),
    GZIP(ReaderFuzz::compressed),
    BZIP2(ReaderFuzz::compressed),
    XZ(ReaderFuzz::compressed),
    ZSTD(ReaderFuzz::compressed),
    MODEL(ModelFuzz::model);

    private final ToIntFunction<byte[]> reading;

    FuzzTarget(ToIntFunction<byte[]> reading) {
        this.reading = reading;
    }

    String folder() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Reads a file; returns how many rows or models it gave, and throws what must not be thrown. */
    int read(byte[] file) {
        return reading.applyAsInt(file);
    }
}
