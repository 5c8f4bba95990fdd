package org.bochner.peers;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import libsvm.svm;
import libsvm.svm_model;
import libsvm.svm_node;
import libsvm.svm_parameter;
import libsvm.svm_problem;
import org.bochner.base.Notes;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.model.KernelMachine;
import org.bochner.model.Peer;
import org.bochner.model.Progress;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.scale.Scaler;

/**
 * LIBSVM: a support vector machine with the gaussian kernel, on at most 10,000 rows. Scaling and bandwidth are those that
 * a kernel machine chooses for the rows. C is 1, 10 or 100, chosen on a fifth of at most 2,000 rows. Numbers are
 * standardised, and their tube has the half-width 0.1.
 *
 * <p>Reference: Chang and Lin, LIBSVM: A Library for Support Vector Machines, 2011.
 */
public final class LibsvmPeer implements Peer<LibsvmPeer.Fitted> {
    private static final long MOST_ROWS = 10_000;
    private static final int TUNING_ROWS = 2000;
    private static final int TUNING_PARTS = 5;
    private static final double[] PENALTIES = {1, 10, 100};
    private static final double TUBE = 0.1;
    private static final double TOLERANCE = 0.001;
    private static final double CACHE_MEGABYTES = 200;

    /** The bytes of an entry: an object with an index and a value, and its place in an array. */
    private static final int ENTRY_BYTES = 32;

    /** A fitted model with the scaling of its rows and targets. */
    record Fitted(svm_model model, Scaler scaler, Targets targets) {}

    @Override
    public String name() {
        return "libsvm";
    }

    @Override
    public Optional<String> refuses(Labels labels) {
        return PeerRows.refusesSeveralNumbers(labels);
    }

    @Override
    public long mostRows() {
        return MOST_ROWS;
    }

    @Override
    public Fitted fit(RowSource rows, Seed seed, Workers workers) {
        PeerRows.requireMemory(name(), rows, ENTRY_BYTES);
        boolean classes = PeerRows.classes(rows);
        KernelMachine.KernelFit chosen =
                KernelMachine.of("gaussian").withSeed(seed).fitKernel(rows, workers, Progress.NONE, new Notes());
        double[] labels = PeerRows.targets(rows);
        Targets targets = classes ? Targets.UNCHANGED : Targets.of(labels);
        svm_problem problem = new svm_problem();
        problem.l = labels.length;
        problem.y = targets.scaled(labels);
        problem.x = new svm_node[problem.l][];
        PeerRows.each(
                rows,
                chosen.scaler(),
                (block, i, count, columns, values) ->
                        problem.x[(int) block.firstRow() + i] = nodes(count, columns, values));
        svm_parameter parameter = new svm_parameter();
        parameter.svm_type = classes ? svm_parameter.C_SVC : svm_parameter.EPSILON_SVR;
        parameter.kernel_type = svm_parameter.RBF;
        parameter.gamma = gamma(chosen.kernel());
        parameter.cache_size = CACHE_MEGABYTES;
        parameter.eps = TOLERANCE;
        parameter.p = TUBE;
        parameter.shrinking = 1;
        svm.svm_set_print_string_function(text -> {});
        svm.rand.setSeed(seed.derive("libsvm").value());
        parameter.C = penalty(problem, parameter, classes, seed);
        return new Fitted(svm.svm_train(problem, parameter), chosen.scaler(), targets);
    }

    /** Returns γ of exp(−γ·|x − y|²) for a gaussian kernel with one sigma: 1/(2σ²). */
    static double gamma(Kernel kernel) {
        double sigma = ((ShiftInvariantKernel) kernel).sigma().at(0);
        return 1 / (2 * sigma * sigma);
    }

    /** Returns the penalty with the least loss on a fifth of a sample of the rows. */
    private static double penalty(svm_problem problem, svm_parameter parameter, boolean classes, Seed seed) {
        Seed own = seed.derive("libsvm penalty");
        int[] drawn = IntStream.range(0, problem.l)
                .boxed()
                .sorted((i, j) -> Long.compare(
                        own.derive((long) i).value(), own.derive((long) j).value()))
                .mapToInt(Integer::intValue)
                .limit(TUNING_ROWS)
                .toArray();
        int tested = drawn.length / TUNING_PARTS;
        svm_problem part = part(problem, Arrays.copyOfRange(drawn, tested, drawn.length));
        double best = PENALTIES[0];
        double least = Double.POSITIVE_INFINITY;
        for (double penalty : PENALTIES) {
            parameter.C = penalty;
            svm_model model = svm.svm_train(part, parameter);
            double loss = 0;
            for (int t = 0; t < tested; t++) {
                double difference = svm.svm_predict(model, problem.x[drawn[t]]) - problem.y[drawn[t]];
                loss += classes ? (difference == 0 ? 0 : 1) : difference * difference;
            }
            if (loss < least) {
                least = loss;
                best = penalty;
            }
        }
        return best;
    }

    private static svm_problem part(svm_problem problem, int[] rows) {
        svm_problem part = new svm_problem();
        part.l = rows.length;
        part.x = new svm_node[rows.length][];
        part.y = new double[rows.length];
        for (int i = 0; i < rows.length; i++) {
            part.x[i] = problem.x[rows[i]];
            part.y[i] = problem.y[rows[i]];
        }
        return part;
    }

    private static svm_node[] nodes(int count, int[] columns, double[] values) {
        svm_node[] nodes = new svm_node[count];
        for (int e = 0; e < count; e++) {
            nodes[e] = new svm_node();
            nodes[e].index = columns[e] + 1;
            nodes[e].value = values[e];
        }
        return nodes;
    }

    @Override
    public void predict(Fitted fitted, RowBlock rows, double[] predictions) {
        PeerRows.each(
                fitted.scaler().forBlocks().apply(rows),
                (block, i, count, columns, values) -> predictions[i] =
                        fitted.targets().original(svm.svm_predict(fitted.model(), nodes(count, columns, values))));
    }

    /** Returns 8 bytes per coefficient, and 12 per value of a support vector: its column and its value. */
    @Override
    public long bytes(Fitted fitted) {
        svm_model model = fitted.model();
        long bytes = 0;
        for (svm_node[] vector : model.SV) {
            bytes += 12L * vector.length;
        }
        for (double[] coefficients : model.sv_coef) {
            bytes += 8L * coefficients.length;
        }
        return bytes;
    }
}
