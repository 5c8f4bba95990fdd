package org.bochner.scale.fit;

import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.base.row.RowException;
import org.bochner.data.RowSource;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;

/** Adds the place in the file to failures of rows that were found after the rows were scaled. */
public final class ScaledRows {
    private ScaledRows() {}

    /**
     * Returns the failure with the place of its row in the file.
     *
     * @param scaling the scaling that was applied to the rows
     */
    public static DataException located(RowSource source, RowException problem, Scaling scaling) {
        boolean scaled = !scaling.equals(Scalings.none());
        return DataException.in(
                source.place(problem.row(), problem.column()),
                problem.reason() + (scaled ? " (values after the scaling '" + scaling + "')" : ""),
                problem,
                problem.remedies().toArray(Remedy[]::new));
    }
}
