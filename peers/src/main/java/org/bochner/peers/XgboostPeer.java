package org.bochner.peers;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.bochner.base.BochnerException;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.model.Peer;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;

/**
 * XGBoost: gradient-boosted trees of depth 6 with a learning rate of 0.1, at most 500 rounds. A tenth of the training
 * rows is held out, and boosting stops after 20 rounds without a lower loss on them. Zeros of sparse rows count as
 * missing values.
 *
 * <p>Reference: Chen and Guestrin, XGBoost: A Scalable Tree Boosting System, 2016.
 */
public final class XgboostPeer implements Peer<XgboostPeer.Fitted> {
    private static final int ROUNDS = 500;
    private static final int PATIENCE = 20;
    private static final int HELD_OUT_PART = 10;

    /**
     * A fitted model.
     *
     * @param rounds the number of rounds to predict with
     * @param outputs the number of classes if there are more than two; otherwise 1
     */
    record Fitted(Booster booster, int rounds, int outputs, boolean classes) {}

    @Override
    public String name() {
        return "xgboost";
    }

    @Override
    public Optional<String> refuses(Labels labels) {
        return PeerRows.refusesSeveralNumbers(labels);
    }

    @Override
    public Fitted fit(RowSource rows, Seed seed, Workers workers) {
        PeerRows.requireMemory(name(), rows, 2 * Float.BYTES);
        int classes =
                rows.labels() instanceof Labels.Classes labels ? labels.names().size() : 0;
        int outputs = Math.max(1, classes == 2 ? 1 : classes);
        Map<String, Object> parameters = new HashMap<>();
        parameters.put("max_depth", 6);
        parameters.put("eta", 0.1);
        parameters.put("tree_method", "hist");
        parameters.put("nthread", workers.threads());
        parameters.put("seed", (int) (seed.derive("xgboost").value() & Integer.MAX_VALUE));
        parameters.put("verbosity", 0);
        parameters.put("verbose_eval", 0);
        parameters.put("maximize_evaluation_metrics", false);
        parameters.put("objective", objective(classes));
        parameters.put("eval_metric", classes == 0 ? "rmse" : classes == 2 ? "logloss" : "mlogloss");
        if (classes > 2) {
            parameters.put("num_class", classes);
        }
        LongPredicate held = heldOut(seed.derive("xgboost held-out rows"), rows.rows());
        try {
            DMatrix training = matrix(MemorySource.load(rows, held.negate()));
            DMatrix heldOut = matrix(MemorySource.load(rows, held));
            Map<String, DMatrix> watched = new LinkedHashMap<>();
            watched.put("validation", heldOut);
            float[][] losses = new float[1][ROUNDS];
            Booster booster = XGBoost.train(training, parameters, ROUNDS, watched, losses, null, null, PATIENCE);
            String best = booster.getAttr("best_iteration");
            int rounds = best == null ? 0 : Integer.parseInt(best) + 1;
            booster.setParam("nthread", 1);
            training.dispose();
            heldOut.dispose();
            return new Fitted(booster, rounds, outputs, classes > 0);
        } catch (XGBoostError e) {
            throw failure(e);
        }
    }

    /** Returns true for a random tenth of the rows, and for one row at least. */
    private static LongPredicate heldOut(Seed seed, long rows) {
        LongPredicate drawn = row -> Long.remainderUnsigned(seed.derive(row).value(), HELD_OUT_PART) == 0;
        return LongStream.range(0, rows).anyMatch(drawn) ? drawn : row -> row == 0;
    }

    private static String objective(int classes) {
        return switch (classes) {
            case 0 -> "reg:squarederror";
            case 2 -> "binary:logistic";
            default -> "multi:softprob";
        };
    }

    private static DMatrix matrix(RowSource rows) throws XGBoostError {
        double[] targets = PeerRows.targets(rows);
        Matrix entries =
                new Matrix(targets.length, rows.columns(), rows.sparse(), Math.toIntExact(PeerRows.entries(rows)));
        PeerRows.each(rows, Scalings.identity(rows.columns()), entries);
        DMatrix matrix = entries.build();
        float[] labels = new float[targets.length];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = (float) targets[i];
        }
        matrix.setLabel(labels);
        return matrix;
    }

    @Override
    public void predict(Fitted fitted, RowBlock rows, double[] predictions) {
        boolean sparse = rows instanceof SparseRows;
        int count = rows instanceof SparseRows some ? some.entries() : rows.rows() * rows.columns();
        Matrix entries = new Matrix(rows.rows(), rows.columns(), sparse, count);
        PeerRows.each(rows, entries);
        try {
            DMatrix matrix = entries.build();
            float[][] scores = fitted.booster().predict(matrix, false, fitted.rounds());
            matrix.dispose();
            for (int i = 0; i < rows.rows(); i++) {
                predictions[i] = answer(fitted, scores[i]);
            }
        } catch (XGBoostError e) {
            throw failure(e);
        }
    }

    private static double answer(Fitted fitted, float[] scores) {
        if (!fitted.classes()) {
            return scores[0];
        }
        if (fitted.outputs() == 1) {
            return scores[0] > 0.5f ? 1 : 0;
        }
        int highest = 0;
        for (int c = 1; c < scores.length; c++) {
            highest = scores[c] > scores[highest] ? c : highest;
        }
        return highest;
    }

    @Override
    public long bytes(Fitted fitted) {
        try {
            return fitted.booster().toByteArray("ubj").length;
        } catch (XGBoostError e) {
            throw failure(e);
        }
    }

    private static BochnerException failure(XGBoostError e) {
        return new BochnerException("XGBoost failed: " + e.getMessage(), e);
    }

    /** Collects rows for a matrix of XGBoost: row-major values of dense rows, or the CSR format. */
    private static final class Matrix implements PeerRows.Visitor {
        private final int rows;
        private final int columns;
        private final boolean sparse;
        private final long[] starts;
        private final int[] indices;
        private final float[] values;
        private int filledRows;
        private int filled;

        Matrix(int rows, int columns, boolean sparse, int entries) {
            this.rows = rows;
            this.columns = columns;
            this.sparse = sparse;
            starts = new long[sparse ? rows + 1 : 0];
            indices = new int[sparse ? entries : 0];
            values = new float[entries];
        }

        @Override
        public void visit(RowBlock block, int row, int count, int[] from, double[] numbers) {
            for (int e = 0; e < count; e++) {
                if (sparse) {
                    indices[filled] = from[e];
                }
                values[filled++] = (float) numbers[e];
            }
            filledRows++;
            if (sparse) {
                starts[filledRows] = filled;
            }
        }

        DMatrix build() throws XGBoostError {
            return sparse
                    ? new DMatrix(starts, indices, values, DMatrix.SparseType.CSR, columns)
                    : new DMatrix(values, rows, columns, Float.NaN);
        }
    }
}
