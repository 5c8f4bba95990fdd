package org.bochner.stats;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.bochner.base.State;

/**
 * A sum over the tiles of a {@link FeatureSource}, in this process or in those where the rows lie.
 *
 * <p>Threads: safe; immutable. Each worker has sums of its own.
 *
 * @param <B> the sums
 */
public interface FeatureTask<B> {
    /** Returns the saved form of this task, from which another process makes an equal one. */
    State state();

    /** Returns the same task for rows that follow others in a joined source. */
    default FeatureTask<B> after(long others) {
        return this;
    }

    /** Returns empty sums. */
    B bench(FeatureSource features);

    /** Adds a tile to sums; runs in parallel for different sums. */
    void add(FeatureTile tile, B sums);

    /** Adds sums to others and clears them. */
    void move(B sums, B into);

    /** Writes sums, which {@link #read} of an equal task reads. */
    void write(B sums, DataOutput to) throws IOException;

    /** Reads sums, which can be moved; no tiles are added to them. */
    B read(DataInput from) throws IOException;
}
