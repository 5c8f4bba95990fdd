package org.bochner.base;

import org.jspecify.annotations.Nullable;

/** Bad data, with the place where it lies: {@code file:line: message}. */
public final class DataException extends BochnerException {
    private static final long serialVersionUID = 1L;

    private DataException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** An error about a whole file. */
    public static DataException in(String file, String message) {
        return new DataException(file + ": " + message, null);
    }

    /** An error about a whole file, with the failure that revealed it. */
    public static DataException in(String file, String message, Throwable cause) {
        return new DataException(file + ": " + message, cause);
    }

    /** An error at a line (counted from 1) of a file. */
    public static DataException at(String file, long line, String message) {
        return new DataException(file + ":" + line + ": " + message, null);
    }

    /** An error at a line (counted from 1) of a file, with the failure that revealed it. */
    public static DataException at(String file, long line, String message, Throwable cause) {
        return new DataException(file + ":" + line + ": " + message, cause);
    }

    /** An error at a line (counted from 1) and a column, with the failure that revealed it. */
    public static DataException at(String file, long line, String column, String message, Throwable cause) {
        return new DataException(file + ":" + line + ": column " + column + ": " + message, cause);
    }

    /** An error at a line (counted from 1) and a column named as the user knows it. */
    public static DataException at(String file, long line, String column, String message) {
        return new DataException(file + ":" + line + ": column " + column + ": " + message, null);
    }
}
