package org.bochner.learn.solve;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.bochner.base.State;
import org.bochner.base.binary.Numbers;
import org.bochner.stats.FeatureSource;
import org.bochner.stats.FeatureTask;
import org.bochner.stats.FeatureTile;

/**
 * Copies the centred features of some rows.
 *
 * @param chosen the indices of the rows, ascending
 * @param mean the mean of the features of all rows
 * @param targets the number of targets per row
 * @param others the number of rows before those of the source
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SampledRowsTask(long[] chosen, double[] mean, int targets, long others)
        implements FeatureTask<Map<Integer, SampledRowsTask.Row>> {
    public static final String TYPE = "sampled-rows";

    /** The centred features of a row, with its weight and targets. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Row(float[] features, double weight, double[] targets) {}

    /** Reads a task from its saved form. */
    public static SampledRowsTask load(State state) {
        long[] chosen = state.wholes("chosen");
        return new SampledRowsTask(
                chosen, state.array("mean", state.count("features")), state.count("targets"), state.whole("others"));
    }

    @Override
    public State state() {
        return State.of(TYPE)
                .with("chosen", chosen)
                .with("features", mean.length)
                .with("mean", mean)
                .with("targets", targets)
                .with("others", others);
    }

    @Override
    public SampledRowsTask after(long more) {
        return new SampledRowsTask(chosen, mean, targets, others + more);
    }

    @Override
    public Map<Integer, Row> bench(FeatureSource features) {
        return new HashMap<>();
    }

    @Override
    public void add(FeatureTile tile, Map<Integer, Row> rows) {
        SampledRows.eachChosen(chosen, tile.firstRow() + others, tile.rows(), (row, k) -> {
            double[] values = new double[mean.length];
            tile.addRow(row, 1, values);
            float[] centred = new float[mean.length];
            for (int j = 0; j < centred.length; j++) {
                centred[j] = (float) (values[j] - mean[j]);
            }
            double[] own = new double[targets];
            Arrays.setAll(own, t -> tile.target(row, t));
            rows.put(k, new Row(centred, tile.rowWeight(row), own));
        });
    }

    @Override
    public void move(Map<Integer, Row> rows, Map<Integer, Row> into) {
        into.putAll(rows);
        rows.clear();
    }

    @Override
    public void write(Map<Integer, Row> rows, DataOutput to) throws IOException {
        to.writeInt(rows.size());
        for (Map.Entry<Integer, Row> entry : rows.entrySet()) {
            to.writeInt(entry.getKey());
            Numbers.write(entry.getValue().features, to);
            to.writeDouble(entry.getValue().weight);
            Numbers.write(entry.getValue().targets, to);
        }
    }

    @Override
    public Map<Integer, Row> read(DataInput from) throws IOException {
        Map<Integer, Row> rows = new HashMap<>();
        for (int count = from.readInt(); count > 0; count--) {
            rows.put(from.readInt(), new Row(Numbers.readFloats(from), from.readDouble(), Numbers.readDoubles(from)));
        }
        return rows;
    }
}
