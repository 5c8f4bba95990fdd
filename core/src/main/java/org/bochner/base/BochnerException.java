package org.bochner.base;

import org.jspecify.annotations.Nullable;

/**
 * A failure whose message is written for the person who runs the program: what went wrong, where, what was allowed,
 * and what to do. The command line prints the message alone and exits with code 1.
 */
public class BochnerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BochnerException(String message) {
        super(message);
    }

    public BochnerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
