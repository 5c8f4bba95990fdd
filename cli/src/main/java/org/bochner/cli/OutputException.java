package org.bochner.cli;

/** Ends a command because stdout can no longer be written; {@link StandardOutput} has the reason. */
final class OutputException extends RuntimeException {
    private static final long serialVersionUID = 1L;
}
