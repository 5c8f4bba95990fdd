package org.bochner.base;

/** A wrong spelling of a kernel, map, scaling or learner. The message says where it is wrong and suggests a correction. */
public final class SpellingException extends BochnerException {
    private static final long serialVersionUID = 1L;

    public SpellingException(String problem, Remedy... remedies) {
        super(problem, remedies);
    }

    SpellingException(String problem, Throwable cause) {
        super(problem, cause);
    }
}
