package org.bochner.cli;

import java.util.function.Supplier;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.SpellingException;

/** Reports wrong usage of the command: exit code 2. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }

    /** Runs a parser of an argument, whose failures are wrong usage. */
    static <T> T orUsage(Supplier<T> reading) {
        try {
            return reading.get();
        } catch (IllegalArgumentException | SpellingException e) {
            throw (UsageException) new UsageException(SettingFlags.message(e)).initCause(e);
        }
    }

    /** Runs a step whose failures are wrong usage, except for failures of data. */
    static <T> T unlessData(Supplier<T> asked) {
        try {
            return asked.get();
        } catch (DataException e) {
            throw e;
        } catch (IllegalArgumentException | BochnerException e) {
            throw (UsageException) new UsageException(SettingFlags.message(e)).initCause(e);
        }
    }

    /** Runs a step that uses the value of a flag. Its failures are wrong usage, with messages that start with the flag. */
    static <T> T in(String flag, Supplier<T> using) {
        try {
            return using.get();
        } catch (IllegalArgumentException | BochnerException e) {
            throw (UsageException) new UsageException(flag + ": " + SettingFlags.message(e)).initCause(e);
        }
    }
}
