package org.bochner.learn.solve;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.bochner.base.State;
import org.bochner.base.binary.Numbers;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.LossForm;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.linear.RowLoss;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.FeatureSource;
import org.bochner.stats.FeatureTask;
import org.bochner.stats.FeatureTile;

/** The first and the second derivatives of a loss by the intercepts, for zero weights. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record InterceptTask(Loss loss, double[] intercepts) implements FeatureTask<InterceptTask.Derivatives> {
    public static final String TYPE = "intercepts";

    /** The sums of derivatives per output. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Derivatives(OutputCoding outputs, Loss.PerScore perScore, double[] first, double[] second) {}

    /** Reads a task from its saved form. */
    public static InterceptTask load(State state) {
        return new InterceptTask(LossForm.load(state.part("loss")), state.array("intercepts", state.count("outputs")));
    }

    @Override
    public State state() {
        return State.of(TYPE)
                .with("loss", LossForm.of(loss))
                .with("outputs", intercepts.length)
                .with("intercepts", intercepts);
    }

    @Override
    public Derivatives bench(FeatureSource features) {
        return new Derivatives(
                OutputCoding.of(features.labels()),
                new RowLoss(loss, features.labels()).perScore(),
                new double[intercepts.length],
                new double[intercepts.length]);
    }

    @Override
    public void add(FeatureTile tile, Derivatives sums) {
        for (int i = 0; i < tile.rows(); i++) {
            for (int o = 0; o < intercepts.length; o++) {
                double target = sums.outputs.target(tile, i, o);
                sums.first[o] += tile.rowWeight(i) * sums.perScore.slope(intercepts[o], target);
                sums.second[o] += tile.rowWeight(i) * sums.perScore.curvature(intercepts[o], target);
            }
        }
    }

    @Override
    public void move(Derivatives sums, Derivatives into) {
        Vectors.move(sums.first, into.first);
        Vectors.move(sums.second, into.second);
    }

    @Override
    public void write(Derivatives sums, DataOutput to) throws IOException {
        Numbers.write(sums.first, to);
        Numbers.write(sums.second, to);
    }

    @Override
    public Derivatives read(DataInput from) throws IOException {
        return new Derivatives(
                new OutputCoding(false, 0, 0),
                new Loss.HalfSquare(),
                Numbers.readDoubles(from),
                Numbers.readDoubles(from));
    }
}
