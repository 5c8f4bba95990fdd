package org.bochner.base;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Bad data, with the place where it was found: {@code file:line: column NAME: problem}. */
public final class DataException extends BochnerException {
    private static final long serialVersionUID = 1L;

    private DataException(String place, String problem, @Nullable Throwable cause, List<Remedy> remedies) {
        super(place + ": " + problem, cause, remedies);
    }

    /** Returns a failure of a whole file. */
    public static DataException in(String file, String problem, Remedy... remedies) {
        return new DataException(file, problem, null, List.of(remedies));
    }

    /** Returns a failure of a whole file, with its cause. */
    public static DataException in(String file, String problem, Throwable cause, Remedy... remedies) {
        return new DataException(file, problem, cause, List.of(remedies));
    }

    /** Returns a failure at a line (counted from 1) of a file. */
    public static DataException at(String file, long line, String problem, Remedy... remedies) {
        return new DataException(file + ":" + line, problem, null, List.of(remedies));
    }

    /** Returns a failure at a line (counted from 1) and a column named as users know it. */
    public static DataException at(String file, long line, String column, String problem, Remedy... remedies) {
        return new DataException(file + ":" + line + ": column " + column, problem, null, List.of(remedies));
    }
}
