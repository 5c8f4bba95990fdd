package org.bochner.kernel;

import java.util.ArrayList;
import java.util.List;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.data.ColumnNames;
import org.bochner.data.ColumnRange;
import org.bochner.kernel.additive.Chi2;
import org.bochner.kernel.additive.Hellinger;
import org.bochner.kernel.additive.Intersection;
import org.bochner.kernel.additive.JensenShannon;
import org.bochner.kernel.additive.Linear;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.kernel.composed.ProductKernel;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.kernel.composed.RadialProfile;
import org.bochner.kernel.composed.ScaledKernel;
import org.bochner.kernel.composed.SkewedKernel;
import org.bochner.kernel.composed.SumKernel;
import org.bochner.kernel.composed.WarpedKernel;
import org.bochner.kernel.dot.ArcCosine;
import org.bochner.kernel.dot.ArcSine;
import org.bochner.kernel.dot.Polynomial;
import org.bochner.kernel.shift.Cauchy;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.kernel.shift.Laplacian;
import org.bochner.kernel.shift.Matern;
import org.bochner.kernel.shift.Periodic;
import org.bochner.kernel.shift.RationalQuadratic;
import org.bochner.kernel.shift.Sech;
import org.bochner.kernel.shift.Stable;
import org.bochner.kernel.shift.Wavelet;

/**
 * Creates kernels from their parameters or from their spellings.
 *
 * <pre>{@code
 * Kernel kernel = Kernels.sum(
 *         Kernels.channel(Kernels.gaussian(2), 0, 64),
 *         Kernels.scaled(0.5, Kernels.channel(Kernels.chi2(), 64, 128)));
 * Kernel same = Kernels.parse("gaussian(sigma=2)[0:64] + 0.5*chi2[64:128]");
 * }</pre>
 *
 * <p>A spelling is a sum of terms, {@code gaussian(sigma=1) + 0.5*laplacian(sigma=3)}. A term may have columns, {@code
 * gaussian(sigma=2)[0:64]}, or a warp, {@code laplacian(sigma=1)@log(c=0.1)}. It may be a product of kernels with
 * columns of their own, {@code gaussian(sigma=2)[0:2] * periodic(width=0.5)[2:3]}.
 *
 * <p>A length-scale is one number for all columns, or a {@link Bandwidth} with one per column range.
 */
public final class Kernels {
    private Kernels() {}

    /**
     * Reads a kernel. The text that a kernel prints gives an equal kernel. All scales must be present.
     *
     * @throws org.bochner.base.SpellingException if the text cannot be read
     */
    public static Kernel parse(String text) {
        return Spelling.reading(() -> recipe(text).complete());
    }

    /** Reads a kernel in which scales may be missing. */
    public static KernelRecipe recipe(String text) {
        return recipe(text, ColumnNames.none());
    }

    /**
     * Reads a kernel in which channels and columns may have names: {@code gaussian[colour] + laplacian[texture]}. Terms
     * whose columns are not known yet ({@link ColumnNames#unread}) become kernels of all columns, which is enough to
     * check the rest of the spelling.
     */
    public static KernelRecipe recipe(String text, ColumnNames names) {
        return Spelling.reading(() -> new KernelParser(text, names).parse());
    }

    /** Returns all families that a spelling may name: the library's own first, then those found on the class path. */
    public static List<KernelFamily> families() {
        return List.copyOf(KernelFamilies.all());
    }

    /** Returns the Gaussian kernel, exp(−|x − y|²/(2σ²)). */
    public static ShiftInvariantKernel gaussian(double sigma) {
        return gaussian(Bandwidth.of(sigma));
    }

    public static ShiftInvariantKernel gaussian(Bandwidth sigma) {
        return new Gaussian(sigma);
    }

    /** Returns the Laplacian kernel, exp(−Σ|xₗ − yₗ|/σ). */
    public static ShiftInvariantKernel laplacian(double sigma) {
        return laplacian(Bandwidth.of(sigma));
    }

    public static ShiftInvariantKernel laplacian(Bandwidth sigma) {
        return new Laplacian(sigma);
    }

    /** Returns the wavelet kernel, ∏ cos(f·u)·exp(−u²/2) with u = (xₗ − yₗ)/σ and the frequency f. */
    public static ShiftInvariantKernel wavelet(double frequency, double sigma) {
        return wavelet(frequency, Bandwidth.of(sigma));
    }

