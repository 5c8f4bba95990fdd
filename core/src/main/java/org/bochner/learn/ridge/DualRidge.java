package org.bochner.learn.ridge;

import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.LinearModel;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.DualStatistics;

/** Ridge regression from the n×n inner products of the rows: (K + λI)·α = y and w = Zᵀα. */
final class DualRidge extends RidgeProblem {
    /** Maximum number of rows for leave-one-out errors, which need an inverse; with more, one fold is held out. */
    private static final int MOST_LEFT_OUT = 2048;

    private final DualStatistics dual;

    DualRidge(DualStatistics dual, Workers workers) {
        super(dual, workers);
        this.dual = dual;
    }

    @Override
    void copyMatrix(double lambda, double[] to) {
        if (lambda == 0) {
            // Centred rows are linearly dependent, but rounding may hide the dependence from the factorisation.
            String why = dual.features() > dual.matrixSize()
                    ? " with fewer rows, " + dual.matrixSize() + ", than features, " + dual.features()
                    : " from kernel values between rows";
            throw new BochnerException(
                    "ridge: lambda=0 has no unique solution" + why + "; use a larger lambda, or lambda=auto");
        }
        dual.copyProducts(lambda, to);
    }

    @Override
    double[] rightHandSides() {
        double[] sides = new double[Math.multiplyExact(dual.matrixSize(), outputs)];
        for (int o = 0; o < outputs; o++) {
            double[] target = dual.centredTarget(coding.target(o));
            for (int i = 0; i < target.length; i++) {
                sides[i * outputs + o] = coding.scale() * target[i];
            }
        }
        return sides;
    }

    @Override
    double squaredResiduals(double lambda, double[] coefficients) {
        // y − Kα = λα.
        return lambda * lambda * Vectors.dot(coefficients, coefficients);
    }

    @Override
    double[] weights(Solved solution) {
        return dual.combine(solution.coefficients(), outputs);
    }

    /** Returns αᵀKα = αᵀ(y − λα), whether or not the features have inner products K. */
    @Override
    double squaredNorm(Solved solution, LinearModel model) {
        double[] alpha = solution.coefficients();
        return Vectors.dot(alpha, rightHandSides()) - solution.point().lambda() * Vectors.dot(alpha, alpha);
    }

    @Override
    ValidationError validationError() {
        // Rows of one group are not independent, so groups must be held out as a whole.
        long groups = IntStream.range(0, dual.matrixSize())
                .mapToLong(dual::group)
                .distinct()
                .count();
        if (dual.matrixSize() > MOST_LEFT_OUT || groups < dual.matrixSize()) {
            DualHeldOut heldOut = DualHeldOut.of(this, dual);
            if (heldOut != null) {
                return heldOut.error();
            }
        }
        return new ValidationError("leave-one-out cross-validation", this::leaveOneOut);
    }

    /**
     * Computes the exact leave-one-out error. With G = K + λI, the residuals of the fit are λα, the leverage of a row is
     * {@code 1 − λ(G⁻¹)ᵢᵢ + wᵢ/Σw}, where the last term belongs to the intercept, and the leave-one-out residual of a
     * row is its residual divided by one minus its leverage.
     */
    private PathPoint leaveOneOut(double lambda) {
        Cholesky factor = factor(lambda);
        double[] coefficients = rightHandSides();
        factor.solve(coefficients, outputs, workers);
        double[] inverse = factor.inverseDiagonal(workers);
        double sum = 0;
        double freedom = 0;
        for (int i = 0; i < inverse.length; i++) {
            double slack = lambda * inverse[i] - dual.share(i);
            freedom += 1 - slack;
            for (int o = 0; o < outputs; o++) {
                double residual = lambda * coefficients[i * outputs + o] / slack;
                sum += residual * residual;
            }
        }
        return new PathPoint(lambda, freedom, meanSquare(squaredResiduals(lambda, coefficients)), meanSquare(sum));
    }
}
