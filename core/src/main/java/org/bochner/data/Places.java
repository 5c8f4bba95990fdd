package org.bochner.data;

import org.bochner.base.DataException;
import org.bochner.base.row.RowException;

/** Says where in a file a value lies that was found wrong only after it was read. */
public final class Places {
    private Places() {}

    /**
     * Returns the failure with its file, line and column where the source can be read again to find them, else with its
     * row. Lines and rows are those of the file, whatever views lie between it and the source.
     *
     * @param scaling how the rows were scaled before, as it is spelled
     */
    public static DataException of(RowSource source, RowException problem, String scaling) {
        if (problem.row() < 0) {
            return problem.in(source.name(), scaling);
        }
        RowPlace place = source.place(problem.row());
        if (place.source() instanceof FileSource file && place.row() >= 0) {
            long line = file.line(place.row(), problem.column());
            if (line > 0) {
                return at(file, line, problem, scaling);
            }
        }
        return problem.inRow(place.row()).in(source.name(), scaling);
    }

    private static DataException at(FileSource file, long line, RowException problem, String scaling) {
        int column = problem.column();
        String note = scaling.equals("none") ? "" : " (values after --scale '" + scaling + "')";
        if (column < 0) {
            return DataException.at(file.fileOf(0), line, problem.reason() + note, problem);
        }
        boolean named = file.encoding().columnRanges().stream()
                .anyMatch(range -> range.from() <= column && column < range.to());
        return DataException.at(
                file.fileOf(column),
                line,
                named ? "'" + file.columnNames().get(column) + "' (" + column + ", from 0)" : column + " (from 0)",
                problem.reason() + note,
                problem);
    }
}
