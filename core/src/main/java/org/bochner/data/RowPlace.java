package org.bochner.data;

/**
 * A row as the source that reads it counts it, whatever views lie between: what an error message has to name.
 *
 * @param source the source that reads the row
 * @param row the index of the row in that source, from 0; -1 where it cannot be found
 */
public record RowPlace(RowSource source, long row) {}
