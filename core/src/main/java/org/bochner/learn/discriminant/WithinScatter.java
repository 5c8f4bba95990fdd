package org.bochner.learn.discriminant;

import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.Spelling;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.matrix.NotPositiveDefiniteException;
import org.bochner.numeric.matrix.Strips;
import org.bochner.stats.GramStatistics;

/**
 * The pooled within-class scatter W = Σ w (z − μ_class)(z − μ_class)ᵀ, and its shrinkage towards a multiple of the
 * identity. W is the scatter of all rows minus that of the class means, so it needs no further pass.
 *
 * <p>Memory: 8·D² bytes besides the statistics. Threads: not safe; {@link #factor} overwrites the matrix.
 */
final class WithinScatter {
    /** Rows per strip of a product; a constant, because results must not depend on the number of threads. */
    private static final int STRIP = 128;

    private final GramStatistics statistics;
    private final Workers workers;
    private final int features;
    /** Class means minus the mean of all rows, times the root of the class's weight: present×D, row-major. */
    private final double[] roots;

    private final int present;
    private final double[] matrix;
    private final double trace;
    private final double squaredNorm;

    /**
     * Computes the scatter.
     *
     * @param present the classes with a weight above 0
     */
    WithinScatter(GramStatistics statistics, List<Integer> present, Workers workers) {
        this.statistics = statistics;
        this.workers = workers;
        this.present = present.size();
        features = statistics.features();
        roots = new double[Math.multiplyExact(this.present, features)];
        for (int p = 0; p < this.present; p++) {
            int target = present.get(p);
            // Σ w (y − ȳ)(z − z̄) of an indicator y is the class's weight times μ − z̄.
            double scale = 1 / Math.sqrt(statistics.totalRowWeight() * statistics.targetMean(target));
            double[] cross = statistics.cross(target);
            for (int j = 0; j < features; j++) {
                roots[p * features + j] = scale * cross[j];
            }
        }
        matrix = new double[features * features];
        write();
        double diagonals = 0;
        double squares = 0;
        for (int i = 0; i < features; i++) {
            double diagonal = matrix[i * (features + 1)];
            diagonals += diagonal;
            double row = diagonal * diagonal / 2;
            for (int j = i + 1; j < features; j++) {
                row += matrix[i * features + j] * matrix[i * features + j];
            }
            squares += 2 * row;
        }
        trace = diagonals;
        squaredNorm = squares;
    }

    /** Writes the scatter into the upper triangle of the matrix. */
    private void write() {
        statistics.copyScatter(0, matrix);
        Strips.each(workers, features, STRIP, (first, to) -> {
            int height = to - first;
            Blas.get()
                    .multiply(
                            -1.0,
                            Matrix.of(roots, first, present, height, features).transposed(),
                            Matrix.of(roots, first, present, features - first, features),
                            1.0,
                            Matrix.of(matrix, first * (features + 1), height, features - first, features));
        });
    }

    /** Returns tr W. */
    double trace() {
        return trace;
    }

    /**
     * Returns the shrinkage α that minimises the expected squared error of (1 − α)·S + α·tr(S)/D·I as an estimate of
     * the covariance, with S = W/n: the coefficient of Ledoit and Wolf (2004, doi:10.1016/S0047-259X(03)00096-4) in its
     * Rao-Blackwell form for normal rows (Chen, Wiesel, Eldar and Hero, 2010, doi:10.1109/TSP.2010.2053029). That
     * form depends on tr S and |S|² alone, where the original needs the fourth moments of the rows.
     */
    double ledoitWolf() {
        double freedom = Math.max(1, statistics.weighedRows() - present);
        double spread = squaredNorm - trace * trace / features;
        double noise = (freedom - 2) / freedom * squaredNorm + trace * trace;
        double shrinkage = noise / ((freedom + 2) * spread);
        // NaN and infinity, of a scatter that is a multiple of the identity already, become 1.
        return shrinkage < 1 ? Math.max(0, shrinkage) : 1;
    }

    /** Factors (1 − α)·W + α·tr(W)/D·I; throws if the matrix is singular. */
    Cholesky factor(double shrinkage) {
        long freedom = statistics.weighedRows() - present;
        if (shrinkage == 0 && features > freedom) {
            throw singular(
                    shrinkage,
                    features + " features are more than " + statistics.weighedRows() + " rows minus " + present
                            + " classes");
        }
        write();
        for (int i = 0; i < features; i++) {
            for (int j = i; j < features; j++) {
                matrix[i * features + j] *= 1 - shrinkage;
            }
            matrix[i * (features + 1)] += shrinkage * trace / features;
        }
        try {
            Cholesky factor = Cholesky.factor(matrix, features, workers);
            requireRegular(shrinkage);
            return factor;
        } catch (NotPositiveDefiniteException e) {
            throw singular(shrinkage, "feature " + e.pivot() + " depends on the features before it");
        }
    }

    /** Throws if, without shrinkage, a pivot of the factor is no larger than the rounding error of the scatter. */
    private void requireRegular(double shrinkage) {
        if (shrinkage > 0) {
            return;
        }
        double least = Math.sqrt(features * Math.ulp(statistics.scatterTrace()));
        for (int i = 0; i < features; i++) {
            if (!(matrix[i * (features + 1)] > least)) {
                throw singular(shrinkage, "feature " + i + " depends on the features before it");
            }
        }
    }

    private static BochnerException singular(double shrinkage, String reason) {
        return new BochnerException(
                "lda: with shrinkage " + Spelling.print(shrinkage) + ", the covariance within the classes is singular: "
                        + reason,
                Remedy.set(Setting.LEARNER, "lda(shrinkage=auto)", "shrinks it"),
                Remedy.set(Setting.FEATURES, "with a smaller number takes fewer features"));
    }
}
