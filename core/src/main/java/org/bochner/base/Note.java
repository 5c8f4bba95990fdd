package org.bochner.base;

import java.util.List;
import java.util.function.Function;

/**
 * Something that users should know about a run.
 *
 * @param kind the subject of the note
 * @param text one sentence without a full stop
 * @param remedies what users can do about it; empty in most cases
 */
public record Note(Kind kind, String text, List<Remedy> remedies) {
    /** The subject of a note. */
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

    public Note {
        remedies = List.copyOf(remedies);
    }

    public Note(Kind kind, String text, Remedy... remedies) {
        this(kind, text, List.of(remedies));
    }

    /**
     * Returns the text followed by the remedies in the words of another program.
     *
     * @param assignment prints a setting with its value, for example as a flag
     */
    public String text(Function<Remedy, String> assignment) {
        return Remedy.append(text, remedies, assignment);
    }

    /** Returns the text followed by the remedies, with settings as Java methods. */
    @Override
    public String toString() {
        return text(Remedy::inJava);
    }
}
