package org.bochner.benchmarks;

import de.bwaldvogel.liblinear.Feature;
import de.bwaldvogel.liblinear.FeatureNode;
import de.bwaldvogel.liblinear.Linear;
import de.bwaldvogel.liblinear.Model;
import de.bwaldvogel.liblinear.Parameter;
import de.bwaldvogel.liblinear.Problem;
import de.bwaldvogel.liblinear.SolverType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.kernel.Kernels;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.Monitor;
import org.bochner.learn.solve.Training;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FeatureStore;
import org.bochner.stats.MappedSource;
import org.bochner.stats.WeightMatrix;

/**
 * Our learners of smooth losses against LIBLINEAR-Java in one run, on the same features: seconds, their ratio, the
 * objectives and the test errors.
 *
 * <p>Both stop where the gradient is {@code 0.01·min(positive, negative)/rows} of that at zero, LIBLINEAR's default; the
 * column "gradient" is how much of that they use. LIBLINEAR runs twice: on our problem, which has an intercept without
 * penalty ({@code -B 1 -R}), and on its own default, which has none; the faster of the two is what we are compared to.
 * LIBLINEAR has one thread, we have two.
 */
public final class Learners {
    private static final int FEATURES = 2000;
    private static final double C = 1;
    private static final double EPSILON = 0.01;
    private static final int THREADS = 2;

    private final int rounds;
    private final FeatureMap map;
    private final FeatureStore train;
    private final FeatureStore test;
    private final Problem problem;

    private Learners(Path folder, int rounds) {
        this.rounds = rounds;
        FileSource trainRows =
                FileSource.open(DataOptions.of(folder.resolve("a9a.gz").toString()));
        FileSource testRows = FileSource.open(
                DataOptions.of(folder.resolve("a9a.t.gz").toString()).withColumns(trainRows.columns()));
        map = FeatureMaps.parse("fourier").build(Kernels.gaussian(3.1623), trainRows.columns(), FEATURES, new Seed(1));
        train = store(trainRows, map);
        test = store(testRows, map);
        problem = problem(train);
    }

