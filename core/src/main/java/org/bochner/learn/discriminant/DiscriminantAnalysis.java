package org.bochner.learn.discriminant;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.Setting;
import org.bochner.learn.Convergence;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.linear.ScoreAxes;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.stats.GramStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Linear discriminant analysis: the features of class k are normal with mean μₖ and a common covariance Σ. The score of
 * a class is the logarithm of its posterior probability, up to a number common to all classes:
 *
 * <pre>  sₖ(z) = eₖᵀΣ⁻¹(z − μ) − eₖᵀΣ⁻¹eₖ/2 + log πₖ,     eₖ = μₖ − μ,  μ = Σ πₖμₖ.</pre>
 *
 * <p>Σ is the pooled within-class covariance W/n, shrunk towards tr(W)/(nD)·I. Two classes have the single score
 * s₂ − s₁. The discriminant axes v maximise vᵀBv/vᵀΣv, where B = Σ πₖeₖeₖᵀ is the covariance of the class means, and
 * have vᵀΣv = 1. They are combinations of the functions Σ⁻¹eₖ, so a matrix of the size of the classes gives them.
 *
 * <p>The mean μ in place of 0 changes all scores of a row equally, and keeps them accurate if Σ is nearly singular.
 *
 * <p>Cost: D³/3 operations, and D² per class.
 */
public final class DiscriminantAnalysis {
    /** The score of a class without training rows, whose probability is 0. */
    private static final double NEVER = -1e100;

    /** Axes whose variance is a smaller share of the largest one are rounding errors. */
    private static final double LEAST_VARIANCE = 1e-10;

    private final GramStatistics statistics;
    private final Priors priors;
    private final Workers workers;
    private final int classes;
    private final List<Integer> present = new ArrayList<>();
    private final WithinScatter within;

    /**
     * Computes the within-class scatter; throws if it is zero or not finite.
     *
     * @param statistics the statistics of rows with classes
     */
    public DiscriminantAnalysis(GramStatistics statistics, Priors priors, Workers workers) {
        this.statistics = statistics;
        this.priors = priors;
        this.workers = workers;
        classes = statistics.targets();
        for (int k = 0; k < classes; k++) {
            if (statistics.targetMean(k) > 0) {
                present.add(k);
            }
        }
        double total = statistics.scatterTrace();
        if (!(total < Double.POSITIVE_INFINITY)) {
            throw new BochnerException(
                    "lda: the features are so large that their squares are not finite",
                    Remedy.set(Setting.PRECISION, "double", ""),
                    Remedy.advice("scale the rows"));
        }
        within = new WithinScatter(statistics, present, workers);
        if (!(within.trace() > statistics.features() * Math.ulp(total))) {
            throw new BochnerException(
                    "lda: the rows of each class have equal features (" + statistics.weighedRows() + " rows of "
                            + present.size() + " classes), so there is no covariance within the classes; lda needs a"
                            + " class with two different rows",
                    Remedy.set(Setting.LEARNER, "ridge", "does without"));
        }
    }

    /** Returns the shrinkage of Ledoit and Wolf, between 0 and 1. */
    public double ledoitWolf() {
        return within.ledoitWolf();
    }

    /**
     * Returns the penalty of ridge regression that adds as much to the diagonal of the scatter, relative to it, as a
     * shrinkage does.
     */
    public double equivalentLambda(double shrinkage) {
        return shrinkage / (1 - shrinkage) * within.trace() / statistics.features();
    }

    /** Fits with the shrinkage of Ledoit and Wolf. */
    public LinearFit fit() {
        return fit(ledoitWolf(), "the shrinkage of Ledoit and Wolf");
    }

    /**
     * Fits with a given shrinkage; throws if it is 0 and the covariance is singular.
     *
     * @param reason why the shrinkage was taken
     */
    public LinearFit fit(double shrinkage, String reason) {
        Require.that(shrinkage >= 0 && shrinkage <= 1, "lda", "shrinkage must be from 0 to 1, got " + shrinkage);
        int features = statistics.features();
        int count = present.size();
        double[] prior = priors();
        Means means = means(prior);
        double[] solved = means.differences.clone();
        Cholesky factor = within.factor(shrinkage);
        factor.solve(solved, count, workers);
        double weight = statistics.totalRowWeight();
        for (int i = 0; i < solved.length; i++) {
            solved[i] *= weight;
        }
        double[] products = products(means.differences, solved, features, count);
        double[] constants = new double[count];
        for (int p = 0; p < count; p++) {
            constants[p] = Math.log(prior[p]) - products[p * (count + 1)] / 2;
        }
        Axes axes = axes(products, prior, constants);
        OutputCoding coding = OutputCoding.of(statistics.labels());
        double[] weights = outputs(solved, features, coding);
        double[] intercepts = outputIntercepts(constants, coding);
        LinearModel.uncentre(intercepts, weights, means.centre);
        for (int o = 0; o < coding.count(); o++) {
            statistics.penalty().unwhiten(weights, o, coding.count());
        }
        PathPoint point = new PathPoint(shrinkage, Double.NaN, Double.NaN, Double.NaN);
        Convergence convergence =
                new Convergence("Cholesky factor", 1, axes.separation, "residual", 0, 0, Convergence.End.DIRECT);
        return new LinearFit(
                new LinearModel(features, coding.count(), weights, intercepts),
                point,
                List.of(point),
                reason,
                convergence,
                axes.of(coding, present, prior));
    }

    /** Returns the prior probability of each class that is present. */
    private double[] priors() {
        double[] prior = new double[present.size()];
        Arrays.setAll(prior, p -> priors == Priors.EQUAL ? 1.0 / prior.length : statistics.targetMean(present.get(p)));
        return prior;
    }

