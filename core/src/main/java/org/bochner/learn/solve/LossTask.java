package org.bochner.learn.solve;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Objects;
import org.bochner.base.State;
import org.bochner.data.Labels;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.LossForm;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.linear.RowLoss;
import org.bochner.stats.FeatureSource;
import org.bochner.stats.FeatureTask;
import org.bochner.stats.FeatureTile;
import org.jspecify.annotations.Nullable;

/**
 * One pass of an {@link Objective} over the features: losses, slopes or curvatures at a point, or losses along a line.
 *
 * <p>Points are D×outputs weights of the features themselves, row-major, followed by one intercept per output.
 */
public final class LossTask implements FeatureTask<LossSums> {
    public static final String TYPE = "loss";

    private final Pass pass;
    private final Loss loss;
    private final double[] mean;
    private final double[] point;
    private final double[] direction;
    private final double[] steps;
    private final int[] chosen;
    /** The scores of rows in this process; null for rows elsewhere. */
    private final @Nullable ScoreCache cache;
    /** The number of rows of the cache before those of the source. */
    private final long others;

    private volatile @Nullable Bound bound;

    /** What is computed. */
    enum Pass {
        /** Losses, and slopes times features. */
        SLOPES,
        /** Losses. */
        VALUES,
        /** Losses at points on a line. */
        ALONG,
        /** Curvatures times the scores of a direction times features. */
        CURVATURES
    }

    /** What depends on the labels and the form of the features. */
    private record Bound(
            RowLoss rowLoss,
            int outputs,
            @Nullable CentredFunctions functions,
            @Nullable CentredFunctions directions) {
        int problems() {
            return rowLoss.joint() ? 1 : outputs;
        }
    }

    /**
     * Creates a pass.
     *
     * @param mean the mean of the features of all rows
     * @param point the point
     * @param direction the direction of a line or of curvatures; empty for other passes
     * @param steps the places on a line; empty for other passes
     * @param chosen the outputs, ascending
     * @param cache the scores of all rows; null for none
     */
    LossTask(
            Pass pass,
            Loss loss,
            double[] mean,
            double[] point,
            double[] direction,
            double[] steps,
            int[] chosen,
            @Nullable ScoreCache cache) {
        this(pass, loss, mean, point, direction, steps, chosen, cache, 0);
    }

    private LossTask(
            Pass pass,
            Loss loss,
            double[] mean,
            double[] point,
            double[] direction,
            double[] steps,
            int[] chosen,
            @Nullable ScoreCache cache,
            long others) {
        this.pass = pass;
        this.loss = loss;
        this.mean = mean;
        this.point = point;
        this.direction = direction;
        this.steps = steps;
        this.chosen = chosen;
        this.cache = cache;
        this.others = others;
    }

    /** Reads a task from its saved form. */
    public static LossTask load(State state) {
        return new LossTask(
                Pass.valueOf(state.text("pass")),
                LossForm.load(state.part("loss")),
                state.array("mean", state.count("features")),
                state.array("point", state.count("points")),
                state.array("direction", state.count("directions")),
                state.array("steps", state.count("stepCount")),
                state.integers("chosen", state.count("outputs")),
                null);
    }

    @Override
    public State state() {
        return State.of(TYPE)
                .with("pass", pass.name())
                .with("loss", LossForm.of(loss))
                .with("features", mean.length)
                .with("mean", mean)
                .with("points", point.length)
                .with("point", point)
                .with("directions", direction.length)
                .with("direction", direction)
                .with("stepCount", steps.length)
                .with("steps", steps)
                .with("outputs", chosen.length)
                .with("chosen", chosen);
    }

    @Override
    public LossTask after(long more) {
        return new LossTask(pass, loss, mean, point, direction, steps, chosen, cache, others + more);
    }