    /** Returns the wavelet kernel with one length-scale per column range. */
    public static ShiftInvariantKernel wavelet(double frequency, Bandwidth sigma) {
        return new Wavelet(frequency, sigma);
    }

    /** Returns the Cauchy kernel, ∏ 1/(1 + (xₗ − yₗ)²/σ²). */
    public static ShiftInvariantKernel cauchy(double sigma) {
        return cauchy(Bandwidth.of(sigma));
    }

    public static ShiftInvariantKernel cauchy(Bandwidth sigma) {
        return new Cauchy(sigma);
    }

    /** Returns the Matérn kernel of smoothness nu. */
    public static ShiftInvariantKernel matern(double nu, double sigma) {
        return matern(nu, Bandwidth.of(sigma));
    }

    public static ShiftInvariantKernel matern(double nu, Bandwidth sigma) {
        return new Matern(nu, sigma);
    }

    /** Returns the rational quadratic kernel, (1 + |x − y|²/(2ασ²))^−α. */
    public static ShiftInvariantKernel rationalQuadratic(double alpha, double sigma) {
        return rationalQuadratic(alpha, Bandwidth.of(sigma));
    }

    public static ShiftInvariantKernel rationalQuadratic(double alpha, Bandwidth sigma) {
        return new RationalQuadratic(alpha, sigma);
    }

    /**
     * Returns the stable kernel, exp(−(|x − y|_p/σ)^q), where |δ|_p = (Σ|δₗ|^p)^(1/p).
     *
     * @param p greater than 0 and at most 2
     * @param q greater than 0 and at most p
     */
    public static ShiftInvariantKernel stable(double p, double q, double sigma) {
        return stable(p, q, Bandwidth.of(sigma));
    }

    /** Returns the stable kernel with one length-scale per column range. */
    public static ShiftInvariantKernel stable(double p, double q, Bandwidth sigma) {
        return new Stable(p, q, sigma);
    }

    /** Returns the hyperbolic secant kernel, ∏ sech((xₗ − yₗ)/σ). */
    public static ShiftInvariantKernel sech(double sigma) {
        return sech(Bandwidth.of(sigma));
    }

    public static ShiftInvariantKernel sech(Bandwidth sigma) {
        return new Sech(sigma);
    }

    /**
     * Returns the periodic kernel of angles and other cyclic values.
     *
     * @param width how far apart two values may be and still be similar, in radians of the full period; at least 1e-4
     */
    public static ShiftInvariantKernel periodic(double period, double width) {
        return Periodic.ofPeriod(period, width);
    }

    /** Returns the periodic kernel with one period per column range. */
    public static ShiftInvariantKernel periodic(Bandwidth period, double width) {
        return Periodic.ofPeriod(period, width);
    }

    /** Returns the skewed χ² kernel, ∏ sech(power·log((xₗ + c)/(yₗ + c))). */
    public static Kernel skewedChi2(double c, double power) {
        return SkewedKernel.Kind.CHI2.kernel(c, power);
    }

    /** Returns the skewed χ² kernel with one c per column range; range r ends before column {@code ends[r]}. */
    public static Kernel skewedChi2(int[] ends, double[] c, Bandwidth power) {
        return SkewedKernel.Kind.CHI2.kernel(ends, c, power);
    }

    /** Returns the skewed intersection kernel, ∏ exp(−power·|log((xₗ + c)/(yₗ + c))|). */
    public static Kernel skewedIntersection(double c, double power) {
        return SkewedKernel.Kind.INTERSECTION.kernel(c, power);
    }

    /**
     * Returns the skewed intersection kernel with one c per column range; range r ends before column {@code ends[r]}.
     */
    public static Kernel skewedIntersection(int[] ends, double[] c, Bandwidth power) {
        return SkewedKernel.Kind.INTERSECTION.kernel(ends, c, power);
    }

    /** Returns the inner product of the rows. */
    public static SeparableKernel linear() {
        return new Linear();
    }

    /** Returns the polynomial kernel, (γ·x·y + c)^degree. */
    public static DotProductKernel polynomial(int degree, double gamma, double c) {
        return new Polynomial(degree, gamma, c);
    }

    /**
     * Returns the arc-sine kernel, of an infinitely wide layer of random sigmoid units.
     *
     * @param gamma the variance of the units' weights
     * @param c the variance of their biases
     */
    public static DotProductKernel arcSine(double gamma, double c) {
        return new ArcSine(gamma, c);
    }