    /**
     * The means of the classes that are present.
     *
     * @param centre μ, the mean of the class means with the priors as weights
     * @param differences eₖ, the differences of the class means from μ, D×present, row-major
     */
    @SuppressWarnings("ArrayRecordComponent") // private; never compared
    private record Means(double[] centre, double[] differences) {}

    private Means means(double[] prior) {
        double[] centre = statistics.mean();
        int features = centre.length;
        int count = prior.length;
        double[] differences = new double[Math.multiplyExact(features, count)];
        for (int p = 0; p < count; p++) {
            int target = present.get(p);
            double scale = 1 / (statistics.totalRowWeight() * statistics.targetMean(target));
            double[] cross = statistics.cross(target);
            for (int j = 0; j < features; j++) {
                differences[j * count + p] = scale * cross[j];
            }
        }
        for (int j = 0; j < features; j++) {
            double shift = 0;
            for (int p = 0; p < count; p++) {
                shift += prior[p] * differences[j * count + p];
            }
            centre[j] += shift;
            for (int p = 0; p < count; p++) {
                differences[j * count + p] -= shift;
            }
        }
        return new Means(centre, differences);
    }

    /** Returns eₖᵀΣ⁻¹eₗ, present×present. */
    private static double[] products(double[] differences, double[] solved, int features, int count) {
        double[] products = new double[count * count];
        Matrix<double[]> transposed = Matrix.of(differences, features, count).transposed();
        Blas.get().multiply(transposed, Matrix.of(solved, features, count), products);
        return products;
    }

    /** Returns the weights of the outputs, D×outputs, from those of the classes that are present. */
    private double[] outputs(double[] solved, int features, OutputCoding coding) {
        int count = present.size();
        double[] weights = new double[Math.multiplyExact(features, coding.count())];
        for (int j = 0; j < features; j++) {
            for (int p = 0; p < count; p++) {
                double weight = solved[j * count + p];
                if (coding.count() == 1) {
                    weights[j] += present.get(p) == 1 ? weight : -weight;
                } else {
                    weights[j * coding.count() + present.get(p)] = weight;
                }
            }
        }
        return weights;
    }

    private double[] outputIntercepts(double[] constants, OutputCoding coding) {
        double[] ofClasses = new double[classes];
        Arrays.fill(ofClasses, NEVER);
        for (int p = 0; p < constants.length; p++) {
            ofClasses[present.get(p)] = constants[p];
        }
        return coding.count() == 1 ? new double[] {ofClasses[1] - ofClasses[0]} : ofClasses;
    }

    /**
     * The axes as combinations of the functions Σ⁻¹eₖ of the classes that are present.
     *
     * @param matrix present×axes, row-major
     * @param variances of the class means along each axis, descending
     * @param constants the constants of the scores
     * @param separation Σ πₖeₖᵀΣ⁻¹eₖ, the sum of the variances of all axes
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Axes(double[] matrix, double[] variances, double[] constants, double separation) {
        /** Returns the axes of the outputs; null if there are none. */
        @Nullable
        ScoreAxes of(OutputCoding coding, List<Integer> present, double[] prior) {
            int count = variances.length;
            if (count == 0) {
                return null;
            }
            if (coding.count() == 1) {
                // The functions of the two classes are −π₂ and π₁ times that of their difference.
                double factor = Math.abs(matrix[1] * prior[0] - matrix[0] * prior[1]);
                return new ScoreAxes(
                        1, new double[] {factor}, new double[] {factor * (constants[0] - constants[1])}, variances);
            }
            double[] ofOutputs = new double[coding.count() * count];
            double[] offsets = new double[count];
            for (int p = 0; p < present.size(); p++) {
                for (int a = 0; a < count; a++) {
                    ofOutputs[present.get(p) * count + a] = matrix[p * count + a];
                    offsets[a] -= matrix[p * count + a] * constants[p];
                }
            }
            return new ScoreAxes(coding.count(), ofOutputs, offsets, variances);
        }
    }

    /**
     * Finds the axes from an eigenproblem of the size of the classes: with G = eᵀΣ⁻¹e and P = diag(π), the eigenvectors c
     * of √P·G·√P give v = Σ⁻¹e·√P·c/√λ, with variance λ. The largest entry of √P·c is made positive.
     */
    private static Axes axes(double[] products, double[] prior, double[] constants) {
        int count = prior.length;
        double[] vectors = new double[count * count];
        double separation = 0;
        for (int p = 0; p < count; p++) {
            separation += prior[p] * products[p * (count + 1)];
            for (int q = p; q < count; q++) {
                vectors[p * count + q] = Math.sqrt(prior[p] * prior[q]) * products[p * count + q];
            }
        }
        double[] ascending = Blas.get().eigen(count, vectors);
        int axes = 0;
        while (axes < count - 1 && ascending[count - 1 - axes] > LEAST_VARIANCE * ascending[count - 1]) {
            axes++;
        }
        double[] matrix = new double[count * axes];
        double[] variances = new double[axes];
        for (int a = 0; a < axes; a++) {
            int row = (count - 1 - a) * count;
            variances[a] = ascending[count - 1 - a];
            double largest = 0;
            for (int p = 0; p < count; p++) {
                double entry = Math.sqrt(prior[p] / variances[a]) * vectors[row + p];
                matrix[p * axes + a] = entry;
                largest = Math.abs(entry) > Math.abs(largest) ? entry : largest;
            }
            if (largest < 0) {
                for (int p = 0; p < count; p++) {
                    matrix[p * axes + a] = -matrix[p * axes + a];
                }
            }
        }
        return new Axes(matrix, variances, constants, separation);
    }
}
