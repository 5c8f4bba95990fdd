package org.bochner.data.format;

import java.util.Arrays;
import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.DataFormat;
import org.bochner.data.bytes.ByteFeed;
import org.bochner.data.cell.Cells;
import org.bochner.data.cell.Decimal;

/**
 * Reads LIBSVM / SVMlight text, {@code label index:value index:value ... # comment}, row by row. Blank lines and {@code
 * qid:} are skipped. Indices are those of the file. Values of 0 are dropped, but their indices are checked for order
 * and range.
 */
public final class LibsvmReader extends TextReader {
    /** The non-zeros of the current row. */
    int count;

    int[] indices = new int[64];
    float[] values = new float[64];
    /** The label of the current row in the feed's bytes; {@code labelFrom == labelTo} if it has none. */
    int labelFrom;

    int labelTo;
    /** The smallest and the largest index of the current row, including those of zeros; -1 if it has none. */
    int firstIndex;

    int lastIndex;

    private final Decimal decimal = new Decimal();

    LibsvmReader(ByteFeed feed) {
        super(feed);
    }

    @Override
    public boolean next() {
        while (feed.position < feed.limit || feed.more(line + 1)) {
            int end = lineEnd();
            int start = feed.position;
            line++;
            boolean row = parse(start, end);
            feed.position = Math.min(end + 1, feed.limit);
            if (row) {
                return true;
            }
        }
        return false;
    }

    private int lineEnd() {
        int i = feed.position;
        while (true) {
            byte[] bytes = feed.bytes;
            while (bytes[i] != '\n') {
                i++;
            }
            int seen = i - feed.position;
            if (i < feed.limit || !feed.more(line + 1)) {
                return feed.position + seen;
            }
            i = feed.position + seen;
        }
    }

    private static boolean blank(byte c) {
        return c == ' ' || c == '\t' || c == '\r';
    }

    /** Parses a line that is followed by a line end; returns false if it holds no row. */
    private boolean parse(int start, int end) {
        byte[] bytes = feed.bytes;
        int i = start;
        while (blank(bytes[i])) {
            i++;
        }
        if (i >= end || bytes[i] == '#') {
            return false;
        }
        i = label(bytes, i);
        count = 0;
        firstIndex = -1;
        int previous = -1;
        while (true) {
            while (blank(bytes[i])) {
                i++;
            }
            if (i >= end || bytes[i] == '#') {
                lastIndex = previous;
                return true;
            }
            int from = i;
            long index = 0;
            int digit;
            while ((digit = bytes[i] - '0') >= 0 && digit <= 9) {
                index = 10 * index + digit;
                i++;
            }
            // Ten digits hold every index; up to eighteen do not overflow a long.
            if (bytes[i] != ':' || i == from || i - from > 10 || index > Integer.MAX_VALUE) {
                i = queryOrFail(bytes, from);
                continue;
            }
            double parsed = decimal.parse(bytes, i + 1);
            float value = (float) parsed;
            i = decimal.end;
            if (!(Math.abs(value) <= Float.MAX_VALUE) || !(i >= end || blank(bytes[i]) || bytes[i] == '#')) {
                throw badValue(bytes, from, index, parsed);
            }
            if (index <= previous) {
                throw badOrder(index, previous);
            }
            previous = (int) index;
            if (firstIndex < 0) {
                firstIndex = previous;
            }
            if (value != 0) {
                if (count == indices.length) {
                    indices = Arrays.copyOf(indices, 2 * count);
                    values = Arrays.copyOf(values, 2 * count);
                }
                indices[count] = previous;
                values[count++] = value;
            }
        }
    }

    /** Skips the label, if the row has one. A first word that is an entry is not a label. */
    private int label(byte[] bytes, int from) {
        int i = from;
        while (bytes[i] >= '0' && bytes[i] <= '9') {
            i++;
        }
        labelFrom = from;
        labelTo = bytes[i] == ':' && i > from ? from : tokenEnd(bytes, i);
        return labelTo;
    }

    private static int tokenEnd(byte[] bytes, int from) {
        int i = from;
        while (bytes[i] != '\n' && !blank(bytes[i])) {
            i++;
        }
        return i;
    }

    private int queryOrFail(byte[] bytes, int from) {
        int end = tokenEnd(bytes, from);
        String token = Cells.shown(bytes, from, end);
        if (token.startsWith("qid:")) {
            return end;
        }
        int colon = token.indexOf(':');
        String index = colon < 0 ? token : token.substring(0, colon);
        if (colon > 0 && index.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw problem(index, "the index must be at most 2147483647 (2^31 - 1)");
        }
        if (colon > 1 && index.startsWith("-")) {
            throw problem(index, "an index must not be negative");
        }
        String problem = "expected index:value, got '" + token + "'";
        if (token.indexOf(',') >= 0 || token.indexOf(';') >= 0) {
            throw problem(problem, Remedy.set(Setting.FORMAT, DataFormat.CSV, "if this is a CSV file"));
        }
        boolean second = from > labelTo && Cells.text(bytes, labelTo, from).isBlank();
        boolean label = second && labelTo > labelFrom && token.indexOf(':') < 0;
        throw problem(problem + (label ? "; a label must be a single word" : ""));
    }

    private DataException badValue(byte[] bytes, int from, long index, double parsed) {
        int end = tokenEnd(bytes, from);
        int start = from;
        while (bytes[start] != ':') {
            start++;
        }
        start++;
        String shown = Cells.shown(bytes, start, end);
        String column = Long.toString(index);
        if (start == end) {
            return problem(column, "the value is missing after '" + index + ":'");
        }
        if (Cells.notANumber(bytes, start, end) || Cells.infinite(bytes, start, end)) {
            return problem(column, "the value must be finite, got '" + shown + "'");
        }
        if (Math.abs(parsed) > Float.MAX_VALUE) {
            return problem(column, "the value must be within ±3.4e38 (float32), got '" + shown + "'");
        }
        return problem(column, "the value must be a number, got '" + shown + "'");
    }

    private DataException badOrder(long index, int previous) {
        String after = "the index stands after " + previous + "; indices must ascend in each row";
        return problem(Long.toString(index), index == previous ? "the index occurs twice in this row" : after);
    }
}
