package org.bochner.data;

/** The layout of a data file. Any of them may be compressed (gzip, bzip2, xz, zstd), as its first bytes show. */
public enum DataFormat {
    /** Found out from the first bytes, then the file's extension, then its first lines. */
    AUTO,
    /** LIBSVM / SVMlight text: {@code label index:value index:value ...}. */
    LIBSVM,
    /** Text separated by commas, semicolons, tabs, bars or blanks, with or without a header, quoted as in RFC 4180. */
    CSV,
    /** NumPy's array file. */
    NPY,
    /** The format of MNIST: typed arrays, of which each item along the first dimension is a row. */
    IDX
}
