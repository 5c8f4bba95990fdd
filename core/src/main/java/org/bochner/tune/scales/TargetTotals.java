package org.bochner.tune.scales;

import java.util.Arrays;
import java.util.Locale;
import org.bochner.base.BochnerException;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.linear.RowLoss;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.RowWeights;
import org.bochner.tune.Criterion;
import org.bochner.tune.folds.FoldedRows;

/** What is known of the targets of the rows to learn from, part 0, and of those set aside to judge by, part 1. */
public final class TargetTotals {
    private final Labels labels;
    private final RowWeights rowWeights;
    private final long[] rows = new long[2];
    private final double[] weights = new double[2];

    /** Sums of the targets, or of the weights of the classes, one row a part. */
    private final double[][] sums;

    /** Looks at the targets of all rows once. */
    public TargetTotals(FoldedRows folded, ClassWeights classWeights) {
        labels = folded.labels();
        rowWeights = new RowWeights(labels, classWeights);
        sums = new double[2][OutputCoding.of(labels).targets()];
        folded.pass(() -> "", (tile, bench) -> {}, (tile, bench) -> add(tile.rows(), tile.fold()));
    }

    private void add(RowBlock block, int part) {
        rows[part] += block.rows();
        for (int i = 0; i < block.rows(); i++) {
            double weight = rowWeights.weight(block, i);
            weights[part] += weight;
            if (labels instanceof Labels.Classes) {
                sums[part][(int) block.target(i, 0)] += weight;
            } else {
                for (int t = 0; t < sums[part].length; t++) {
                    sums[part][t] += weight * block.target(i, t);
                }
            }
        }
    }

    public double weight(int part) {
        return weights[part];
    }

    public double weight(RowBlock block, int row) {
        return rowWeights.weight(block, row);
    }

    /** The scores of the best constant, as the rows to learn from have it. */
    double[] constants(RowLoss loss) {
        OutputCoding outputs = OutputCoding.of(labels);
        double[] constants = new double[outputs.count()];
        Arrays.setAll(constants, o -> loss.intercept(sums[0][outputs.target(o)] / weights[0]));
        return constants;
    }

    /** Fails where scales cannot be learned from one part, or not be judged by the other. */
    public void check(String source, Criterion criterion) {
        String[] names = {"to learn from", "set aside to judge scales by"};
        for (int part = 0; part < 2; part++) {
            String which = String.format(Locale.ROOT, "%s: of the rows %s by %s", source, names[part], criterion);
            if (!(weights[part] > 0)) {
                throw new BochnerException(which + ", " + (rows[part] == 0 ? "there are none" : "none has a weight")
                        + "; choose another share or seed");
            }
            if (labels instanceof Labels.Classes classes) {
                int only = only(sums[part]);
                if (only >= 0) {
                    throw new BochnerException(which + ", all " + rows[part] + " are of one class, "
                            + classes.names().get(only) + "; choose another share or seed, or cv");
                }
            }
        }
    }

    /** The one class that has weight; −1 where there are more. */
    private static int only(double[] weights) {
        int only = -1;
        for (int c = 0; c < weights.length; c++) {
            if (weights[c] > 0) {
                if (only >= 0) {
                    return -1;
                }
                only = c;
            }
        }
        return only;
    }
}