    private Bound bind(FeatureSource source) {
        Bound known = bound;
        if (known == null) {
            Labels labels = source.labels();
            int outputs = OutputCoding.of(labels).count();
            boolean constant = constantCurvature();
            known = new Bound(
                    new RowLoss(loss, labels),
                    outputs,
                    constant ? null : new CentredFunctions(point, mean, outputs, chosen, source.sparse()),
                    direction.length == 0
                            ? null
                            : new CentredFunctions(direction, mean, outputs, chosen, source.sparse()));
            bound = known;
        }
        return known;
    }

    /** Returns true for curvatures that do not depend on the scores. */
    private boolean constantCurvature() {
        return pass == Pass.CURVATURES && loss instanceof Loss.HalfSquare;
    }

    private Bound bound() {
        return Objects.requireNonNull(bound, "the sums of this task are made first");
    }

    @Override
    public LossSums bench(FeatureSource features) {
        Bound own = bind(features);
        return new LossSums(mean.length, chosen.length, own.problems(), pass == Pass.ALONG ? steps.length : 0);
    }

    @Override
    public void add(FeatureTile tile, LossSums sums) {
        Bound own = bound();
        score(tile, sums, own);
        switch (pass) {
            case SLOPES -> {
                if (cache != null) {
                    cache.store(tile, others, chosen, sums.scores);
                }
                for (int i = 0; i < tile.rows(); i++) {
                    int at = i * chosen.length;
                    own.rowLoss.slopes(tile::target, i, chosen, sums.scores, at, sums.losses, sums.coefficients);
                    addLosses(tile.rowWeight(i), sums, sums.values);
                }
                sums.addCoefficients(tile);
            }
            case VALUES -> addValues(tile, sums, sums.scores, sums.values);
            case ALONG -> {
                Objects.requireNonNull(own.directions).apply(tile, sums.steps);
                for (int k = 0; k < steps.length; k++) {
                    for (int i = 0; i < tile.rows() * chosen.length; i++) {
                        sums.coefficients[i] = sums.scores[i] + steps[k] * sums.steps[i];
                    }
                    addValues(tile, sums, sums.coefficients, sums.valuesAlong[k]);
                }
            }
            case CURVATURES -> {
                Objects.requireNonNull(own.directions).apply(tile, sums.steps);
                System.arraycopy(sums.steps, 0, sums.coefficients, 0, tile.rows() * chosen.length);
                for (int i = 0; i < tile.rows(); i++) {
                    int at = i * chosen.length;
                    own.rowLoss.curve(tile::target, i, chosen, sums.scores, at, sums.coefficients, at);
                }
                sums.addCoefficients(tile);
            }
            default -> throw new IllegalStateException(pass.name());
        }
    }

    /** Computes the scores of a tile, or loads them from the cache. */
    private void score(FeatureTile tile, LossSums sums, Bound own) {
        sums.ensure(tile);
        CentredFunctions functions = own.functions;
        if (functions == null) {
            return;
        }
        if (cache != null && pass != Pass.SLOPES && pass != Pass.VALUES) {
            cache.load(tile, others, chosen, sums.scores);
        } else {
            functions.apply(tile, sums.scores);
        }
    }

    private void addValues(FeatureTile tile, LossSums sums, double[] at, double[] to) {
        for (int i = 0; i < tile.rows(); i++) {
            bound().rowLoss.values(tile::target, i, chosen, at, i * chosen.length, sums.losses);
            addLosses(tile.rowWeight(i), sums, to);
        }
    }

    /** Adds the losses of a row. */
    private void addLosses(double weight, LossSums sums, double[] to) {
        boolean joint = bound().rowLoss.joint();
        for (int o = 0; o < (joint ? 1 : chosen.length); o++) {
            int problem = joint ? 0 : chosen[o];
            to[problem] += weight * sums.losses[o];
            if (sums.losses[o] > sums.largest[problem] && weight > 0) {
                sums.largest[problem] = sums.losses[o];
            }
        }
    }

    @Override
    public void move(LossSums sums, LossSums into) {
        sums.moveInto(into);
    }

    @Override
    public void write(LossSums sums, DataOutput to) throws IOException {
        sums.write(to);
    }

    @Override
    public LossSums read(DataInput from) throws IOException {
        return LossSums.read(from);
    }
}
