package org.bochner.base;

/**
 * Something that users should know about a run.
 *
 * @param kind what it is about
 * @param text one sentence without a full stop
 */
public record Note(Kind kind, String text) {
    /** What a note is about. */
    public enum Kind {
        /** The rows: columns that are left out, classes of one row, values that lose digits. */
        DATA,
        /** A choice that was left to the library, such as a scaling, a bandwidth or a map. */
        CHOICE,
        /** Features or statistics that were computed in another precision than was asked for. */
        PRECISION,
        /** A solver that ended early or did not reach its tolerance. */
        SOLVER
    }

    @Override
    public String toString() {
        return text;
    }
}
