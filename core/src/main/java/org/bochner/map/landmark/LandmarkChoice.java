package org.bochner.map.landmark;

import java.util.Locale;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.additive.Linear;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;

/** The ways to choose landmarks among sampled rows. */
public enum LandmarkChoice {
    /** All given rows, in their order. */
    GIVEN {
        @Override
        RowBlock choose(Kernel kernel, RowBlock rows, int count, Seed seed, Workers workers) {
            return rows;
        }
    },
    /** Every row is equally likely. */
    UNIFORM {
        @Override
        RowBlock choose(Kernel kernel, RowBlock rows, int count, Seed seed, Workers workers) {
            return LandmarkRows.select(rows, Draws.uniform(rows.rows(), count, seed.stream()));
        }
    },
    /** The centres of clusters, by k-means with the distance of the kernel's features if it is shift-invariant. */
    K_MEANS {
        @Override
        RowBlock choose(Kernel kernel, RowBlock rows, int count, Seed seed, Workers workers) {
            Kernel distance = kernel instanceof ShiftInvariantKernel ? kernel : new Linear();
            return KMeans.cluster(distance, rows, count, seed, workers).centres();
        }
    },
    /** The centres of clusters, which the recipe then moves by {@link LearnedLandmarks}. */
    LEARNED {
        @Override
        RowBlock choose(Kernel kernel, RowBlock rows, int count, Seed seed, Workers workers) {
            return K_MEANS.choose(kernel, rows, count, seed, workers);
        }
    },
    /** The rows with the smallest summed distances, in the space of the kernel, to the rows of their clusters. */
    K_MEDOIDS {
        @Override
        RowBlock choose(Kernel kernel, RowBlock rows, int count, Seed seed, Workers workers) {
            return LandmarkRows.select(rows, KMedoids.choose(kernel, rows, count, seed, workers));
        }
    },
    /** The rows nearest to the centres of clusters of randomly projected rows. */
    PROJECTED {
        @Override
        RowBlock choose(Kernel kernel, RowBlock rows, int count, Seed seed, Workers workers) {
            DenseRows projected = ClusterUnits.of(kernel, rows).projected(MOST_PROJECTED, seed.derive("projection"));
            return LandmarkRows.select(
                    rows,
                    KMeans.cluster(new Linear(), projected, count, seed, workers)
                            .nearestRows());
        }
    },
    /** Rows with probabilities in proportion to their approximate ridge leverage scores. */
    LEVERAGE {
        @Override
        RowBlock choose(Kernel kernel, RowBlock rows, int count, Seed seed, Workers workers) {
            double[] scores = LeverageScores.of(kernel, rows, count, seed.derive("scores"), workers);
            return LandmarkRows.select(rows, Draws.withoutReplacement(scores, count, seed.stream()));
        }
    },
    /**
     * Pivoted Cholesky: each landmark is the row with the largest residual k(x, x) − |g(x)|² given the landmarks before
     * it.
     */
    PIVOTS {
        @Override
        RowBlock choose(Kernel kernel, RowBlock rows, int count, Seed seed, Workers workers) {
            IncompleteCholesky factor = new IncompleteCholesky(kernel, rows, count);
            double least = factor.least(0);
            while (factor.rank() < count) {
                int largest = largest(factor.residual());
                if (factor.add(new int[] {largest}, (row, residual) -> residual > least, workers) == 0) {
                    break;
                }
            }
            return LandmarkRows.select(rows, factor.pivots());
        }
    },
    /**
     * Each landmark is drawn with a probability proportional to its residual. Several candidates are drawn at a time; a
     * candidate is accepted with the probability (residual now) / (residual when drawn).
     */
    RANDOM_PIVOTS {
        @Override
        RowBlock choose(Kernel kernel, RowBlock rows, int count, Seed seed, Workers workers) {
            IncompleteCholesky factor = IncompleteCholesky.random(kernel, rows, count, 0, seed, workers);
            return LandmarkRows.select(rows, factor.pivots());
        }
    };

    /** The most columns of projected rows. */
    private static final int MOST_PROJECTED = 32;

    /**
     * Chooses landmarks.
     *
     * @param count the number of landmarks, at most that of the rows; fewer are chosen if rows depend on each other
     */
    abstract RowBlock choose(Kernel kernel, RowBlock rows, int count, Seed seed, Workers workers);

    /** Returns the index of the largest value; the first of several. */
    private static int largest(double[] values) {
        int best = 0;
        for (int i = 1; i < values.length; i++) {
            best = values[i] > values[best] ? i : best;
        }
        return best;
    }

    /** Returns the name in spellings. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
