package org.bochner.data.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bochner.base.DataException;
import org.bochner.base.Note;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.bytes.ByteFeed;
import org.bochner.data.cell.Cell;
import org.bochner.data.cell.Cells;
import org.bochner.data.cell.Decimal;
import org.bochner.data.cell.Dictionary;
import org.bochner.data.cell.NotationSurvey;
import org.bochner.data.cell.TokenTable;
import org.bochner.data.cell.WrittenNumber;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the first line of a CSV file names its columns, by comparing it with up to 500 rows below it. If a
 * row and a header are both likely, the file is refused or a note is made; docs/data-formats.md has the rules.
 */
public final class CsvHeader {
    private static final int ROWS = 500;
    /**
     * The number of columns that are compared. The last columns are among them, because the label is often the last.
     */
    private static final int COLUMNS = 1 << 12;

    private static final int LAST_COLUMNS = 16;
    /**
     * A first line of texts that occur nowhere below is a header if the probability that a row of data has only new
     * texts is lower than this.
     */
    private static final double RARE = 0.1;

    private static final Remedy YES = Remedy.set(Setting.HEADER, true, "if line 1 names the columns");
    private static final Remedy NO = Remedy.set(Setting.HEADER, false, "if line 1 is a row");

    private static final Note TAKEN =
            new Note(Note.Kind.DATA, "line 1 is taken for the names of the columns, though some are numbers", NO);
    private static final Note OPEN =
            new Note(Note.Kind.DATA, "line 1 is read as a row, because nothing tells it from the rows below", YES);

    private enum Use {
        TRAINING,
        LABELS,
        LATER
    }

    /**
     * The decision on the first line.
     *
     * @param cells the texts of the first line if it is a header
     * @param refusal the reason to refuse the file; null if it is accepted
     */
    record Verdict(
            int columns,
            boolean header,
            List<String> cells,
            List<Note> notes,
            @Nullable DataException refusal) {}

    private final Use use;
    private final Set<String> known;
    private final List<String> all;

    private CsvHeader(Use use, Set<String> known, List<String> all) {
        this.use = use;
        this.known = new HashSet<>(known);
        // A number may be a value of a row.
        this.known.removeIf(name -> !Double.isNaN(Decimal.of(name)));
        this.all = all;
    }

    /** Creates the rules for training data; a first line that holds a known name is a header. */
    static CsvHeader training(Set<String> known) {
        return new CsvHeader(Use.TRAINING, known, List.of());
    }

    /** Creates the rules for a file of labels. */
    static CsvHeader labels(Set<String> known) {
        return new CsvHeader(Use.LABELS, known, List.of());
    }

    /**
     * Creates the rules for data that are read by an encoding.
     *
     * @param known names, one of which suffices to make the first line a header
     * @param all names that make the first line a header if it has all of them; empty for none
     */
    static CsvHeader later(Set<String> known, List<String> all) {
        return new CsvHeader(Use.LATER, known, all);
    }

    /**
     * Returns true if blanks may separate the cells of the file. Files of labels are lines of text, in which blanks
     * separate words.
     */
    boolean mayBeBlankSeparated() {
        return use != Use.LABELS;
    }

    /** Decides by the head of a file; returns null if the head is too short. */
    @Nullable
    Verdict decide(CsvReader reader, @Nullable Boolean asked, boolean complete) {
        if (!reader.next()) {
            if (!complete) {
                return null;
            }
            throw DataException.in(reader.feed.name(), "the file is empty");
        }
        if (!complete && reader.feed.position >= reader.feed.limit) {
            return null;
        }
        FirstLine first = new FirstLine(reader);
        if (asked != null) {
            return first.verdict(asked);
        }
        if (isKnown(first)) {
            return first.verdict(true);
        }
        RowsBelow below = new RowsBelow(first);
        below.read(reader, complete);
        if (below.rows == 0 && !complete) {
            return null;
        }
        if (use == Use.LATER) {
            return first.verdict(first.numbers == 0 && below.secondHasNumber);
        }
        return decide(first, below);
    }

    private boolean isKnown(FirstLine first) {
        if (known.isEmpty() && all.isEmpty()) {
            return false;
        }
        Set<String> texts = new HashSet<>();
        for (int c = 0; c < first.columns; c++) {
            texts.add(Cells.text(first.feed.bytes, first.from[c], first.to[c]));
        }
        return (!all.isEmpty() && texts.containsAll(all)) || known.stream().anyMatch(texts::contains);
    }

