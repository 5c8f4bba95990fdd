package org.bochner.cli;

import java.util.function.Supplier;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
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
        } catch (IllegalArgumentException | SpellingException e) {
            throw (UsageException) new UsageException(SettingFlags.message(e)).initCause(e);
        }
    }

    /** Runs what flags ask for; failures are wrong usage, unless the data are to blame. */
    static <T> T unlessData(Supplier<T> asked) {
        try {
            return asked.get();
        } catch (DataException e) {
            throw e;
        } catch (IllegalArgumentException | BochnerException e) {
            throw (UsageException) new UsageException(SettingFlags.message(e)).initCause(e);
        }
    }

    /** Runs what takes a flag's value; a failure is wrong usage, whose message starts with the flag. */
    static <T> T in(String flag, Supplier<T> using) {
        try {
            return using.get();
        } catch (IllegalArgumentException | BochnerException e) {
            throw (UsageException) new UsageException(flag + ": " + SettingFlags.message(e)).initCause(e);
        }
    }
}