    public static void main(String[] arguments) {
        Linear.disableDebugOutput();
        Learners learners = new Learners(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
        System.out.println("a9a, " + learners.train.rows() + " rows, " + FEATURES + " features, C = " + C + "; Java "
                + Runtime.version().feature() + "; " + THREADS + " threads; medians of " + arguments[1]
                + " rounds in turns");
        System.out.printf(
                "%-15s %-26s %9s %9s %18s %7s%n", "loss", "solver", "seconds", "gradient", "objective", "error");
        learners.compare("logistic", new Loss.Logistic(), SolverType.L2R_LR);
        learners.compare("squared hinge", new Loss.SquaredHinge(), SolverType.L2R_L2LOSS_SVC);
    }

    private static FeatureStore store(FileSource source, FeatureMap map) {
        return FeatureStore.map(
                new MappedSource(
                        source,
                        Scalings.identity(source.columns()),
                        map,
                        ClassWeights.none(),
                        Precision.FLOAT32,
                        new Workers(THREADS)),
                Long.MAX_VALUE,
                (rows, fraction) -> {});
    }

    /** The features as LIBLINEAR takes them, with a 1 last. */
    private static Problem problem(FeatureStore store) {
        Problem problem = new Problem();
        problem.l = (int) store.rows();
        problem.n = FEATURES + 1;
        problem.bias = 1;
        problem.x = new Feature[problem.l][];
        problem.y = new double[problem.l];
        store.inOrder(tile -> {
            double[] z = new double[FEATURES + 1];
            for (int i = 0; i < tile.rows(); i++) {
                Arrays.fill(z, 0);
                tile.addRow(i, 1, z);
                z[FEATURES] = 1;
                Feature[] row = new Feature[z.length];
                Arrays.setAll(row, j -> new FeatureNode(j + 1, z[j]));
                problem.x[(int) tile.firstRow() + i] = row;
                problem.y[(int) tile.firstRow() + i] = sign(tile.target(i, 0));
            }
        });
        return problem;
    }

    /** The same rows without the 1. */
    private static Problem withoutBias(Problem problem) {
        Problem without = new Problem();
        without.l = problem.l;
        without.n = FEATURES;
        without.bias = -1;
        without.y = problem.y;
        without.x = new Feature[problem.l][];
        Arrays.setAll(without.x, i -> Arrays.copyOf(problem.x[i], FEATURES));
        return without;
    }

    private static double sign(double label) {
        return label == 1 ? 1 : -1;
    }

    private void compare(String name, Loss.PerScore loss, SolverType type) {
        double share = train.targetMean(1);
        double asked = EPSILON * Math.min(share, 1 - share);
        LinearModel zero = new LinearModel(FEATURES, 1, new double[FEATURES], new double[1]);
        double bestIntercept = loss instanceof Loss.Logistic ? Math.log(share / (1 - share)) : 2 * share - 1;
        LinearModel start = new LinearModel(FEATURES, 1, new double[FEATURES], new double[] {bestIntercept});
        double goal = asked * new State(zero, loss, true).gradient;
        // Our tolerance is relative to the gradient where we start.
        double tolerance = goal / new State(start, loss, true).gradient;
        Problem without = withoutBias(problem);
        List<Double> ours = new ArrayList<>();
        List<Double> theirs = new ArrayList<>();
        List<Double> theirDefault = new ArrayList<>();
        LinearModel our = zero;
        LinearModel their = zero;
        LinearModel theirOther = zero;
        for (int round = 0; round <= rounds; round++) {
            our = timed(ours, () -> ours(loss, tolerance));
            their = timed(theirs, () -> model(Linear.train(problem, parameter(type, false))));
            theirOther = timed(theirDefault, () -> model(Linear.train(without, parameter(type, true))));
        }
        print(name, "ours", median(ours), our, loss, goal, true);
        print(name, "LIBLINEAR -B 1 -R", median(theirs), their, loss, goal, true);
        double goalWithout = asked * new State(zero, loss, false).gradient;
        print(name, "LIBLINEAR, no intercept", median(theirDefault), theirOther, loss, goalWithout, false);
        System.out.printf(
                Locale.ROOT,
                "%-15s ratio %.2f (limit 0.50)%n",
                name,
                median(ours) / Math.min(median(theirs), median(theirDefault)));
    }

    private LinearModel ours(Loss loss, double tolerance) {
        String name = loss instanceof Loss.Logistic ? "logistic(" : "svm(loss=squared-hinge, ";
        Learner learner = Learner.parse(name + "C=" + C + ", tolerance=" + tolerance + ")");
        return new Training(learner, map, new Workers(THREADS), new Seed(1), trying -> Monitor.NONE)
                .fit(train, null)
                .model();
    }

    private static Parameter parameter(SolverType type, boolean regularizeBias) {
        Parameter parameter = new Parameter(type, C, EPSILON);
        parameter.setRegularizeBias(regularizeBias);
        return parameter;
    }

    private static LinearModel timed(List<Double> seconds, Supplier<LinearModel> work) {
        long start = System.nanoTime();
        LinearModel model = work.get();
        seconds.add((System.nanoTime() - start) * 1e-9);
        return model;
    }

    /** Of all but the first round, which compiles. */
    private double median(List<Double> seconds) {
        return seconds.stream().skip(1).sorted().skip(rounds / 2).findFirst().orElseThrow();
    }

    private static LinearModel model(Model model) {
        double turn = model.getLabels()[0] == 1 ? 1 : -1;
        double[] weights = new double[FEATURES];
        Arrays.setAll(weights, j -> turn * model.getFeatureWeights()[j]);
        double intercept = model.getBias() < 0 ? 0 : turn * model.getFeatureWeights()[FEATURES];
        return new LinearModel(FEATURES, 1, weights, new double[] {intercept});
    }

    private void print(
            String name,
            String solver,
            double seconds,
            LinearModel model,
            Loss.PerScore loss,
            double goal,
            boolean intercept) {
        State state = new State(model, loss, intercept);
        System.out.printf(
                Locale.ROOT,
                "%-15s %-26s %9.3f %9.2f %18.6f %6.2f%%%n",
                name,
                solver,
                seconds,
                state.gradient / goal,
                state.objective,
                100 * error(model));
    }

    private double error(LinearModel model) {
        long[] wrong = {0};
        WeightMatrix weights = weights(model);
        test.inOrder(tile -> {
            double[] scores = new double[tile.rows()];
            tile.multiply(weights, scores);
            for (int i = 0; i < scores.length; i++) {
                wrong[0] += (scores[i] + model.intercept(0)) * sign(tile.target(i, 0)) <= 0 ? 1 : 0;
            }
        });
        return (double) wrong[0] / test.rows();
    }

    private static WeightMatrix weights(LinearModel model) {
        double[] weights = new double[FEATURES];
        Arrays.setAll(weights, j -> model.weight(j, 0));
        return WeightMatrix.of(FEATURES, 1, weights);
    }

    /** The objective and the length of its gradient by definition, features as they are, in float64. */
    private final class State {
        private final double objective;
        private final double gradient;

        State(LinearModel model, Loss.PerScore loss, boolean intercept) {
            double[] w = weights(model).float64();
            double[] sum = new double[FEATURES];
            double[] slopes = new double[1];
            double[] value = new double[1];
            train.inOrder(tile -> {
                for (int i = 0; i < tile.rows(); i++) {
                    double score = tile.dot(i, w) + model.intercept(0);
                    double slope = loss.slope(score, sign(tile.target(i, 0)));
                    value[0] += loss.value(score, sign(tile.target(i, 0)));
                    slopes[0] += slope;
                    tile.addRow(i, slope, sum);
                }
            });
            double squares = intercept ? slopes[0] * slopes[0] : 0;
            for (int j = 0; j < FEATURES; j++) {
                double g = sum[j] + w[j] / C;
                squares += g * g;
                value[0] += w[j] * w[j] / (2 * C);
            }
            objective = value[0];
            gradient = Math.sqrt(squares);
        }
    }
}
