package org.bochner.data;

import java.util.List;
import org.bochner.base.DataException;

/**
 * What the head of a binary file says of it. An array of several dimensions has a row for each item along the first.
 *
 * @param bytes where the values start
 */
record MatrixHeader(ElementType type, boolean bigEndian, long rows, int columns, int bytes) {
    static MatrixHeader of(String file, ElementType type, boolean bigEndian, List<Long> shape, int bytes) {
        if (shape.isEmpty()) {
            throw DataException.in(file, "holds a single number, not an array of rows");
        }
        long columns = 1;
        for (long size : shape.subList(1, shape.size())) {
            // The product of two sizes below 2^31 fits a long, and is checked before the next.
            columns = size < 0 || size > Integer.MAX_VALUE ? Long.MAX_VALUE : columns * size;
            if (columns * type.size > Integer.MAX_VALUE - 16 || columns > Integer.MAX_VALUE) {
                throw DataException.in(file, "rows of shape " + shape + " are wider than this program can hold");
            }
        }
        if (shape.get(0) <= 0 || columns <= 0) {
            throw DataException.in(file, "has no rows: its shape is " + shape);
        }
        return new MatrixHeader(type, bigEndian, shape.get(0), (int) columns, bytes);
    }
}
