package org.bochner.data.format;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.DataOptions;
import org.bochner.data.Labels;
import org.bochner.data.bytes.ByteFeed;
import org.bochner.data.cell.Cells;
import org.bochner.data.cell.Decimal;
import org.bochner.data.cell.Dictionary;
import org.bochner.data.cell.Notation;
import org.bochner.data.cell.TokenTable;
import org.bochner.data.cell.WrittenNumber;

/**
 * Converts label cells to targets for one cursor. A missing label is refused. A strict decoder, for surveyed data,
 * refuses classes that the survey did not find; other decoders return NaN for them.
 */
public final class LabelDecoder {
    private static final int MOST_SPELLINGS = 4 * Dictionary.LARGEST;

    private final LabelEncoding encoding;
    private final boolean classes;
    private final boolean strict;
    private final Decimal decimal = new Decimal();
    private final WrittenNumber written = new WrittenNumber();
    private final TokenTable spellings = new TokenTable();
    private final Map<Double, Double> numbers = new HashMap<>();
    private double[] targets = new double[16];

    public LabelDecoder(LabelEncoding encoding, boolean strict) {
        this.encoding = encoding;
        this.classes = encoding.labels() instanceof Labels.Classes;
        this.strict = strict;
    }

    /** Returns the decoder for a file whose decimal sign the user gives. */
    LabelDecoder in(DataOptions.Decimal sign) {
        return sign == DataOptions.Decimal.AUTO ? this : new LabelDecoder(encoding.in(sign), strict);
    }

    /** Returns the target of label j of a row, given as text; line and column are for messages. */
    double decode(ByteFeed feed, int from, int to, long line, int j, String column) {
        byte[] bytes = feed.bytes;
        String file = feed.name();
        if (classes) {
            int spelling = spellings.find(bytes, from, to);
            if (spelling >= 0) {
                return targets[spelling];
            }
        } else {
            double value = number(bytes, from, to, encoding.notation(j));
            if (Math.abs(value) < Double.POSITIVE_INFINITY) {
                return value;
            }
        }
        if (Cells.missing(bytes, from, to)) {
            Remedy[] none = {Remedy.set(Setting.LABEL, "none", "if there are no labels")};
            throw DataException.at(file, line, column, "the label is missing", strict ? new Remedy[0] : none);
        }
        if (!classes) {
            throw DataException.at(
                    file,
                    line,
                    column,
                    "the label must be a finite number, got '" + Cells.shown(bytes, from, to) + "'"
                            + (encoding.notation(j).plain()
                                    ? ""
                                    : "; the training data has "
                                            + encoding.notation(j).example()));
        }
        double target = encoding.target(Cells.canonical(Cells.text(feed, from, to, line, column)));
        if (strict && Double.isNaN(target)) {
            throw DataException.at(
                    file,
                    line,
                    column,
                    "the class '" + Cells.shown(bytes, from, to)
                            + "' was not there when the file was surveyed; did it change?");
        }
        if (spellings.size() < MOST_SPELLINGS) {
            remember(spellings.add(bytes, from, to), target);
        }
        return target;
    }

    private double number(byte[] bytes, int from, int to, Notation notation) {
        if (!notation.plain()) {
            return notation.parse(bytes, from, to, written);
        }
        double value = decimal.parse(bytes, from);
        return decimal.end == to && from < to ? value : Double.NaN;
    }

    private void remember(int spelling, double target) {
        if (spelling == targets.length) {
            targets = Arrays.copyOf(targets, 2 * spelling);
        }
        targets[spelling] = target;
    }

    /** Returns the target of a label that is a number in a binary file. */
    double decode(double value, String file, long row) {
        if (!(Math.abs(value) < Double.POSITIVE_INFINITY)) {
            throw infinite(value, file, row);
        }
        if (!classes) {
            return value;
        }
        if (numbers.size() > MOST_SPELLINGS) {
            numbers.clear();
        }
        return numbers.computeIfAbsent(value, v -> encoding.target(Cells.canonical(v)));
    }

    /** Returns the failure for a label of a binary file that is infinite or NaN. */
    static DataException infinite(double value, String file, long row) {
        return DataException.in(file, "row " + row + ": the label must be finite, got " + value);
    }
}
