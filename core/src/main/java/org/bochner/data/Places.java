package org.bochner.data;

import org.bochner.base.DataException;
import org.bochner.base.RowException;

/** Says where in a file a value lies that was found wrong only after it was read. */
public final class Places {
    private Places() {}

    /**
     * The failure with its file, line and column where the source can be read again to find them, else with its row.
     *
     * @param scaling how the rows were scaled before, as it is spelled
     */
    public static DataException of(RowSource source, RowException problem, String scaling) {
        RowSource rows = source;
        // A census shows the rows of the source it counts, in their order.
        while (rows instanceof Census census) {
            rows = census.source;
        }
        long line =
                rows instanceof FileSource file && problem.row() >= 0 ? file.line(problem.row(), problem.column()) : 0;
        if (line == 0) {
            return problem.in(source.name(), scaling);
        }
        FileSource file = (FileSource) rows;
        String note = scaling.equals("none") ? "" : " (values after --scale '" + scaling + "')";
        String name = file.columnNames().get(problem.column());
        String index = Integer.toString(problem.column());
        boolean named = file.encoding().columnRanges().stream()
                .anyMatch(range -> range.from() <= problem.column() && problem.column() < range.to());
        return DataException.at(
                file.fileOf(problem.column()),
                line,
                named ? "'" + name + "' (" + index + ", from 0)" : index + " (from 0)",
                problem.reason() + note,
                problem);
    }
}
