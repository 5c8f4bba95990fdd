package org.bochner.model.train;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.data.sample.Folds;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.WhitenedMap;
import org.bochner.map.landmark.LandmarkForm;
import org.bochner.map.landmark.LandmarkMap;
import org.bochner.model.Transformer;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.scale.Scaler;
import org.jspecify.annotations.Nullable;

/**
 * The landmarks that must be left out together with held-out rows: those that equal held-out rows and no training row.
 *
 * <p>A function has a feature of its own at each landmark. If a landmark is a held-out row, no training row determines this
 * feature, and the function uses it to fit training rows nearby. The errors of held-out rows are then larger than those of
 * new rows, most of all with rough kernels and small penalties. Penalties chosen by these errors are too large, and
 * calibrations to these rows are wrong.
 *
 * <p>Landmarks that equal no row, such as centres of clusters, are never left out.
 *
 * <p>Cost: a pass over the rows, without features; two passes to tell training rows from others. Memory: about 50 bytes per landmark.
 */
final class HeldOutLandmarks {
    /** The parts of rows that are split into training rows and others. */
    private static final int TRAINING = 0;

    private static final int OTHERS = 1;

    private final FeatureMap map;
    private final LandmarkMap landmarkMap;
    /** The hash of the values of each landmark. */
    private final long[] hashes;
    /** The part of the rows that equal a landmark. */
    private final int[] parts;

    private HeldOutLandmarks(FeatureMap map, LandmarkMap landmarkMap) {
        this.map = map;
        this.landmarkMap = landmarkMap;
        RowBlock rows = landmarkMap.landmarks();
        parts = new int[rows.rows()];
        Arrays.fill(parts, LandmarkTask.NO_PART);
        hashes = new long[parts.length];
        Arrays.setAll(hashes, j -> hash(rows, j));
    }

    /** Returns the landmarks of a map, none of which is left out yet; null if the map has no landmarks. */
    static @Nullable HeldOutLandmarks of(FeatureMap map) {
        FeatureMap inner = map instanceof WhitenedMap whitened ? whitened.map() : map;
        return inner instanceof LandmarkMap landmarkMap ? new HeldOutLandmarks(map, landmarkMap) : null;
    }

    /**
     * Returns a scaling and a map without the landmarks that are rows of a source but not training rows; the given one if
     * there are none, or no others.
     */
    static Transformer without(Transformer from, RowSource source, RowSource training) {
        HeldOutLandmarks landmarks = of(from.map());
        if (landmarks == null) {
            return from;
        }
        FeatureMap map = landmarks
                .add(source, from.scaler(), null, OTHERS)
                .add(training, from.scaler(), null, TRAINING)
                .without(OTHERS);
        return map == from.map() ? from : new Transformer(from.scaler(), map);
    }

    /**
     * Finds the landmarks among the rows of a source, which may lie in parts, and adds the parts of the rows; returns these
     * landmarks.
     *
     * @param folds the folds that are the parts; null if all rows are of one part
     * @param most the last fold that is a part of its own, and takes all further folds; without folds, the part of all rows
     */
    HeldOutLandmarks add(RowSource source, Scaler scaler, @Nullable Folds folds, int most) {
        int[] found = new LandmarkTask(scaler, hashes, folds, most).over(source.localRows(), new Workers(1));
        for (int j = 0; j < parts.length; j++) {
            parts[j] = LandmarkTask.merged(parts[j], found[j]);
        }
        return this;
    }

    /** Returns a hash of the values of a row, equal for dense and sparse rows. Equal hashes of different rows are unlikely. */
    static long hash(RowBlock rows, int row) {
        Seed hash = new Seed(0);
        if (rows instanceof SparseRows sparse) {
            for (int e = sparse.starts()[row]; e < sparse.starts()[row + 1]; e++) {
                hash = with(hash, sparse.indices()[e], sparse.values()[e]);
            }
        } else {
            DenseRows dense = (DenseRows) rows;
            for (int l = 0; l < dense.columns(); l++) {
                hash = with(hash, l, dense.values()[dense.offset() + row * dense.stride() + l]);
            }
        }
        return hash.value();
    }

    private static Seed with(Seed hash, int column, float value) {
        return value == 0 ? hash : hash.derive((long) column << 32 | (Float.floatToIntBits(value) & 0xffffffffL));
    }

    /**
     * Returns a basis of the constraints on the weights of a function that does not use the landmarks of a part: its weights are
     * orthogonal to one vector per landmark. The vectors are the columns of a row-major matrix. The weights are those of whitened
     * features, or those of the kernel values if the map has these and the plain penalty.
     */
    double[] vectors(int part) {
        int[] left =
                IntStream.range(0, parts.length).filter(j -> parts[j] == part).toArray();
        int features = parts.length;
        double[] rows = new double[Math.multiplyExact(left.length, features)];
        for (int i = 0; i < left.length; i++) {
            rows[i * features + left[i]] = 1;
        }
        if (landmarkMap.form() != LandmarkForm.RAW) {
            landmarkMap.withForm(LandmarkForm.KERNEL).whiten(rows, 0, left.length);
        }
        double[] columns = new double[rows.length];
        for (int i = 0; i < left.length; i++) {
            for (int j = 0; j < features; j++) {
                columns[j * left.length + i] = rows[i * features + j];
            }
        }
        return columns;
    }

    /** Returns the map without the landmarks of a part; the map itself if there are none, or no others. */
    FeatureMap without(int part) {
        int[] kept =
                IntStream.range(0, parts.length).filter(j -> parts[j] != part).toArray();
        if (kept.length == 0 || kept.length == parts.length) {
            return map;
        }
        LandmarkMap others = landmarkMap.withLandmarks(kept);
        return map instanceof WhitenedMap ? new WhitenedMap(others) : others;
    }
}
