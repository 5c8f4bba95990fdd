package org.bochner.data.format;

import java.util.List;
import org.bochner.base.DataException;

/**
 * The header of a binary file. Each item along the first dimension of an array is a row.
 *
 * @param elementBytes the number of bytes per element
 * @param shape the sizes of the dimensions
 * @param fortran true if the first index changes fastest in the file; false if the last one does
 * @param bytes the offset of the values in the file
 */
public record MatrixHeader(
        ElementType type,
        int elementBytes,
        boolean bigEndian,
        long rows,
        int columns,
        List<Long> shape,
        boolean fortran,
        int bytes) {
    static MatrixHeader of(
            String file,
            ElementType type,
            int elementBytes,
            boolean bigEndian,
            List<Long> shape,
            boolean fortran,
            int bytes) {
        if (shape.isEmpty()) {
            throw DataException.in(file, "holds a single number, not an array of rows");
        }
        long columns = 1;
        for (long size : shape.subList(1, shape.size())) {
            // The product of two sizes below 2^31 fits a long, and is checked before the next.
            columns = size < 0 || size > Integer.MAX_VALUE ? Long.MAX_VALUE : columns * size;
            if (columns > Integer.MAX_VALUE || columns * elementBytes > Integer.MAX_VALUE - 16) {
                throw DataException.in(file, "rows of shape " + shape + " are wider than this program can hold");
            }
        }
        if (shape.get(0) <= 0 || columns <= 0) {
            throw DataException.in(file, "has no rows: its shape is " + shape);
        }
        return new MatrixHeader(
                type, elementBytes, bigEndian, shape.get(0), (int) columns, List.copyOf(shape), fortran, bytes);
    }

    /** Returns the number of bytes per row. */
    int rowBytes() {
        return columns * elementBytes;
    }

    /** Returns the number of columns before column c in a file in Fortran order. */
    long place(int c) {
        long place = 0;
        // The last index of an item changes fastest in c and slowest in the file.
        int rest = c;
        long before = columns;
        for (int d = shape.size() - 1; d > 0; d--) {
            int size = (int) (long) shape.get(d);
            before /= size;
            place += rest % size * before;
            rest /= size;
        }
        return place;
    }
}
