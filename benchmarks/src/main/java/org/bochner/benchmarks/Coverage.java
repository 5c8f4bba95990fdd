package org.bochner.benchmarks;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Holdout;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.data.Task;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;

/**
 * The coverage and the mean width of prediction intervals on random splits of real data: conformal intervals, those of a
 * Gaussian process, and quantile regression by gradient-boosted trees. A fifth of the rows is for testing.
 *
 * <p>Arguments: the folder of the data sets, and the number of splits.
 */
public final class Coverage {
    private static final double[] LEVELS = {0.8, 0.9, 0.95};

    private static final List<String> SETS = List.of(
            "cpu_act/cpu_act.csv.gz", "cal_housing/cal_housing.csv.gz", "protein_tertiary/protein_tertiary.csv.gz");

    private static final List<String> RECIPES = List.of("conformal(share=0.2)", "conformal(folds=5)", "gaussian");

    private static final int FEATURES = 1000;
    private static final int TREES = 100;

    private Coverage() {}

    public static void main(String[] arguments) throws XGBoostError {
        int splits = Integer.parseInt(arguments[1]);
        System.out.printf(
                Locale.ROOT, "Means over %d splits; sd: standard deviation of the coverage over the splits.%n", splits);
        System.out.println(
                "| data | method | 80%: coverage, sd, width | 90%: coverage, sd, width | 95%: coverage, sd, width | rmse |");
        System.out.println("|---|---|---|---|---|---|");
        for (String file : SETS) {
            RowSource rows = MemorySource.load(
                    FileSource.open(DataOptions.of(arguments[0] + "/" + file).withTask(Task.REGRESS)));
            Map<String, Sums> sums = new LinkedHashMap<>();
            for (int split = 1; split <= splits; split++) {
                Holdout parts = Holdout.split(rows, 0.2, new Seed(split));
                for (String recipe : RECIPES) {
                    own(recipe, parts, split, sums.computeIfAbsent(recipe, name -> new Sums()));
                }
                boosted(parts, split, sums.computeIfAbsent("quantiles by XGBoost", name -> new Sums()));
            }
            String name = file.substring(0, file.indexOf('/'));
            sums.forEach((method, sum) -> System.out.println("| " + name + " | " + method + " | " + sum.line(splits)));
            System.out.flush();
        }
    }

    private static void own(String recipe, Holdout parts, int split, Sums sums) {
        KernelModel model = KernelMachine.of("gaussian")
                .withFeatures(FEATURES)
                .withSeed(new Seed(split))
                .withUncertainty(recipe)
                .fit(parts.train())
                .model();
        Evaluation found = Evaluation.of(model, parts.test(), Workers.all(), Progress.NONE, 1, LEVELS);
        sums.rmse += found.rmse();
        for (int k = 0; k < LEVELS.length; k++) {
            sums.add(
                    k,
                    found.coverages().get(k).coverage(),
                    found.coverages().get(k).size());
        }
    }

    /** One model for the lower and upper quantiles of all levels. */
    private static void boosted(Holdout parts, int split, Sums sums) throws XGBoostError {
        Map<String, Object> parameters = new HashMap<>();
        parameters.put("objective", "reg:quantileerror");
        parameters.put("quantile_alpha", "[0.1,0.05,0.025,0.9,0.95,0.975,0.5]");
        parameters.put("max_depth", 6);
        parameters.put("eta", 0.1);
        parameters.put("tree_method", "hist");
        parameters.put("nthread", 1);
        parameters.put("seed", split);
        parameters.put("verbosity", 0);
        parameters.put("verbose_eval", 0);
        Booster booster =
                XGBoost.train(BoostedTrees.Rows.read(parts.train()).matrix(), parameters, TREES, Map.of(), null, null);
        BoostedTrees.Rows tests = BoostedTrees.Rows.read(parts.test());
        float[][] quantiles = booster.predict(tests.matrix());
        int count = tests.targets().length;
        double squares = 0;
        for (int k = 0; k < LEVELS.length; k++) {
            double covered = 0;
            double width = 0;
            for (int i = 0; i < count; i++) {
                double actual = tests.targets()[i];
                covered += quantiles[i][k] <= actual && actual <= quantiles[i][k + LEVELS.length] ? 1 : 0;
                width += Math.max(0, quantiles[i][k + LEVELS.length] - quantiles[i][k]);
                double median = quantiles[i][2 * LEVELS.length];
                squares += k == 0 ? (median - actual) * (median - actual) : 0;
            }
            sums.add(k, covered / count, width / count);
        }
        sums.rmse += Math.sqrt(squares / count);
    }

    /** Sums over the splits. */
    private static final class Sums {
        private final double[] coverage = new double[LEVELS.length];
        private final double[] squares = new double[LEVELS.length];
        private final double[] width = new double[LEVELS.length];
        private double rmse;

        void add(int level, double covered, double size) {
            coverage[level] += covered;
            squares[level] += covered * covered;
            width[level] += size;
        }

        String line(int splits) {
            StringBuilder line = new StringBuilder();
            for (int k = 0; k < LEVELS.length; k++) {
                double mean = coverage[k] / splits;
                double variance = Math.max(0, squares[k] / splits - mean * mean) * splits / Math.max(1, splits - 1);
                line.append(String.format(
                        Locale.ROOT,
                        "%.1f%%, %.1f, %.4g | ",
                        100 * mean,
                        100 * Math.sqrt(variance),
                        width[k] / splits));
            }
            return line + String.format(Locale.ROOT, "%.4g |", rmse / splits);
        }
    }
}
