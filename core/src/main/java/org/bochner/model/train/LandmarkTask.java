package org.bochner.model.train;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.bochner.base.State;
import org.bochner.base.binary.Numbers;
import org.bochner.data.RowSource;
import org.bochner.data.RowTask;
import org.bochner.data.sample.Folds;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scalings;
import org.bochner.scale.fit.ScaledRows;
import org.bochner.stats.FeaturePass;
import org.bochner.stats.RowSorter;
import org.jspecify.annotations.Nullable;

/**
 * Finds the landmarks among rows, and the parts of the rows that equal them.
 *
 * @param hashes the hash of the values of each landmark
 * @param folds the folds that are the parts of the rows; null if all rows are of one part
 * @param most the last fold that is a part of its own, and takes all further folds; without folds, the part of all rows
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LandmarkTask(Scaler scaler, long[] hashes, @Nullable Folds folds, int most) implements RowTask<int[], int[]> {
    static final String TYPE = "landmarks";

    /** The part of a landmark that equals no row. */
    static final int NO_PART = -1;

    /** The part of a landmark that equals rows of several parts. */
    static final int SEVERAL_PARTS = -2;

    /** Reads a task from its saved form. */
    static LandmarkTask load(State state) {
        long[] hashes = state.wholes("hashes");
        return new LandmarkTask(
                Scalings.load(state.part("scaler")),
                hashes,
                state.has("folds.type") ? Folds.load(state.part("folds")) : null,
                state.count("most"));
    }

    @Override
    public State state() {
        State state = State.of(TYPE)
                .with("scaler", scaler.state())
                .with("hashes", hashes)
                .with("most", most);
        return folds == null ? state : state.with("folds", folds.state());
    }

    @Override
    public int pieces() {
        return 1;
    }

    @Override
    public IntFunction<int[]> run(RowSource part, Workers workers) {
        Map<Long, Integer> landmarks = new HashMap<>();
        for (int j = 0; j < hashes.length; j++) {
            landmarks.put(hashes[j], j);
        }
        int[] parts = new int[hashes.length];
        Arrays.fill(parts, NO_PART);
        RowSorter.PartOf partOf = (rows, row) -> folds == null ? most : Math.min(most, folds.fold(rows, row));
        ScaledRows.read(part, scaler, FeaturePass.TILE_ROWS, (rows, progress) -> {
            for (int i = 0; i < rows.rows(); i++) {
                Integer landmark = landmarks.get(HeldOutLandmarks.hash(rows, i));
                if (landmark != null) {
                    parts[landmark] = merged(parts[landmark], partOf.part(rows, i));
                }
            }
        });
        return piece -> parts;
    }

    /** Returns the part of a landmark that equals rows of two parts. */
    static int merged(int first, int second) {
        if (first == NO_PART) {
            return second;
        }
        if (second == NO_PART) {
            return first;
        }
        return first == second ? first : SEVERAL_PARTS;
    }

    @Override
    public int[] merge(int[] first, int[] next) {
        for (int j = 0; j < first.length; j++) {
            first[j] = merged(first[j], next[j]);
        }
        return first;
    }

    @Override
    public int[] result(List<int[]> pieces) {
        return pieces.get(0);
    }

    @Override
    public void write(int[] piece, DataOutput to) throws IOException {
        Numbers.write(piece, to);
    }

    @Override
    public int[] read(DataInput from) throws IOException {
        return Numbers.readInts(from);
    }
}
