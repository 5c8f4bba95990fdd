package org.bochner.data;

/**
 * The format of a data file. Files of every format may be compressed with gzip, bzip2, xz or zstd, which their first
 * bytes show.
 */
public enum DataFormat {
    /** Detects the format from the first bytes, else from the file's extension, else from the first lines. */
    AUTO,
    /** LIBSVM / SVMlight text: {@code label index:value index:value ...}. */
    LIBSVM,
    /** Text separated by commas, semicolons, tabs, bars or blanks, with or without a header, quoted as in RFC 4180. */
    CSV,
    /** NumPy's array file. */
    NPY,
    /** The format of MNIST: a typed array. Each item along the first dimension is a row. */
    IDX
}
