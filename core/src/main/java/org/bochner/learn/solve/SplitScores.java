package org.bochner.learn.solve;

import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.IntUnaryOperator;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.FeatureSource;
import org.bochner.stats.FeatureTile;
import org.bochner.stats.TouchedFeatures;

/**
 * The scores s and multipliers α of all rows and outputs in {@link AlternatingDirections}, and the passes over the
 * features that move and measure them. Multipliers are per unit of row weight.
 *
 * <p>Threads: not safe; each pass uses several threads itself.
 */
final class SplitScores {
    private final Objective objective;
    private final FeatureSource source;
    private final DualLoss dual;
    private final DualTargets rows;
    private final double[] mean;
    private final int features;
    private final int outputs;
    /** s, rows×outputs. */
    private final double[] scores;
    /** α, rows×outputs. */
    private final double[] multipliers;
    /** The sums of s and of α since the last restart, and the number of iterations since then, one per output. */
    private final double[] scoreSums;

    private final double[] multiplierSums;
    private final int[] summed;
    /** v(z − z̄) at the last measurement. */
    private final double[] measured;

    SplitScores(Objective objective) {
        this.objective = objective;
        source = objective.source();
        dual = DualLoss.of(objective.loss());
        rows = new DualTargets(objective);
        mean = source.mean();
        features = objective.features();
        outputs = objective.outputs();
        scores = rows.zeros();
        multipliers = rows.zeros();
        scoreSums = rows.zeros();
        multiplierSums = rows.zeros();
        summed = new int[outputs];
        measured = rows.zeros();
    }

    /** Squared norms of an iteration, over scores and weights. */
    static final class Norms {
        /** Scores and weights less their copies. */
        private double constraint;
        /** The moves of the copies. */
        private double move;

        private double original;
        private double copy;
        private double multiplier;

        /** Adds the parts of one score or weight, its copy now and before, and its multiplier. */
        void add(double weight, double of, double ofCopy, double before, double ofMultiplier) {
            constraint += weight * (of - ofCopy) * (of - ofCopy);
            move += weight * (ofCopy - before) * (ofCopy - before);
            original += weight * of * of;
            copy += weight * ofCopy * ofCopy;
            multiplier += weight * ofMultiplier * ofMultiplier;
        }

        /** Adds other norms. */
        void merge(Norms other) {
            constraint += other.constraint;
            move += other.move;
            original += other.original;
            copy += other.copy;
            multiplier += other.multiplier;
        }

        void clear() {
            constraint = 0;
            move = 0;
            original = 0;
            copy = 0;
            multiplier = 0;
        }

        /** Returns the ratio of the squared relative residuals: of the constraints, and of the moves. */
        double ratio() {
            return constraint / Math.max(original, copy) / (move / multiplier);
        }
    }

    /** Returns a length scale for the scores of an output. */
    double spread(int output) {
        return rows.spread(output);
    }

    /** Sets all scores of an output to the best intercept for zero weights, and returns it. */
    double startAtConstant(int output) {
        double intercept = rows.constant(output, dual, multipliers);
        for (int i = output; i < scores.length; i += outputs) {
            scores[i] = intercept;
        }
        return intercept;
    }

    /** Sets the scores to those of a point, and the multipliers to the derivatives of the loss there. */
    void startAt(double[] point) {
        int[] all = new int[outputs];
        Arrays.setAll(all, o -> o);
        CentredFunctions functions = functions(point, all);
        source.forEachTile(tile -> {
            double[] out = new double[tile.rows() * outputs];
            functions.apply(tile, out);
            int first = (int) tile.firstRow();
            for (int at = 0; at < out.length; at++) {
                double target = rows.target(first + at / outputs, at % outputs);
                scores[first * outputs + at] = out[at];
                multipliers[first * outputs + at] = -objective.perScore().slope(out[at], target);
            }
        });
    }

    private CentredFunctions functions(double[] point, int[] chosen) {
        return new CentredFunctions(point, mean, outputs, chosen, source.sparse());
    }

    /** Returns the number of iterations of an output since its last restart. */
    int summed(int output) {
        return summed[output];
    }

    /**
     * Restarts an output: its means begin anew.
     *
     * @param atMean true to go on from the means of scores and multipliers since the last restart
     */
    void restart(int output, boolean atMean) {
        for (int at = output; at < scores.length; at += outputs) {
            if (atMean) {
                scores[at] = scoreSums[at] / summed[output];
                multipliers[at] = multiplierSums[at] / summed[output];
            }
            scoreSums[at] = 0;
            multiplierSums[at] = 0;
        }
        summed[output] = 0;
    }

    /** Returns the sums of one pass over all rows. */
    private Sums pass(int[] chosen, BiConsumer<FeatureTile, Sums> work) {
        Sums total = new Sums(chosen);
        source.pass(() -> new Sums(chosen), work, own -> own.moveInto(total));
        return total;
    }

    /** Returns Σ rα(z − z̄). */
    Sums sumMultipliers(int[] chosen) {
        return pass(chosen, (tile, own) -> own.add(tile, (at, output) -> multipliers[at]));
    }

