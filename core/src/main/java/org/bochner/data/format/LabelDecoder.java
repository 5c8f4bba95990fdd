package org.bochner.data.format;

import java.util.HashMap;
import java.util.Map;
import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.DataOptions;
import org.bochner.data.Labels;
import org.bochner.data.bytes.ByteFeed;
import org.bochner.data.cell.Categories;
import org.bochner.data.cell.Cell;
import org.bochner.data.cell.Cells;
import org.bochner.data.cell.Dictionary;
import org.bochner.data.cell.Notation;
import org.bochner.data.cell.WrittenNumber;
import org.jspecify.annotations.Nullable;

/**
 * Converts label cells to targets for one cursor. A missing label is refused. A strict decoder, for surveyed data,
 * refuses classes that the survey did not find; other decoders return NaN for them.
 */
public final class LabelDecoder {
    private static final int MOST_NUMBERS = 4 * Dictionary.LARGEST;

    private final LabelEncoding encoding;
    /** The classes; null if labels are numbers. */
    private final @Nullable Categories classes;

    private final boolean strict;
    private final WrittenNumber written = new WrittenNumber();
    private final Map<Double, Integer> numbers = new HashMap<>();

    public LabelDecoder(LabelEncoding encoding, boolean strict) {
        this.encoding = encoding;
        this.classes = encoding.labels() instanceof Labels.Classes known ? new Categories(known.names()) : null;
        this.strict = strict;
    }

    /** Returns the decoder for a file whose decimal sign the user gives. */
    LabelDecoder in(DataOptions.Decimal sign) {
        return sign == DataOptions.Decimal.AUTO ? this : new LabelDecoder(encoding.in(sign), strict);
    }

    /** Returns the target of label j of a row, given as text; line and column are for messages. */
    double decode(ByteFeed feed, int from, int to, long line, int j, String column) {
        double value = classes == null
                ? encoding.notation(j).parse(feed.bytes, from, to, written)
                : listed(classes.find(feed.bytes, from, to));
        if (Math.abs(value) < Double.POSITIVE_INFINITY) {
            return value;
        }
        Cell cell = new Cell(feed, from, to, line, column);
        if (cell.missing()) {
            Remedy[] none = {Remedy.set(Setting.NO_LABEL, "if there are no labels")};
            throw cell.problem("the label is missing", strict ? new Remedy[0] : none);
        }
        if (classes == null) {
            Notation notation = encoding.notation(j);
            throw cell.problem("the label must be a finite number, got '" + cell.shown() + "'"
                    + (notation.plain() ? "" : "; the training data has " + notation.example()));
        }
        cell.requireText();
        if (strict && Double.isNaN(encoding.unlisted())) {
            throw cell.problem(
                    "the class '" + cell.shown() + "' was not there when the file was surveyed; did it change?");
        }
        return encoding.unlisted();
    }

    private static double listed(int category) {
        return category < 0 ? Double.NaN : category;
    }

    /** Returns the target of a label that is a number in a binary file. */
    double decode(double value, String file, long row) {
        if (!(Math.abs(value) < Double.POSITIVE_INFINITY)) {
            throw infinite(value, file, row);
        }
        if (classes == null) {
            return value;
        }
        if (numbers.size() > MOST_NUMBERS) {
            numbers.clear();
        }
        int category = numbers.computeIfAbsent(value, v -> classes.find(Cells.canonical(v)));
        return category < 0 ? encoding.unlisted() : category;
    }

    /** Returns the failure for a label of a binary file that is infinite or NaN. */
    static DataException infinite(double value, String file, long row) {
        return DataException.in(file, "row " + row + ": the label must be finite, got " + value);
    }
}
