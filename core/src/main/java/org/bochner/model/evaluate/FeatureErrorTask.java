package org.bochner.model.evaluate;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.bochner.base.State;
import org.bochner.data.Labels;
import org.bochner.learn.linear.LinearModel;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.FeatureSource;
import org.bochner.stats.FeatureTask;
import org.bochner.stats.FeatureTile;
import org.bochner.stats.WeightMatrix;

/** The weight of the rows that linear functions give a wrong class, or the weighted sum of squared errors. */
public record FeatureErrorTask(LinearModel model) implements FeatureTask<FeatureErrorTask.Errors> {
    public static final String TYPE = "feature-error";

    /** The error of some rows, in an array of length 1. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Errors(boolean classes, WeightMatrix weights, double[] sum) {}

    /** Reads a task from its saved form. */
    public static FeatureErrorTask load(State state) {
        int features = state.count("features");
        int outputs = state.count("outputs");
        double[] weights = state.array("weights", Math.multiplyExact(features, outputs));
        return new FeatureErrorTask(new LinearModel(features, outputs, weights, state.array("intercepts", outputs)));
    }

    @Override
    public State state() {
        return State.of(TYPE)
                .with("features", model.features())
                .with("outputs", model.outputs())
                .with("weights", model.weights())
                .with("intercepts", model.intercepts());
    }

    @Override
    public Errors bench(FeatureSource features) {
        return new Errors(
                features.labels() instanceof Labels.Classes,
                WeightMatrix.of(model.features(), model.outputs(), model.weights()),
                new double[1]);
    }

    @Override
    public void add(FeatureTile tile, Errors errors) {
        errors.sum[0] += FeatureError.sum(tile, errors.weights, model, errors.classes ? this::isWrong : this::squared);
    }

    private double isWrong(FeatureTile tile, int row, double[] scores) {
        return ClassRanking.highest(scores, row, model.outputs()) == (int) tile.target(row, 0) ? 0 : 1;
    }

    private double squared(FeatureTile tile, int row, double[] scores) {
        double sum = 0;
        for (int o = 0; o < model.outputs(); o++) {
            double difference = scores[row * model.outputs() + o] - tile.target(row, o);
            sum += difference * difference;
        }
        return sum;
    }

    @Override
    public void move(Errors errors, Errors into) {
        Vectors.move(errors.sum, into.sum);
    }

    @Override
    public void write(Errors errors, DataOutput to) throws IOException {
        to.writeDouble(errors.sum[0]);
    }

    @Override
    public Errors read(DataInput from) throws IOException {
        return new Errors(false, new WeightMatrix(1, 1), new double[] {from.readDouble()});
    }
}