    private Verdict decide(FirstLine first, RowsBelow below) {
        if (below.rows == 0) {
            boolean names = first.numbers == 0 && first.texts > 0 && use == Use.TRAINING;
            return names
                    ? first.refused("is the only line, and looks like the names of columns: no rows follow it")
                    : first.verdict(false);
        }
        below.summarise();
        boolean unusual = below.recurring < 0 && first.distinct && below.chance <= RARE;
        if (first.numbers == 0) {
            return ofTexts(first, below, unusual);
        }
        if (below.textOverNumbers >= 0) {
            return first.numbersAreNames && first.distinct && below.recurring < 0
                    ? first.verdict(true, TAKEN)
                    : first.refused("has the text '" + first.shown(below.textOverNumbers)
                            + "' in a column in which the rows below have numbers");
        }
        if (below.textOverText >= 0 && unusual) {
            String text = "'" + first.shown(below.textOverText) + "'";
            if (!first.numbersAreNames) {
                String note =
                        "line 1 is read as a row, though its text " + text + " occurs in none of the rows below it";
                return first.verdict(false, new Note(Note.Kind.DATA, note, YES));
            }
            return below.numbersOutside == first.numbers
                    ? first.verdict(true, TAKEN)
                    : first.refused("may name the columns: its text " + text
                            + " occurs in no row below, but its numbers could be values of the columns");
        }
        boolean counted = first.numbers == first.compared && first.run && !below.run && first.columns > 2;
        return counted ? first.verdict(true, TAKEN) : first.verdict(false);
    }

    /** Decides about a first line without numbers. */
    private static Verdict ofTexts(FirstLine first, RowsBelow below, boolean unusual) {
        if (below.textOverNumbers >= 0) {
            return below.recurring < 0
                    ? first.verdict(true)
                    : first.refused("has the text '" + first.shown(below.textOverNumbers)
                            + "' in a column in which the rows below have numbers, but also '"
                            + first.shown(below.recurring) + "', which occurs in its column again");
        }
        boolean open = below.recurring < 0 && first.distinct && below.textOverText >= 0 && !unusual;
        return open ? first.verdict(false, OPEN) : first.verdict(unusual && below.textOverText >= 0);
    }

    private enum Kind {
        MISSING,
        NUMBER,
        TEXT
    }

    private static Kind kind(byte[] bytes, int from, int to, Decimal decimal, WrittenNumber written) {
        if (decimal.isNumber(bytes, from, to) || Cells.infinite(bytes, from, to)) {
            return Kind.NUMBER;
        }
        if (Cells.missing(bytes, from, to)) {
            return Kind.MISSING;
        }
        boolean number = NotationSurvey.isNumber(bytes, from, to, written) || NotationSurvey.isDate(bytes, from, to);
        return number ? Kind.NUMBER : Kind.TEXT;
    }

    /** The cells of the first line. */
    private static final class FirstLine {
        final ByteFeed feed;
        final long line;
        final int columns;
        final int[] from;
        final int[] to;
        /** The number of columns that are compared. */
        final int compared;
        /** The kinds of the cells of these columns. */
        final Kind[] kinds;

        int numbers;
        int texts;
        /** True if all numbers are whole and without a sign, as years and indices are. */
        boolean numbersAreNames = true;
        /** True if each number is one more than the number before it. */
        boolean run = true;

        final boolean distinct;

        FirstLine(CsvReader reader) {
            feed = reader.feed;
            line = reader.line;
            columns = reader.count;
            from = Arrays.copyOf(reader.from, columns);
            to = Arrays.copyOf(reader.to, columns);
            compared = Math.min(columns, COLUMNS);
            kinds = new Kind[compared];
            Decimal decimal = new Decimal();
            WrittenNumber written = new WrittenNumber();
            for (int k = 0; k < compared; k++) {
                int c = cell(k);
                kinds[k] = kind(feed.bytes, from[c], to[c], decimal, written);
                numbers += kinds[k] == Kind.NUMBER ? 1 : 0;
                texts += kinds[k] == Kind.TEXT ? 1 : 0;
                if (kinds[k] == Kind.NUMBER) {
                    numbersAreNames &= isWhole(c);
                    run &= c == 0 || decimal.parse(feed.bytes, from[c]) == 1 + decimal.parse(feed.bytes, from[c - 1]);
                }
            }
            run &= numbersAreNames;
            distinct = areDistinct();
        }

        Verdict verdict(boolean header, Note... notes) {
            List<String> cells = new ArrayList<>();
            for (int c = 0; header && c < columns; c++) {
                cells.add(new Cell(feed, from[c], to[c], line, c + " (from 0)").text());
            }
            return new Verdict(columns, header, cells, List.of(notes), null);
        }

        Verdict refused(String why) {
            DataException refusal = DataException.at(feed.name(), line, why, YES, NO);
            return new Verdict(columns, false, List.of(), List.of(), refusal);
        }

        /** Returns the index of the cell of the k-th column that is compared. */
        int cell(int k) {
            return k < compared - LAST_COLUMNS ? k : columns - compared + k;
        }

