package org.bochner.cli;

/** Stdout can no longer be written, so that there is no point in going on. {@link StandardOutput} knows why. */
final class OutputException extends RuntimeException {
    private static final long serialVersionUID = 1L;
}
