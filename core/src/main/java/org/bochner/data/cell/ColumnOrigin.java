package org.bochner.data.cell;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.bochner.base.Notes;
import org.bochner.base.Spelling;

/**
 * Decides whether a column is so far from 0, compared with its spread, that float32 would lose its differences. For
 * example, Unix timestamps of one year are 1.7e9 ± 1e7, and float32 has steps of 128 there. For these columns, readers
 * subtract an origin near the mean in float64.
 */
public final class ColumnOrigin {
    /**
     * The ratio of |mean| to standard deviation from which a column has an origin. Rounding to float32 errs by up to
     * 2⁻²⁴ of a number: 6e-5 standard deviations at this ratio.
     */
    static final double FAR = 1000;

    private double mean;
    /** The sum of squared deviations from the mean, updated by Welford's formula. */
    private double scatter;

    private double largest;
    private long count;

    public void add(double value) {
        count++;
        double before = value - mean;
        mean += before / count;
        scatter += before * (value - mean);
        largest = Math.max(largest, Math.abs(value));
    }

    /** Adds the values of another part of the column. */
    public void merge(ColumnOrigin other) {
        if (other.count == 0) {
            return;
        }
        double total = (double) count + other.count;
        double apart = other.mean - mean;
        mean += apart * (other.count / total);
        scatter += other.scatter + apart * apart * (count * (other.count / total));
        largest = Math.max(largest, other.largest);
        count += other.count;
    }

    public void write(DataOutput to) throws IOException {
        to.writeDouble(mean);
        to.writeDouble(scatter);
        to.writeDouble(largest);
        to.writeLong(count);
    }

    public static ColumnOrigin read(DataInput from) throws IOException {
        ColumnOrigin column = new ColumnOrigin();
        column.mean = from.readDouble();
        column.scatter = from.readDouble();
        column.largest = from.readDouble();
        column.count = from.readLong();
        return column;
    }

    /** Returns true if there are at least two values, which are all equal. */
    public boolean constant() {
        return count > 1 && scatter == 0;
    }

    /** Adds a note if all numbers of the column are so small that they become 0 or lose digits in float32. */
    public void note(String column, Notes notes) {
        if (largest > 0 && largest < Float.MIN_NORMAL) {
            notes.data("column " + column + " holds numbers of at most " + Spelling.print(largest)
                    + " in magnitude, below the range of float32: they become 0 or lose digits; multiply the column by"
                    + " a constant first");
        }
    }

    /**
     * Returns the origin: the mean rounded to float32, whose few bits make differences of whole numbers from it exact;
     * 0 for a column that needs no origin.
     */
    public double value() {
        double deviation = Math.sqrt(scatter / count);
        // A constant or empty column has no differences to lose.
        return deviation > 0 && Math.abs(mean) > FAR * deviation ? (float) mean : 0;
    }
}
