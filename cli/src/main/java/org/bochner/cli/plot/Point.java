package org.bochner.cli.plot;

/** A point in the units of a series, or in those of a picture, whose origin is its top left corner. */
public record Point(double x, double y) {}
