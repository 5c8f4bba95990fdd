package org.bochner.cli.plot;

/** A place: in the units of a series, or in those of a picture, from its top left corner. */
public record Point(double x, double y) {}
