package org.bochner.tune.scales;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.linear.RowLoss;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.RowWeights;
import org.bochner.tune.Criterion;
import org.bochner.tune.folds.FoldedRows;

/** Row weights and sums of targets of the training rows (fold 0) and of the held-out rows (fold 1). */
public final class TargetTotals {
    private final Labels labels;
    private final RowWeights rowWeights;
    private final long[] rows = new long[2];
    private final double[] weights = new double[2];

    /** Sums of the targets, or row weights per class, for each fold. */
    private final double[][] sums;

    private TargetTotals(Labels labels, ClassWeights classWeights) {
        this.labels = labels;
        rowWeights = new RowWeights(labels, classWeights);
        sums = new double[2][OutputCoding.of(labels).targets()];
    }

    /** Sums up the targets in one pass over the rows. */
    public static TargetTotals sum(FoldedRows folded, ClassWeights classWeights) {
        TargetTotals totals = new TargetTotals(folded.labels(), classWeights);
        folded.pass(() -> "", (tile, bench) -> {}, (tile, bench) -> totals.add(tile.rows(), tile.fold()));
        return totals;
    }

    private void add(RowBlock block, int fold) {
        rows[fold] += block.rows();
        for (int i = 0; i < block.rows(); i++) {
            double weight = rowWeights.weight(block, i);
            weights[fold] += weight;
            if (labels instanceof Labels.Classes) {
                sums[fold][(int) block.target(i, 0)] += weight;
            } else {
                for (int t = 0; t < sums[fold].length; t++) {
                    sums[fold][t] += weight * block.target(i, t);
                }
            }
        }
    }

    /** Returns the weight of the rows of a fold. */
    public double totalRowWeight(int fold) {
        return weights[fold];
    }

    /** Returns the scores of the best constant prediction for the training rows. */
    double[] constants(RowLoss loss) {
        OutputCoding outputs = OutputCoding.of(labels);
        double[] constants = new double[outputs.count()];
        Arrays.setAll(constants, o -> loss.intercept(sums[0][outputs.target(o)] / weights[0]));
        return constants;
    }

    /** Fails if a fold has no row weight, or rows of one class only. */
    public void check(String source, Criterion criterion) {
        String[] names = {"training", "held-out"};
        for (int fold = 0; fold < 2; fold++) {
            String which = String.format(Locale.ROOT, "%s: of the %s rows of %s", source, names[fold], criterion);
            if (!(weights[fold] > 0)) {
                throw new BochnerException(
                        which + ", " + (rows[fold] == 0 ? "there are none" : "none has a row weight above 0")
                                + "; choose another share or seed");
            }
            if (labels instanceof Labels.Classes classes) {
                double[] weightOf = sums[fold];
                int[] present = IntStream.range(0, weightOf.length)
                        .filter(c -> weightOf[c] > 0)
                        .toArray();
                if (present.length == 1) {
                    throw new BochnerException(which + ", all " + rows[fold] + " are of one class, "
                            + classes.names().get(present[0]) + "; choose another share or seed, or cv");
                }
            }
        }
    }
}
