package org.bochner.learn;

import org.bochner.base.BochnerException;
import org.bochner.numeric.Workers;
import org.bochner.stats.DualStatistics;

/** Ridge regression by the n×n inner products of the rows: (K + λI)·α = y and w = Zᵀα. */
final class DualRidge extends RidgeProblem {
    private final DualStatistics dual;

    DualRidge(DualStatistics dual, Workers workers) {
        super(dual, workers);
        this.dual = dual;
    }

    @Override
    void copyMatrix(double lambda, double[] to) {
        if (lambda == 0) {
            // Centred rows depend on each other, but rounding may hide it from the factorisation.
            throw new BochnerException("ridge: lambda=0 has no unique solution with fewer rows, " + dual.order()
                    + ", than features, " + dual.features() + "; use a larger lambda, or lambda=auto");
        }
        dual.copyProducts(lambda, to);
    }

    @Override
    double[] rightHandSides() {
        double[] sides = new double[Math.multiplyExact(dual.order(), outputs)];
        for (int o = 0; o < outputs; o++) {
            double[] target = dual.centredTarget(target(o));
            for (int i = 0; i < target.length; i++) {
                sides[i * outputs + o] = scale() * target[i];
            }
        }
        return sides;
    }

    @Override
    double squaredResiduals(double lambda, double[] coefficients) {
        // y − Kα = λα.
        double sum = 0;
        for (double a : coefficients) {
            sum += a * a;
        }
        return lambda * lambda * sum;
    }

    @Override
    double[] weights(Solution solution) {
        return dual.combine(solution.coefficients, outputs);
    }

    @Override
    String singular(int pivot) {
        return "rows depend on each other (pivot " + pivot + " of " + dual.order() + ")";
    }
}
