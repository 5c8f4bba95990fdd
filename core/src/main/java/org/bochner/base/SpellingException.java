package org.bochner.base;

/** A kernel, map, scaling or learner was spelled wrongly; the message says where and suggests what was meant. */
public final class SpellingException extends BochnerException {
    private static final long serialVersionUID = 1L;

    public SpellingException(String message) {
        super(message);
    }

    SpellingException(String message, Throwable cause) {
        super(message, cause);
    }
}
