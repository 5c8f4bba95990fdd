package org.bochner.data;

/** The columns from (inclusive) to (exclusive) that came from one channel. */
public record ColumnRange(String name, int from, int to) {}
