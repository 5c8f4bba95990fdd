package org.bochner.cli;

/** What a design error is relative to. */
enum ErrorKind {
    ABSOLUTE,
    RELATIVE
}
