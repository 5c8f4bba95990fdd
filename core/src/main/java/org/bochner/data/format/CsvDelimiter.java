package org.bochner.data.format;

import org.bochner.base.DataException;
import org.bochner.data.DataOptions;
import org.bochner.data.bytes.ByteFeed;
import org.bochner.data.bytes.Input;
import org.bochner.data.cell.WrittenNumber;

/**
 * Finds the delimiter of a CSV file: tab, semicolon, bar or comma, or blanks if the file has none of these. The
 * delimiter gives all of the first rows the same number of cells. If a comma and another character both do, the other
 * is the delimiter and commas are decimal commas.
 */
public final class CsvDelimiter {
    /** The candidates, the most preferred first. */
    private static final char[] CANDIDATES = {'\t', ';', '|', ','};

    private static final int ROWS = 100;
    private static final int COMMA = CANDIDATES.length - 1;

    /** The result of splitting the first rows by one delimiter. */
    private record Trial(boolean even, boolean decimalCommas) {}

    private CsvDelimiter() {}

    /**
     * Returns the delimiter, found in the head of a file.
     *
     * @param decimal the decimal sign; if it is a comma, commas do not separate cells
     * @param mayBeBlank true if blanks may separate cells
     */
    static char find(String file, Input.Head head, DataOptions.Decimal decimal, boolean mayBeBlank) {
        int[] counts = new int[CANDIDATES.length];
        boolean blanks = count(file, head, counts) && mayBeBlank;
        if (decimal == DataOptions.Decimal.COMMA) {
            counts[COMMA] = 0;
        }
        boolean others = counts[0] + counts[1] + counts[2] > 0;
        if (counts[COMMA] == 0 && !others) {
            return blanks && trial(file, head, ' ').even() ? ' ' : ',';
        }
        boolean commasEven = counts[COMMA] > 0
                && ((!others && !blanks) || trial(file, head, ',').even());
        for (int d = 0; d < COMMA; d++) {
            if (counts[d] > 0 && chosen(counts, d, commasEven, trial(file, head, CANDIDATES[d]))) {
                return CANDIDATES[d];
            }
        }
        if (blanks && !others && chosen(counts, COMMA, commasEven, trial(file, head, ' '))) {
            return ' ';
        }
        return commasEven ? ',' : CANDIDATES[mostFrequent(counts)];
    }

    private static boolean chosen(int[] counts, int candidate, boolean commasEven, Trial trial) {
        boolean onlyCandidate = candidate < COMMA && counts[COMMA] == 0;
        return trial.even() && (trial.decimalCommas() || onlyCandidate || (candidate < COMMA && !commasEven));
    }

    private static int mostFrequent(int[] counts) {
        int best = 0;
        for (int d = 1; d < counts.length; d++) {
            best = counts[d] > counts[best] ? d : best;
        }
        return best;
    }

    /**
     * Counts the candidates outside quotes in the first line that is not blank; returns true if the line has blanks.
     */
    private static boolean count(String file, Input.Head head, int[] counts) {
        try (ByteFeed feed = new ByteFeed(file, head.bytes())) {
            feed.startText();
            boolean quoted = false;
            boolean text = false;
            boolean blanks = false;
            for (int i = feed.position; i < feed.limit; i++) {
                byte c = feed.bytes[i];
                if (c == '"') {
                    quoted = !quoted;
                } else if (c == '\n' && !quoted && text) {
                    break;
                } else if (!quoted) {
                    switch (c) {
                        case '\t' -> counts[0]++;
                        case ';' -> counts[1]++;
                        case '|' -> counts[2]++;
                        case ',' -> counts[COMMA]++;
                        case ' ' -> blanks |= text;
                        default -> {}
                    }
                }
                text |= c != ' ' && c != '\r' && c != '\n';
            }
            return blanks;
        }
    }

    private static Trial trial(String file, Input.Head head, char separator) {
        WrittenNumber written = new WrittenNumber();
        boolean commas = false;
        boolean numbers = true;
        int columns = 0;
        try (CsvReader reader = new CsvReader(new ByteFeed(file, head.bytes()), separator)) {
            for (int row = 0; row < ROWS && reader.next(); row++) {
                // The last record of a head may be cut off.
                if (row > 0 && !head.complete() && reader.feed.position >= reader.feed.limit) {
                    break;
                }
                if (row > 0 && reader.count != columns) {
                    return new Trial(false, false);
                }
                columns = reader.count;
                for (int c = 0; c < columns; c++) {
                    if (hasComma(reader, c)) {
                        commas = true;
                        numbers &= !Double.isNaN(written.parse(reader.feed.bytes, reader.from[c], reader.to[c], true));
                    }
                }
            }
        } catch (DataException e) {
            // The head ends in a quoted cell, or text follows a quote, which another delimiter may explain.
            return new Trial(false, false);
        }
        return new Trial(columns > 1, commas && numbers);
    }

    private static boolean hasComma(CsvReader reader, int cell) {
        for (int i = reader.from[cell]; i < reader.to[cell]; i++) {
            if (reader.feed.bytes[i] == ',') {
                return true;
            }
        }
        return false;
    }
}
