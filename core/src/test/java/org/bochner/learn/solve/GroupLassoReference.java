package org.bochner.learn.solve;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bochner.GoldenTable;
import org.bochner.data.MemorySource;
import org.bochner.learn.linear.Loss;
import org.bochner.map.layout.FeatureGroups;

/**
 * The reference problems of group lasso, which have no intercept and groups of weight 1, as problems of ours.
 *
 * <p>Every row comes twice, at half the weight: as it is, and with features and target negated. For losses that are even
 * functions of the residual that changes nothing but the intercept, whose best value is then 0, and the mean of the
 * features, which is 0. A group's features are multiplied by √size, which cancels the √size of our penalty; weights are
 * divided by it.
 */
record GroupLassoReference(Loss loss, double lambda, double largest, double objective, List<Double> weights) {
    static final FeatureGroups GROUPS = FeatureGroups.of(0, 0, 1, 1, 1, 2, 2);

    static List<GroupLassoReference> all() {
        List<GroupLassoReference> all = new ArrayList<>();
        for (Map<String, String> row : GoldenTable.read("mkl_group_lasso.csv")) {
            Loss loss = GoldenTable.text(row, "loss").equals("half_square")
                    ? new Loss.HalfSquare()
                    : new Loss.SmoothInsensitive(GoldenTable.number(row, "epsilon"), GoldenTable.number(row, "gamma"));
            List<Double> weights = new ArrayList<>();
            for (double w : GoldenTable.numbers(row, "w")) {
                weights.add(w);
            }
            all.add(new GroupLassoReference(
                    loss,
                    GoldenTable.number(row, "lambda"),
                    GoldenTable.number(row, "lambda_max"),
                    GoldenTable.number(row, "objective"),
                    weights));
        }
        return all;
    }

    static Mapped rows() {
        List<Map<String, String>> table = GoldenTable.read("mkl_rows.csv");
        int columns = GROUPS.features();
        float[] values = new float[2 * table.size() * columns];
        double[] targets = new double[2 * table.size()];
        double[] halves = new double[2 * table.size()];
        for (int i = 0; i < targets.length; i++) {
            Map<String, String> row = table.get(i / 2);
            int sign = i % 2 == 0 ? 1 : -1;
            double[] features = GoldenTable.numbers(row, "features");
            for (int j = 0; j < columns; j++) {
                values[i * columns + j] = (float) (sign * features[j]);
            }
            targets[i] = sign * GoldenTable.number(row, "target");
            halves[i] = 0.5;
        }
        MemorySource source =
                MemorySource.of(columns, values).withTargets(targets).withRowWeights(halves);
        return Mapped.of(source, j -> factor(j) / 1000);
    }

    /** What a feature is multiplied by. */
    static double factor(int feature) {
        return Math.sqrt(GROUPS.sizes()[GROUPS.of(feature)]);
    }

    Regularizer regularizer() {
        return new Regularizer(0, 0, lambda, GROUPS);
    }

    static Regularizer shape() {
        return new Regularizer(0, 0, 1, GROUPS);
    }
}
