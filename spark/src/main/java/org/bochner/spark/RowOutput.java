package org.bochner.spark;

import java.io.Serializable;
import org.bochner.data.RowBlock;
import org.bochner.model.KernelModel;

/** What a model adds to rows. */
interface RowOutput extends Serializable {
    /**
     * The new values of blocks.
     *
     * <p>Threads: not safe.
     */
    interface Writer {
        /** Computes the values of a block. */
        void take(RowBlock rows);

        /** Writes the new values of a row of the last block. */
        void write(int row, Object[] to, int at);
    }

    /** Returns the number of new columns. */
    int columns();

    /** Returns the number of features per row, which limits the rows of a block. */
    int features(KernelModel model);

    /** Returns a writer of the values of a model. */
    Writer writer(KernelModel model);
}
