package org.bochner.learn.linear;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.base.State;

/**
 * Axes of a model's scores: a row with scores s has the coordinates Aᵀs + c. The discriminant axes of a model are stored
 * in this form, because they are combinations of its linear functions.
 *
 * <p>Threads: safe; immutable.
 */
public final class ScoreAxes {
    private static final String TYPE = "score-axes";

    private final int outputs;
    private final double[] matrix;
    private final double[] offsets;
    private final double[] variances;

    /**
     * Creates axes.
     *
     * @param matrix A, outputs×axes, row-major
     * @param offsets c, one per axis
     * @param variances the variance of the class means along each axis, descending
     */
    public ScoreAxes(int outputs, double[] matrix, double[] offsets, double[] variances) {
        this.outputs = Require.atLeast(TYPE, "outputs", outputs, 1);
        int axes = Require.atLeast(TYPE, "axes", offsets.length, 1);
        Require.that((long) outputs * axes == matrix.length, TYPE, "the matrix has " + matrix.length + " numbers");
        Require.sameSize(TYPE, "variances", variances.length, axes);
        this.matrix = matrix.clone();
        this.offsets = offsets.clone();
        this.variances = variances.clone();
    }

    /** Returns the number of scores. */
    public int outputs() {
        return outputs;
    }

    /** Returns the number of axes. */
    public int count() {
        return offsets.length;
    }

    /** Returns the variance of the class means along each axis, descending, in a new array. */
    public double[] variances() {
        return variances.clone();
    }

    /** Returns linear functions of the features whose values are the coordinates, given the functions of the scores. */
    public LinearModel of(LinearModel scores) {
        Require.sameSize(TYPE, "outputs", scores.outputs(), outputs);
        int axes = count();
        double[] weights = new double[Math.multiplyExact(scores.features(), axes)];
        double[] intercepts = offsets.clone();
        for (int o = 0; o < outputs; o++) {
            for (int a = 0; a < axes; a++) {
                double factor = matrix[o * axes + a];
                intercepts[a] += factor * scores.intercept(o);
                for (int j = 0; j < scores.features(); j++) {
                    weights[j * axes + a] += factor * scores.weight(j, o);
                }
            }
        }
        return new LinearModel(scores.features(), axes, weights, intercepts);
    }

    /** Returns equal axes of scores to which constants were added, one per score. */
    public ScoreAxes shifted(double[] constants) {
        double[] moved = offsets.clone();
        for (int i = 0; i < matrix.length; i++) {
            moved[i % count()] -= matrix[i] * constants[i / count()];
        }
        return new ScoreAxes(outputs, matrix, moved, variances);
    }

    /** Returns the saved form. */
    public State state() {
        return State.of(TYPE)
                .with("outputs", outputs)
                .with("axes", count())
                .with("matrix", matrix, outputs, count())
                .with("offsets", offsets)
                .with("variances", variances);
    }

    /** Loads axes from their {@link #state}. */
    public static ScoreAxes load(State state) {
        Require.that(state.type().equals(TYPE), TYPE, "the saved form has the unknown type '" + state.type() + "'");
        int outputs = state.count("outputs");
        int axes = state.count("axes");
        double[] matrix = state.array("matrix", Math.multiplyExact(outputs, axes));
        return new ScoreAxes(outputs, matrix, state.array("offsets", axes), state.array("variances", axes));
    }

    @Override
    public String toString() {
        return "ScoreAxes[" + count() + " of " + outputs + " scores, variances " + Arrays.toString(variances) + "]";
    }
}