        private boolean isWhole(int c) {
            for (int i = from[c]; i < to[c]; i++) {
                if (feed.bytes[i] < '0' || feed.bytes[i] > '9') {
                    return false;
                }
            }
            return true;
        }

        private boolean areDistinct() {
            TokenTable seen = new TokenTable();
            for (int k = 0; k < compared; k++) {
                int c = cell(k);
                if (to[c] > from[c]) {
                    if (seen.find(feed.bytes, from[c], to[c]) != TokenTable.ABSENT) {
                        return false;
                    }
                    seen.add(feed.bytes, from[c], to[c], k);
                }
            }
            return true;
        }

        /** Returns true if a text has a letter, as names have; marks of missing values need not have one. */
        boolean hasLetter(int c) {
            return shown(c).codePoints().anyMatch(Character::isLetter);
        }

        String shown(int c) {
            return Cells.shown(feed.bytes, from[c], to[c]);
        }
    }

    /** The values of one column below the first line. */
    private static final class Column {
        boolean number;
        boolean text;
        boolean recurs;
        float least = Float.POSITIVE_INFINITY;
        float most = Float.NEGATIVE_INFINITY;

        @Nullable
        Dictionary texts;
    }

    /** The values of the rows below the first line. */
    private static final class RowsBelow {
        private final FirstLine first;
        private final Column[] columns;
        int rows;
        boolean secondHasNumber;
        /** True if, in some row, each number is one more than the number before it. */
        boolean run;

        /** A column whose text of the first line occurs below again; -1 if there is none. */
        int recurring = -1;

        /** A column with a text in the first line and numbers below; -1 if there is none. */
        int textOverNumbers = -1;

        /** A column with a text in the first line and other texts below; -1 if there is none. */
        int textOverText = -1;

        /** The number of numbers of the first line that lie outside the range of their column. */
        int numbersOutside;
        /** The probability that all texts of a row occur once, if columns are independent. */
        double chance = 1;

        RowsBelow(FirstLine first) {
            this.first = first;
            columns = new Column[first.compared];
            Arrays.setAll(columns, k -> new Column());
        }

        /** Reads rows. Rows with another number of cells are skipped; the survey refuses them. */
        void read(CsvReader reader, boolean complete) {
            Decimal decimal = new Decimal();
            WrittenNumber written = new WrittenNumber();
            try {
                while (rows < ROWS) {
                    if (!reader.next() || (!complete && reader.feed.position >= reader.feed.limit)) {
                        return;
                    }
                    add(reader, decimal, written);
                    rows++;
                }
            } catch (DataException e) {
                // The head ends in a quoted cell, or the text is wrong: the survey fails and names the line.
                if (complete && rows == 0) {
                    throw e;
                }
            }
        }

        private void add(CsvReader reader, Decimal decimal, WrittenNumber written) {
            byte[] bytes = reader.feed.bytes;
            boolean ascending = reader.count == first.columns;
            float before = Float.NaN;
            for (int k = 0; k < first.compared && first.cell(k) < reader.count; k++) {
                int c = first.cell(k);
                int from = reader.from[c];
                int to = reader.to[c];
                Kind kind = kind(bytes, from, to, decimal, written);
                float value = (float) (kind == Kind.NUMBER ? decimal.parse(bytes, from) : Double.NaN);
                // If columns are skipped, the step is larger.
                ascending &= kind == Kind.NUMBER && (k == 0 || value == before + c - first.cell(k - 1));
                before = value;
                secondHasNumber |= rows == 0 && kind == Kind.NUMBER;
                Column column = columns[k];
                column.number |= kind == Kind.NUMBER;
                column.text |= kind == Kind.TEXT;
                column.least = value < column.least ? value : column.least;
                column.most = value > column.most ? value : column.most;
                column.recurs |= Arrays.equals(bytes, first.from[c], first.to[c], bytes, from, to);
                if (kind == Kind.TEXT && first.kinds[k] == Kind.TEXT) {
                    column.texts = column.texts == null ? new Dictionary() : column.texts;
                    column.texts.add(bytes, from, to);
                }
            }
            run |= ascending;
        }

        /** Computes the totals over all columns. */
        void summarise() {
            Decimal decimal = new Decimal();
            for (int k = 0; k < first.compared; k++) {
                int c = first.cell(k);
                Column column = columns[k];
                if (first.kinds[k] == Kind.TEXT) {
                    if (column.recurs) {
                        recurring = c;
                    } else if (column.number && !column.text && first.hasLetter(c)) {
                        textOverNumbers = c;
                    } else if (column.text) {
                        textOverText = c;
                        chance *= column.texts == null ? 1 : column.texts.shareOfSingles();
                    }
                } else if (first.kinds[k] == Kind.NUMBER) {
                    float value = (float) decimal.parse(first.feed.bytes, first.from[c]);
                    numbersOutside += value < column.least || value > column.most ? 1 : 0;
                }
            }
        }
    }
}
