package org.bochner.map.curve;

import java.util.Arrays;
import org.bochner.kernel.Kernel;
import org.jspecify.annotations.Nullable;

/**
 * One term of an additive function: a function of each of some columns.
 *
 * <p>Threads: safe; immutable.
 */
abstract class CurveTerm {
    /** The columns of a term among those of the rows: consecutive ones, or selected ones, ascending. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Place(int from, int count, int @Nullable [] selected) {
        static Place all(int columns) {
            return new Place(0, columns, null);
        }

        /** Returns the place of a range of these columns. */
        Place range(int start, int end) {
            return selected == null
                    ? new Place(from + start, end - start, null)
                    : new Place(0, end - start, Arrays.copyOfRange(selected, start, end));
        }

        /** Returns the place of some of these columns, ascending. */
        Place select(int[] of) {
            return new Place(0, of.length, Arrays.stream(of).map(this::column).toArray());
        }

        /** Returns the column of the rows. */
        int column(int own) {
            return selected == null ? from + own : selected[own];
        }

        /** Returns the column of the term, or a negative number if the term does not see it. */
        int own(int column) {
            if (selected != null) {
                return Arrays.binarySearch(selected, column);
            }
            return column >= from && column < from + count ? column - from : -1;
        }
    }

    final Place place;
    final int outputs;

    CurveTerm(Place place, int outputs) {
        this.place = place;
        this.outputs = outputs;
    }

    /** Returns the kernel of the term. */
    abstract Kernel kernel();

    /** Returns true if a column of the term has a function other than 0. */
    abstract boolean uses(int column);

    /** Adds the values of a column's function. */
    abstract void add(int column, double x, double[] out);

    /** Adds the straight pieces of a column's function; returns false, and adds nothing, if it has no such pieces. */
    boolean addPieces(int column, Breaks breaks) {
        return false;
    }

    /** Returns the lowest and the highest value of a column that the model was made for; null if it is not known. */
    double @Nullable [] range(int column) {
        return null;
    }

    /** Adds the slope of the linear part of a column's function. */
    void addSlopes(int column, double[] out) {}
}
