package org.bochner.base;

/**
 * A wrong spelling of a kernel, map, scaling or learner, or settings that cannot be combined. The message says what is
 * wrong and suggests a correction.
 */
public final class SpellingException extends BochnerException {
    private static final long serialVersionUID = 1L;

    public SpellingException(String problem, Remedy... remedies) {
        super(problem, remedies);
    }

    SpellingException(String problem, Throwable cause) {
        super(problem, cause);
    }
}