    /** Returns the arc-cosine kernel of order 0 (random thresholds) or 1 (rectified linear units). */
    public static DotProductKernel arcCosine(int order) {
        return new ArcCosine(order);
    }

    /** Returns the χ² kernel of histograms, Σ 2xₗyₗ/(xₗ + yₗ); see {@link HomogeneousKernel#withDegree}. */
    public static HomogeneousKernel chi2() {
        return new Chi2(1);
    }

    /** Returns the intersection kernel of histograms, Σ min(xₗ, yₗ). */
    public static HomogeneousKernel intersection() {
        return new Intersection(1);
    }

    /** Returns the Jensen-Shannon kernel of histograms. */
    public static HomogeneousKernel jensenShannon() {
        return new JensenShannon(1);
    }

    /** Returns the Hellinger kernel of histograms, Σ √(xₗyₗ). */
    public static HomogeneousKernel hellinger() {
        return new Hellinger(1);
    }

    /** Returns exp(−gamma·D²), where D² is the squared distance of a kernel of histograms. */
    public static Kernel exponential(HomogeneousKernel kernel, double gamma) {
        return new RadialKernel(RadialProfile.EXP, kernel, gamma);
    }

    /** Returns exp(−beta·√D²), where D² is the squared distance of a kernel of histograms. */
    public static Kernel laplace(HomogeneousKernel kernel, double beta) {
        return new RadialKernel(RadialProfile.LAPLACE, kernel, beta);
    }

    /**
     * Returns a shift-invariant kernel of the distance √D², where D² is the squared distance of a kernel of histograms:
     * {@code radial(matern(1.5, 2), chi2())} is {@code matern-chi2(nu=1.5, sigma=2)}.
     *
     * <p>The profile must be a completely monotone function of the squared distance, as {@code matern}, {@code
     * rationalQuadratic} and {@code gaussian} are. These functions are the mixtures of Gaussian kernels, and the only
     * ones that are kernels for every number of features. An own profile implements {@link
     * ShiftInvariantKernel#ofScaledSquare} and has the spectrum {@link Spectrum#gaussianMixture}. Both are compared with
     * each other on 4096 drawn frequencies, and the signs of differences up to order 6 are tested.
     *
     * @throws IllegalArgumentException if the profile has several length-scales or is found not to be completely monotone
     */
    public static Kernel radial(ShiftInvariantKernel profile, HomogeneousKernel kernel) {
        return RadialKernel.of(profile, kernel);
    }

    /** Returns the sum of two or more kernels. */
    public static Kernel sum(Kernel... terms) {
        return new SumKernel(List.of(terms));
    }

    /** Returns a kernel multiplied by a positive factor. */
    public static Kernel scaled(double factor, Kernel kernel) {
        return new ScaledKernel(factor, kernel);
    }

    /** Returns a kernel of the columns from (inclusive) to (exclusive). */
    public static Kernel channel(Kernel kernel, int from, int to) {
        return ChannelKernel.of(kernel, from, to);
    }

    /** Returns a shift-invariant kernel of warped values, k(t(x), t(y)). */
    public static Kernel warped(ShiftInvariantKernel kernel, Warp warp) {
        return WarpedKernel.of(kernel, warp);
    }

    /**
     * Returns the product of shift-invariant kernels, each of columns of its own, which follow each other from column
     * 0.
     *
     * @param columns the number of columns of each factor
     */
    public static ShiftInvariantKernel product(List<? extends ShiftInvariantKernel> factors, int... columns) {
        Require.sameSize("product", "numbers of columns", columns.length, factors.size());
        List<ProductKernel.Factor> all = new ArrayList<>();
        int from = 0;
        for (int f = 0; f < factors.size(); f++) {
            all.add(new ProductKernel.Factor(factors.get(f), from, from + columns[f]));
            from += columns[f];
        }
        return new ProductKernel(all);
    }

    /**
     * Returns the columns that a kernel uses: those of its channel, or the first ones if it needs a fixed number of
     * columns, or all.
     *
     * @param all the number of columns of the data
     */
    public static ColumnRange columns(Kernel kernel, int all) {
        if (kernel instanceof ChannelKernel channel) {
            return new ColumnRange("", channel.from(), channel.to());
        }
        return new ColumnRange("", 0, kernel.minimumColumns() > 1 ? kernel.minimumColumns() : all);
    }
}
