package org.bochner.base;

/** A kernel, map, scaling or learner was spelled wrongly; the message says where and suggests what was meant. */
public final class SpellingException extends BochnerException {
    private static final long serialVersionUID = 1L;

    public SpellingException(String problem, Remedy... remedies) {
        super(problem, remedies);
    }

    SpellingException(String problem, Throwable cause) {
        super(problem, cause);
    }
}
