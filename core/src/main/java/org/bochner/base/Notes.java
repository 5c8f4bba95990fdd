package org.bochner.base;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Collects the notes of a run, in the order in which they are made. Threads: not safe. */
public final class Notes {
    private final List<Note> notes = new ArrayList<>();

    /** Adds a note of the kind {@link Note.Kind#DATA}. */
    public void data(String text, Remedy... remedies) {
        notes.add(new Note(Note.Kind.DATA, text, remedies));
    }

    /** Adds a note of the kind {@link Note.Kind#CHOICE}. */
    public void choice(String text, Remedy... remedies) {
        notes.add(new Note(Note.Kind.CHOICE, text, remedies));
    }

    /** Adds a note of the kind {@link Note.Kind#PRECISION}. */
    public void precision(String text, Remedy... remedies) {
        notes.add(new Note(Note.Kind.PRECISION, text, remedies));
    }

    /** Adds a note of the kind {@link Note.Kind#SOLVER}. */
    public void solver(String text, Remedy... remedies) {
        notes.add(new Note(Note.Kind.SOLVER, text, remedies));
    }

    public void addAll(Collection<Note> more) {
        notes.addAll(more);
    }

    /** Returns the notes so far. */
    public List<Note> list() {
        return List.copyOf(notes);
    }
}
