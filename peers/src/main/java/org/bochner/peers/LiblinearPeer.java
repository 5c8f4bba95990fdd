package org.bochner.peers;

import de.bwaldvogel.liblinear.Feature;
import de.bwaldvogel.liblinear.FeatureNode;
import de.bwaldvogel.liblinear.Linear;
import de.bwaldvogel.liblinear.Model;
import de.bwaldvogel.liblinear.Parameter;
import de.bwaldvogel.liblinear.Problem;
import de.bwaldvogel.liblinear.SolverType;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Random;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.model.Peer;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scalings;

/**
 * LIBLINEAR: L2-regularised logistic regression with C = 1, one class against the rest, or L2-loss support vector
 * regression of standardised numbers. Dense columns get the mean 0 and the variance 1, sparse columns the variance 1.
 *
 * <p>Reference: Fan, Chang, Hsieh, Wang and Lin, LIBLINEAR: A Library for Large Linear Classification, 2008.
 */
public final class LiblinearPeer implements Peer<LiblinearPeer.Fitted> {
    private static final double TOLERANCE = 0.01;
    private static final double SVR_TOLERANCE = 0.001;
    private static final double SVR_WIDTH = 0.1;

    /** The bytes of an entry: an object with an index and a value, and its place in an array. */
    private static final int ENTRY_BYTES = 32;

    /** A fitted model with the scaling of its rows and targets. */
    record Fitted(Model model, Scaler scaler, Targets targets) {}

    @Override
    public String name() {
        return "liblinear";
    }

    @Override
    public Optional<String> refuses(Labels labels) {
        return PeerRows.refusesSeveralNumbers(labels);
    }

    @Override
    public Fitted fit(RowSource rows, Seed seed, Workers workers) {
        PeerRows.requireMemory(name(), rows, ENTRY_BYTES);
        boolean classes = PeerRows.classes(rows);
        Scaler scaler = (rows.sparse() ? Scalings.uncentred() : Scalings.standard()).fit(rows, workers);
        double[] labels = PeerRows.targets(rows);
        Targets targets = classes ? Targets.UNCHANGED : Targets.of(labels);
        Problem problem = new Problem();
        problem.l = labels.length;
        problem.n = rows.columns() + 1;
        problem.bias = 1;
        problem.y = targets.scaled(labels);
        problem.x = new Feature[problem.l][];
        PeerRows.each(
                rows,
                scaler,
                (block, i, count, columns, values) ->
                        problem.x[(int) block.firstRow() + i] = nodes(count, columns, values, rows.columns()));
        Parameter parameter = classes
                ? new Parameter(SolverType.L2R_LR, 1, TOLERANCE)
                : new Parameter(SolverType.L2R_L2LOSS_SVR, 1, SVR_TOLERANCE);
        parameter.setP(SVR_WIDTH);
        parameter.setRandom(new Random(seed.derive("liblinear").value()));
        Linear.disableDebugOutput();
        return new Fitted(Linear.train(problem, parameter), scaler, targets);
    }

    /** Returns the nodes of a row, whose indices count from 1, and the constant feature. */
    private static Feature[] nodes(int count, int[] columns, double[] values, int allColumns) {
        Feature[] nodes = new Feature[count + 1];
        for (int e = 0; e < count; e++) {
            nodes[e] = new FeatureNode(columns[e] + 1, values[e]);
        }
        nodes[count] = new FeatureNode(allColumns + 1, 1);
        return nodes;
    }

    @Override
    public void predict(Fitted fitted, RowBlock rows, double[] predictions) {
        PeerRows.each(
                fitted.scaler().forBlocks().apply(rows),
                (block, i, count, columns, values) -> predictions[i] = fitted.targets()
                        .original(Linear.predict(fitted.model(), nodes(count, columns, values, rows.columns()))));
    }

    @Override
    public long bytes(Fitted fitted) {
        StringWriter text = new StringWriter();
        try {
            Linear.saveModel(text, fitted.model());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.getBuffer().length();
    }
}