    /** Returns Σ r(s + α/ρ − f)(z − z̄), with one ρ per output and the scores f of a point. */
    Sums sumResiduals(double[] point, int[] chosen, double[] rho) {
        CentredFunctions functions = functions(point, chosen);
        return pass(chosen, (tile, own) -> own.addResiduals(tile, functions, rho));
    }

    /** Moves scores and multipliers towards the scores f of a point. Returns Σ r(s + α/ρ − f)(z − z̄) after it. */
    Sums move(double[] point, int[] chosen, double[] rho) {
        CentredFunctions functions = functions(point, chosen);
        for (int o : chosen) {
            summed[o]++;
        }
        return pass(chosen, (tile, own) -> own.move(tile, functions, rho));
    }

    /**
     * The value and the products with the centred features of feasible multipliers, whose sum is 0.
     *
     * @param linear Σ r(αy − ε|α|), one per output
     * @param products Σ rα(z − z̄), D×outputs
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record DualValues(double[] linear, double[] products) {}

    /**
     * A measurement of a point.
     *
     * @param losses the loss of each output
     * @param dual values of feasible multipliers
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Measured(double[] losses, DualValues dual) {}

    /**
     * The measurements of one pass.
     *
     * @param last at the current weights with the intercepts
     * @param mean at the mean weights and intercepts
     * @param intercepts the best intercepts for the current weights, one per output; those of other outputs are 0
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Measurement(Measured last, Measured mean, double[] intercepts) {}

    /**
     * Measures the chosen outputs in one pass.
     *
     * @param point the current weights, and intercepts near the best ones
     */
    Measurement measure(double[] point, double[] meanPoint, int[] chosen) {
        double[] centred = point.clone();
        Arrays.fill(centred, features * outputs, point.length, 0);
        CentredFunctions functions = functions(centred, chosen);
        CentredFunctions meanFunctions = functions(meanPoint, chosen);
        double[][] balances = balances(multipliers, chosen);
        double[][] meanBalances = balances(multiplierSums, chosen);
        SumPair total = new SumPair(new Sums(chosen), new Sums(chosen));
        source.pass(
                () -> new SumPair(new Sums(chosen), new Sums(chosen)),
                (tile, own) -> {
                    own.last.store(tile, functions);
                    own.last.add(tile, (at, o) -> balanced(multipliers[at], balances[o]));
                    own.mean.addLosses(tile, meanFunctions);
                    own.mean.add(
                            tile, (at, o) -> balanced(multiplierSums[at] / Math.max(1, summed[o]), meanBalances[o]));
                },
                own -> {
                    own.last.moveInto(total.last);
                    own.mean.moveInto(total.mean);
                });
        double[] intercepts = new double[outputs];
        double[] losses = new double[outputs];
        double[] meanLosses = new double[outputs];
        for (int k = 0; k < chosen.length; k++) {
            int o = chosen[k];
            intercepts[o] = rows.bestIntercept(measured, o, point[features * outputs + o]);
            losses[o] = rows.value(measured, o, intercepts[o]);
            meanLosses[o] = total.mean.losses[k];
        }
        return new Measurement(
                new Measured(losses, values(total.last, multipliers, balances, o -> 1)),
                new Measured(meanLosses, values(total.mean, multiplierSums, meanBalances, o -> Math.max(1, summed[o]))),
                intercepts);
    }

    /** The sums for the current and for the mean multipliers. */
    private record SumPair(Sums last, Sums mean) {}

    private double[][] balances(double[] variables, int[] chosen) {
        double[][] balances = new double[outputs][];
        for (int o : chosen) {
            balances[o] = rows.balance(variables, o);
        }
        return balances;
    }

    private static double balanced(double variable, double[] balance) {
        return variable * balance[variable > 0 ? 0 : 1];
    }

    private DualValues values(Sums products, double[] variables, double[][] balances, IntUnaryOperator counts) {
        double[] linear = new double[outputs];
        for (int o : products.chosen) {
            linear[o] = rows.dualValue(variables, o, dual, balances[o]) / counts.applyAsInt(o);
        }
        double[] centred = new double[features * outputs];
        products.copyTo(centred);
        return new DualValues(linear, centred);
    }

    /** Returns the coefficient of a row's features for an output, without its weight. */
    @FunctionalInterface
    private interface Coefficient {
        double at(int index, int output);
    }

    /** The sums of one worker over rows, for the chosen outputs. */
    final class Sums {
        private final int[] chosen;
        private final double[] sum;
        private final double[] coefficientSum;
        private final double[] losses;
        private final Norms[] norms;
        private final TouchedFeatures touched = new TouchedFeatures(features);
        private double[] coefficients = new double[0];

        private Sums(int[] chosen) {
            this.chosen = chosen;
            sum = new double[features * chosen.length];
            coefficientSum = new double[chosen.length];
            losses = new double[chosen.length];
            norms = new Norms[chosen.length];
            Arrays.setAll(norms, k -> new Norms());
        }

