package org.bochner.model.train;

import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.learn.Learner;
import org.bochner.map.binning.BinningRecipe;
import org.bochner.model.train.ScaleWalk.Attempt;
import org.bochner.scale.Scaler;

/** Compares kernels with random grids, on held-out rows. */
record GridComparison(BinningRecipe grids) implements Comparison {
    @Override
    public double sampledRows(long rows) {
        return CellPass.SAMPLED;
    }

    @Override
    public double firstRows() {
        return CellPass.FIRST;
    }

    @Override
    public String method(long rows) {
        return CellPass.isFolded(rows) ? Comparison.super.method(rows) : "on a quarter of %,d %s, held out";
    }

    /** Rough kernels need short length-scales, and errors with few grids are too noisy to tell from one step up. */
    @Override
    public boolean shortensFirst() {
        return true;
    }

    /**
     * The best length-scales of random grids are far shorter than the measured ones, by a factor that differs between scalings.
     * Near the measured ones, errors are noisy, because few grids have more than a few cells.
     */
    @Override
    public Attempt start(ScaleWalk walk, ScaleCandidate candidate, double least) {
        Attempt best = walk.at(candidate, 0);
        for (int step : CellPass.STARTS) {
            best = ScaleWalk.better(best, walk.at(candidate, step));
        }
        return walk.moveAll(best, 2);
    }

    @Override
    public double error(ScaleSample sample, Scaler scaler, RowSample rows, Kernel kernel, boolean free) {
        double lambda = sample.penalty();
        Learner ridge = lambda > 0 ? Learner.ridge().withLambda(lambda) : Learner.ridge();
        return new CellPass(grids, sample.rows(), scaler, sample.workers())
                .heldOutError(kernel, ridge, sample.weights(), sample.seed());
    }
}
