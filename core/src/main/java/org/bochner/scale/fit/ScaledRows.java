package org.bochner.scale.fit;

import java.util.function.UnaryOperator;
import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.base.row.RowException;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;

/** Reads scaled rows, and adds the place in the file to failures of rows that were found after the rows were scaled. */
public final class ScaledRows {
    private ScaledRows() {}

    /** Receives blocks of scaled rows. A block is valid until the call returns. */
    public interface Receiver {
        /**
         * Receives a block.
         *
         * @param progress the share of the source that was read; NaN if it is not known
         */
        void accept(RowBlock scaled, double progress);
    }

    /**
     * Passes all rows of a source to a receiver, in blocks of scaled rows.
     *
     * @throws DataException with the place of the row, if the scaler or the receiver refuses one
     */
    public static void read(RowSource source, Scaler scaler, int blockRows, Receiver receiver) {
        UnaryOperator<RowBlock> scaling = scaler.forBlocks();
        RowBlockBuilder block = new RowBlockBuilder();
        try (RowCursor cursor = source.open()) {
            while (cursor.next(block, blockRows)) {
                receiver.accept(scaling.apply(block.build()), cursor.progress());
            }
        } catch (RowException e) {
            throw located(source, e, scaler.scaling());
        }
    }

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