        private void ensure(FeatureTile tile) {
            int length = tile.rows() * chosen.length;
            if (coefficients.length < length) {
                coefficients = new double[length];
            }
        }

        /** Moves s and α of a tile and adds its features times s + α/ρ − f. */
        private void move(FeatureTile tile, CentredFunctions functions, double[] rho) {
            ensure(tile);
            functions.apply(tile, coefficients);
            int first = (int) tile.firstRow();
            for (int i = 0; i < tile.rows(); i++) {
                double weight = rows.weight(first + i);
                for (int k = 0; k < chosen.length && weight > 0; k++) {
                    int output = chosen[k];
                    int at = (first + i) * outputs + output;
                    double target = rows.target(first + i, output);
                    double step = 1 / rho[output];
                    double score = coefficients[i * chosen.length + k];
                    double relaxed = AlternatingDirections.RELAXATION * score
                            + (1 - AlternatingDirections.RELAXATION) * scores[at];
                    double from = relaxed - step * multipliers[at];
                    double multiplier = dual.best(0, target - from, step, dual.lower(target, 1), dual.upper(target, 1));
                    double next = from + step * multiplier;
                    norms[k].add(weight, score, next, scores[at], step * multiplier);
                    scores[at] = next;
                    multipliers[at] = multiplier;
                    scoreSums[at] += next;
                    multiplierSums[at] += multiplier;
                    coefficients[i * chosen.length + k] = next + step * multiplier - score;
                }
            }
            add(tile);
        }

        private void addResiduals(FeatureTile tile, CentredFunctions functions, double[] rho) {
            ensure(tile);
            functions.apply(tile, coefficients);
            int first = (int) tile.firstRow();
            for (int i = 0; i < tile.rows(); i++) {
                for (int k = 0; k < chosen.length; k++) {
                    int at = (first + i) * outputs + chosen[k];
                    double goal = scores[at] + multipliers[at] / rho[chosen[k]];
                    coefficients[i * chosen.length + k] = goal - coefficients[i * chosen.length + k];
                }
            }
            add(tile);
        }

        /** Keeps the scores of a tile. */
        private void store(FeatureTile tile, CentredFunctions functions) {
            ensure(tile);
            functions.apply(tile, coefficients);
            int first = (int) tile.firstRow();
            for (int i = 0; i < tile.rows(); i++) {
                for (int k = 0; k < chosen.length; k++) {
                    measured[(first + i) * outputs + chosen[k]] = coefficients[i * chosen.length + k];
                }
            }
        }

        /** Adds the losses of a tile. */
        private void addLosses(FeatureTile tile, CentredFunctions functions) {
            ensure(tile);
            functions.apply(tile, coefficients);
            int first = (int) tile.firstRow();
            for (int i = 0; i < tile.rows(); i++) {
                for (int k = 0; k < chosen.length; k++) {
                    double target = rows.target(first + i, chosen[k]);
                    double loss = objective.perScore().value(coefficients[i * chosen.length + k], target);
                    losses[k] += rows.weight(first + i) * loss;
                }
            }
        }

        private void add(FeatureTile tile, Coefficient coefficient) {
            ensure(tile);
            int count = chosen.length;
            int first = (int) tile.firstRow();
            for (int i = 0; i < tile.rows(); i++) {
                for (int k = 0; k < count; k++) {
                    coefficients[i * count + k] = coefficient.at((first + i) * outputs + chosen[k], chosen[k]);
                }
            }
            add(tile);
        }

        /** Adds the features of a tile times the coefficients and the row weights. */
        private void add(FeatureTile tile) {
            int count = chosen.length;
            int first = (int) tile.firstRow();
            for (int i = 0; i < tile.rows(); i++) {
                double weight = rows.weight(first + i);
                for (int k = 0; k < count; k++) {
                    coefficients[i * count + k] *= weight;
                    coefficientSum[k] += coefficients[i * count + k];
                }
            }
            touched.add(tile, count);
            tile.addTransposed(coefficients, count, sum);
        }

        private void moveInto(Sums total) {
            touched.move(sum, total.sum, chosen.length);
            Vectors.move(coefficientSum, total.coefficientSum);
            Vectors.move(losses, total.losses);
            for (int k = 0; k < norms.length; k++) {
                total.norms[k].merge(norms[k]);
                norms[k].clear();
            }
        }

        /** Returns the squared norms of the chosen output with an index. */
        Norms norms(int k) {
            return norms[k];
        }

        /** Writes the sums for centred features, D×outputs; entries of other outputs stay. */
        void copyTo(double[] to) {
            int count = chosen.length;
            for (int j = 0; j < features; j++) {
                for (int k = 0; k < count; k++) {
                    to[j * outputs + chosen[k]] = sum[j * count + k] - mean[j] * coefficientSum[k];
                }
            }
        }

        /** Writes the sums of the coefficients, one per output; entries of other outputs stay. */
        void copyTotals(double[] to) {
            for (int k = 0; k < chosen.length; k++) {
                to[chosen[k]] = coefficientSum[k];
            }
        }
    }
}
