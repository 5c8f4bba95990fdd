package org.bochner.data;

import java.util.List;
import org.bochner.base.DataException;

/** Looks at all cells of one column of a table: numbers or categories, and what a missing one would become. */
final class ColumnSurvey {
    private enum Kind {
        UNKNOWN,
        NUMBERS,
        CATEGORIES
    }

    private final String file;
    private final String shownName;
    private final String name;
    private final boolean fill;
    private final boolean declared;
    private final Decimal decimal = new Decimal();
    private Kind kind;
    private Dictionary levels = new Dictionary();
    private final ColumnOrigin origin = new ColumnOrigin();
    private double sum;
    private long count;
    private long firstLine;

    /**
     * Starts on a column.
     *
     * @param fill whether cells may be missing
     * @param declared whether it holds categories whatever its cells look like
     */
    ColumnSurvey(String file, String name, String shownName, boolean fill, boolean declared) {
        this.file = file;
        this.name = name;
        this.shownName = shownName;
        this.fill = fill;
        this.declared = declared;
        this.kind = declared ? Kind.CATEGORIES : Kind.UNKNOWN;
    }

    void add(byte[] bytes, int from, int to, long line) {
        if (kind != Kind.CATEGORIES) {
            double value = decimal.parse(bytes, from);
            if (decimal.end == to && from < to) {
                if (!(Math.abs((float) value) <= Float.MAX_VALUE)) {
                    throw outOfRange(file, line, shownName, Cells.shown(bytes, from, to));
                }
                sum += value;
                origin.add(value);
                count++;
                if (kind == Kind.UNKNOWN) {
                    kind = Kind.NUMBERS;
                    firstLine = line;
                }
                return;
            }
        }
        if (Cells.missing(bytes, from, to)) {
            if (!fill) {
                throw missing(file, line, shownName, Cells.shown(bytes, from, to));
            }
            return;
        }
        addText(bytes, from, to, line);
    }

    private void addText(byte[] bytes, int from, int to, long line) {
        if (kind == Kind.UNKNOWN && !Cells.infinite(bytes, from, to)) {
            kind = Kind.CATEGORIES;
            firstLine = line;
        }
        if (kind != Kind.CATEGORIES || (!declared && decimal.isNumber(bytes, from, to))) {
            throw notOfItsKind(bytes, from, to, line);
        }
        levels.add(bytes, from, to);
        count++;
        if (levels.size() > Dictionary.LARGEST) {
            throw DataException.at(
                    file,
                    line,
                    shownName,
                    "more than " + Dictionary.LARGEST + " different texts; is it an identifier?");
        }
    }

    private DataException notOfItsKind(byte[] bytes, int from, int to, long line) {
        String shown = "'" + Cells.shown(bytes, from, to) + "'";
        if (kind != Kind.CATEGORIES && Cells.infinite(bytes, from, to)) {
            return DataException.at(file, line, shownName, "the value must be finite, got " + shown);
        }
        String remedy = "; --categorical " + name + " makes categories of them all";
        if (kind == Kind.NUMBERS) {
            return DataException.at(file, line, shownName, shown + " is no number, but cells before it are" + remedy);
        }
        String header = firstLine == 1 ? ", --header yes if line 1 names the columns" : "";
        return DataException.at(
                file,
                line,
                shownName,
                shown + " is a number, but line " + firstLine + " has text there" + remedy + header);
    }

    ColumnEncoding finish() {
        if (count == 0) {
            throw DataException.in(file, "column " + shownName + " has no value in any row");
        }
        if (kind == Kind.NUMBERS) {
            return new ColumnEncoding(name, List.of(), sum / count, origin.value());
        }
        List<String> sorted = levels.sorted();
        int mode = 0;
        for (int i = 1; i < sorted.size(); i++) {
            mode = levels.count(sorted.get(i)) > levels.count(sorted.get(mode)) ? i : mode;
        }
        return new ColumnEncoding(name, sorted, mode);
    }

    static DataException missing(String file, long line, String column, String shown) {
        return DataException.at(
                file,
                line,
                column,
                "the value is missing" + (shown.isEmpty() ? "" : " ('" + shown + "')")
                        + "; --missing mean fills in the column's mean, or its most frequent category");
    }

    static DataException outOfRange(String file, long line, String column, String shown) {
        return DataException.at(file, line, column, "the value must be within ±3.4e38 (float32), got '" + shown + "'");
    }
}
