package org.bochner.cli;

import java.util.function.Supplier;
import org.bochner.base.SpellingException;

/** The command was called wrongly: exit code 2. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }

    /** Runs what reads an argument; what is wrong with it is then wrong usage. */
    static <T> T orUsage(Supplier<T> reading) {
        try {
            return reading.get();
        } catch (SpellingException e) {
            throw (UsageException) new UsageException(SettingFlags.message(e)).initCause(e);
        } catch (IllegalArgumentException e) {
            throw (UsageException) new UsageException(String.valueOf(e.getMessage())).initCause(e);
        }
    }
}
