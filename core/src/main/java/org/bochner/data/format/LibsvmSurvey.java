package org.bochner.data.format;

import java.security.MessageDigest;
import java.util.List;
import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.DataIdentity;
import org.bochner.data.bytes.Input;
import org.bochner.data.cell.Cell;

/** One pass over a LIBSVM file, which finds its rows, its columns, its first index and its labels. */
public final class LibsvmSurvey {
    private LibsvmSurvey() {}

    /**
     * Reads the file.
     *
     * @param labels receives the labels if {@code labelled} is true; otherwise rows may have no labels
     */
    static Survey run(DataTable table, boolean labelled, LabelSurvey labels) {
        Input input = table.input();
        DataSettings options = table.options();
        MessageDigest digest = Survey.sha256();
        try (LibsvmReader reader = new LibsvmReader(input.open(digest))) {
            if (labelled) {
                labels.begin(input.name(), List.of("label"));
            }
            long rows = 0;
            int smallest = Integer.MAX_VALUE;
            int largest = -1;
            long largestLine = 0;
            while (reader.next()) {
                rows++;
                if (labelled) {
                    label(reader, labels);
                }
                if (reader.firstIndex >= 0) {
                    smallest = Math.min(smallest, reader.firstIndex);
                    if (reader.lastIndex > largest) {
                        largest = reader.lastIndex;
                        largestLine = reader.line;
                    }
                }
                if (options.indexBase == 1 && reader.firstIndex == 0) {
                    throw LibsvmPart.indexZero(reader);
                }
            }
            if (rows == 0) {
                throw input.problem("has no rows");
            }
            int base = options.indexBase >= 0 ? options.indexBase : smallest == 0 ? 0 : 1;
            int columns = columns(input.name(), options.columns, base, largest, largestLine);
            DataIdentity.File identity = Survey.identity(input, reader.feed, rows, digest);
            return new Survey(PartEncoding.libsvm(table.channel(), base, columns), rows, identity, null, List.of());
        }
    }

    private static void label(LibsvmReader reader, LabelSurvey labels) {
        if (reader.labelFrom == reader.labelTo) {
            throw reader.problem(
                    "the label is missing; rows start with it", Remedy.set(Setting.NO_LABEL, "if there are no labels"));
        }
        labels.addWord(new Cell(reader.feed, reader.labelFrom, reader.labelTo, reader.line, "label"));
    }

    private static int columns(String file, int asked, int base, int largest, long line) {
        long needed = largest - (long) base + 1;
        if (asked > 0 && needed > asked) {
            String beyond = "index " + largest + " is beyond the " + asked + " columns that were asked for";
            throw DataException.at(file, line, Integer.toString(largest), beyond);
        }
        if (needed > Integer.MAX_VALUE) {
            String tooLarge = "the index must be at most 2147483646 where they count from 0";
            throw DataException.at(file, line, Integer.toString(largest), tooLarge);
        }
        if (asked == 0 && needed <= 0) {
            throw DataException.in(
                    file, "no row has a value", Remedy.set(Setting.COLUMNS, "gives the number of columns"));
        }
        return asked > 0 ? asked : (int) needed;
    }
}
