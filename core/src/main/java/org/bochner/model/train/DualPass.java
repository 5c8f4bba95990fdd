package org.bochner.model.train;

import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.data.sample.RowCount;
import org.bochner.map.FeatureMap;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.DualAccumulator;
import org.bochner.stats.DualStatistics;
import org.bochner.stats.FeaturePass;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.Statistics;
import org.jspecify.annotations.Nullable;

/**
 * The pass for ridge regression in the dual: over sparse rows with sparse features that outnumber the rows. It keeps
 * the features and computes the inner products of the rows. It decides whether the dual is smaller, and throws before
 * it would exceed the memory.
 */
public final class DualPass {
    private final RowSource source;
    private final Transformer transformer;
    private final Workers workers;
    private final PassTimes times;
    private final int features;
    private final int targets;
    private long rows;
    private long bytesNeeded;

    DualPass(RowSource source, Transformer transformer, Workers workers, PassTimes times) {
        this.times = times;
        this.source = source;
        this.transformer = transformer;
        this.workers = workers;
        features = transformer.map().outputDimension();
        targets = Statistics.targets(source.labels());
    }

    /** Returns true if the rows have sparse features. */
    boolean isSparse() {
        FeatureMap map = transformer.map();
        return map.makesSparse()
                || (source.sparse()
                        && map.keepsSparsity()
                        && transformer.scaler().keepsZeros());
    }

    /** Returns true if the matrix of the rows' inner products is smaller; notes the choice if there was one. */
    public boolean isSmaller(Notes notes) {
        FeatureMap map = transformer.map();
        if (!isSparse()) {
            return false;
        }
        String primal = "ridge was solved with a matrix of the features, " + size(features) + ", because ";
        if (!map.hasPlainPenalty()) {
            notes.choice(primal + "the penalty of the map is not the plain one");
            return false;
        }
        rows = RowCount.of(source);
        boolean smaller = rows < features;
        notes.choice(
                smaller
                        ? "ridge was solved in the dual, with a matrix of the rows, " + size(rows)
                                + ", because that is smaller than one of the sparse features, " + size(features)
                        : primal + "that is no larger than one of the rows, " + size(rows));
        return smaller;
    }

    /** Returns why the inner products of the rows cannot be computed; null if they can, as far as is known. */
    @Nullable
    String obstacle(MemoryBudget budget) {
        if (rows > DualAccumulator.MOST_ROWS) {
            return "the inner products of " + rows + " rows are more than the 2^31 numbers an array can hold";
        }
        double needed = (double) DualAccumulator.bytesNeeded(rows, 0, features, targets, workers.threads());
        return budget.holds(needed) ? null : obstacle(needed, budget);
    }

    private String obstacle(double needed, MemoryBudget budget) {
        return budget.compared("the inner products of " + rows + " rows", needed);
    }

    /** Returns why the inner products of the rows and their features, so far, cannot be kept. */
    String obstacle() {
        return obstacle((double) bytesNeeded, MemoryBudget.whole());
    }

    private static String size(long size) {
        return size + " x " + size;
    }

    /** Returns the number of rows; empty if the dual is impossible. */
    public OptionalLong rows() {
        return rows == 0 ? OptionalLong.empty() : OptionalLong.of(rows);
    }

    /** Throws if the memory does not suffice without the features, whose size is known only after mapping. */
    public long requireMemory() {
        requireMemory(0);
        DualAccumulator.requireMatrixSize(rows);
        return bytesNeeded;
    }

    private void requireMemory(long entries) {
        bytesNeeded = DualAccumulator.bytesNeeded(rows, entries, features, targets, workers.threads());
        double gram = GramAccumulator.bytes(features, targets, workers.threads(), Precision.FLOAT32);
        MemoryBudget.whole()
                .require(
                        (double) bytesNeeded,
                        source.name() + ": the inner products of " + rows + " rows of sparse features",
                        "take the learner ridge(solver=cg), logistic or svm(loss=squared-hinge), which need no such matrix",
                        "use fewer rows",
                        "use fewer features than rows (a Gram matrix of the " + features + " features takes "
                                + MemoryBudget.print(gram) + ")");
    }

    /** Maps all rows and computes their inner products. */
    public DualStatistics run(ClassWeights weights, Progress progress) {
        DualAccumulator total = new DualAccumulator(features, source.labels(), weights);
        new FeaturePass(source, transformer.scaler(), List.of(transformer.map()), Precision.FLOAT32, true, workers)
                .run(Object::new, (rows, none) -> rows.entries(), (done, none) -> {
                    SparseRows mapped = Objects.requireNonNull(done.last().entries(), "features are sparse");
                    requireMemory(total.entries() + mapped.entries());
                    total.add(mapped);
                    times.mapNanos += done.last().takeNanos();
                    progress.report("mapping", total.rows(), done.fraction());
                });
        long start = System.nanoTime();
        progress.report("multiplying rows", total.rows(), Double.NaN);
        DualStatistics statistics = total.freeze(workers);
        // The other times are sums over threads.
        times.productNanos += (System.nanoTime() - start) * workers.threads();
        if (!(statistics.totalRowWeight() > 0)) {
            throw new BochnerException(source.name() + ": holds no rows, or none with a row weight above 0");
        }
        return statistics;
    }

    /** Returns the bytes needed for the rows so far; 0 if the pass was not used. */
    public long bytesNeeded() {
        return bytesNeeded;
    }
}
