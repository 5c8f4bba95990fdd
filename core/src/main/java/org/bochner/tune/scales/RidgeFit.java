package org.bochner.tune.scales;

import java.util.List;
import org.bochner.data.RowBlock;
import org.bochner.stats.WeightMatrix;
import org.bochner.tune.folds.FoldedRows;

/** One ridge fit, its part of a criterion, and the derivatives of that part. */
final class RidgeFit {
    /**
     * The held-out fold that the fit is evaluated on; {@link FoldedRows#NONE} if it is fitted to and evaluated on all
     * rows.
     */
    private final int heldOut;

    final double[] weights;
    private final double[] mean;
    private final double[] targets;
    final double[] adjointShift;
    double value;
    double penaltySlope;

    /** The factor of w(f − y) in the derivative by the score of a row that the fit is evaluated on. */
    double direct;

    /** P, D×outputs; empty if none is needed. */
    double[] adjoint = new double[0];

    /** Q⁻¹ζ, D×probeCount. */
    double[] probes = new double[0];

    int probeCount;
    double perProbe;

    RidgeFit(int heldOut, double[] weights, double[] mean, double[] targets) {
        this.heldOut = heldOut;
        this.weights = weights;
        this.mean = mean;
        this.targets = targets;
        adjointShift = new double[targets.length];
    }

    private int columns() {
        int outputs = targets.length;
        return outputs + (adjoint.length == 0 ? 0 : outputs) + probeCount;
    }

    /** Returns the criterion that sums up the parts of some fits. */
    static CriterionResult result(List<RidgeFit> fits, double lambda, RidgeFolds problem) {
        int count = fits.stream().mapToInt(RidgeFit::columns).sum();
        double[] columns = new double[problem.features() * count];
        // The score of each column is reduced by its shift: the product with the mean, less an intercept.
        double[] shifts = new double[count];
        int at = 0;
        for (RidgeFit fit : fits) {
            at = fit.place(fit.weights, fit.targets, columns, shifts, at);
            if (fit.adjoint.length > 0) {
                at = fit.place(fit.adjoint, fit.adjointShift, columns, shifts, at);
            }
            at = fit.place(fit.probes, new double[fit.probeCount], columns, shifts, at);
        }
        return new FeatureResult(
                fits.stream().mapToDouble(fit -> fit.value).sum(),
                fits.stream().mapToDouble(fit -> fit.penaltySlope).sum(),
                lambda,
                WeightMatrix.of(problem.features(), count, columns),
                (tile, scores) -> replace(fits, problem, shifts, tile, scores),
                problem.rows());
    }

    /** Copies columns to their place among those of all fits; returns the place after them. */
    private int place(double[] from, double[] intercepts, double[] to, double[] shifts, int at) {
        int columns = intercepts.length;
        for (int j = 0; j < mean.length; j++) {
            for (int o = 0; o < columns; o++) {
                double entry = from[j * columns + o];
                to[j * shifts.length + at + o] = entry;
                shifts[at + o] += entry * mean[j];
            }
        }
        for (int o = 0; o < columns; o++) {
            shifts[at + o] -= intercepts[o];
        }
        return at + columns;
    }

    private static void replace(
            List<RidgeFit> fits, RidgeFolds problem, double[] shifts, FoldedRows.Tile tile, double[] scores) {
        RowBlock rows = tile.rows();
        for (int i = 0; i < rows.rows(); i++) {
            double rowWeight = problem.rowWeight(rows, i);
            int at = i * shifts.length;
            for (int c = 0; c < shifts.length; c++) {
                scores[at + c] -= shifts[c];
            }
            for (RidgeFit fit : fits) {
                at = fit.replace(problem, tile.fold(), rows, i, rowWeight, scores, at);
            }
        }
    }

    private int replace(
            RidgeFolds problem, int fold, RowBlock rows, int row, double rowWeight, double[] scores, int start) {
        int outputs = targets.length;
        boolean evaluated = heldOut == FoldedRows.NONE || heldOut == fold;
        boolean trained = heldOut != fold && adjoint.length > 0;
        int at = start;
        for (int o = 0; o < outputs; o++) {
            double residual = problem.outputs().target(rows, row, o) - scores[at + o];
            scores[at + o] = evaluated ? -direct * rowWeight * residual : 0;
            if (adjoint.length > 0) {
                scores[at + o] -= trained ? rowWeight * scores[at + outputs + o] : 0;
                scores[at + outputs + o] = trained ? rowWeight * residual : 0;
            }
        }
        at += adjoint.length > 0 ? 2 * outputs : outputs;
        for (int p = 0; p < probeCount; p++) {
            scores[at + p] *= perProbe * rowWeight;
        }
        return at + probeCount;
    }
}
