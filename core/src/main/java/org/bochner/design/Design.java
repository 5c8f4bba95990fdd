package org.bochner.design;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.design.Target.Axis;

/**
 * A designed approximation k̂(z) = Σⱼ αⱼ·termⱼ(z) of a signature: frequencies, spectral weights, the design error and a
 * certificate.
 *
 * <p>Threads: safe; immutable.
 */
public final class Design {
    /**
     * The largest dimension of a single-column design. Errors reach rounding, or stop falling, at smaller dimensions.
     */
    public static final int MOST_DIMENSIONS_OF_A_COLUMN = 61;

    /** The largest dimension of a design of several columns, whose programs take minutes. */
    public static final int MOST_DIMENSIONS = 255;

    /** The smallest error that a search aims at. Smaller errors are rounding of the programs and of float32. */
    public static final double LEAST_ERROR = 1e-8;

    private final Target target;
    private final Plan plan;
    private final Terms terms;
    private final double error;
    private final double certificate;
    private final int gridPoints;

    Design(Target target, Plan plan, Terms terms, double error, double certificate, int gridPoints) {
        this.target = target;
        this.plan = plan;
        this.terms = terms;
        this.error = error;
        this.certificate = certificate;
        this.gridPoints = gridPoints;
    }

    /** Returns the design with the smallest error among those of at most {@code dimension} features. */
    public static Design ofDimension(Target target, Plan plan, int dimension) {
        return Designs.ofDimension(target, plan, dimension);
    }

    /** Returns the design with the fewest features whose error is at most {@code error}; fails if none is found. */
    public static Design ofError(Target target, Plan plan, double error) {
        return Designs.ofError(target, plan, error, design -> {});
    }

    /**
     * Stores all designs that are found from now on in a folder, for this process and later ones. Results have the same
     * bits as without the folder. Without this call, designs stay in memory and no file is written. Only designs for
     * kernels with a spelling are stored. The folder is that of the whole process.
     *
     * <p>Files that are damaged are ignored and replaced. A folder that cannot be read or written never fails a search.
     *
     * @param folder the folder, which is created when needed; processes may share it
     * @param notes receives the first failure to read or write, as a sentence without a full stop
     * @return ends the storing
     * @throws BochnerException if designs are stored in another folder already
     */
    public static Runnable keepIn(Path folder, Consumer<String> notes) {
        return DesignStore.use(folder, notes);
    }

    /**
     * Returns the wall time in seconds that all searches on the calling thread have taken so far. The difference of two
     * values is the time of the searches in between.
     */
    public static double secondsOnThread() {
        return Designs.secondsOnThread();
    }

    /** Returns the design with another error. */
    Design withError(double other) {
        return new Design(target, plan, terms, other, certificate, gridPoints);
    }

    Terms terms() {
        return terms;
    }

    /** Returns the target of the design. Its axes are finite even if the design was requested for all differences. */
    public Target target() {
        return target;
    }

    public Plan plan() {
        return plan;
    }

    /** Returns the form of the terms. */
    public Form form() {
        return terms.form();
    }

    /** Returns the number of features of the design's map: one for the frequency 0, two for each other frequency. */
    public int dimension() {
        return terms.dimension();
    }

    public int columns() {
        return terms.columns();
    }

    /** Returns the number of terms. */
    public int count() {
        return terms.count();
    }

    /** Returns the frequencies of a term, one per column. */
    public double[] frequency(int term) {
        return Arrays.copyOf(terms.term(Require.atLeast("design", "term", term, 0)), terms.columns());
    }

    /** Returns the spectral weight α of a term. */
    public double spectralWeight(int term) {
        return terms.weights()[term];
    }

    /** Returns the number of features of a term. */
    public int dimension(int term) {
        return terms.dimension(term);
    }

    /** Returns k̂(z). */
    public double at(double... z) {
        Require.sameSize("design", "columns", z.length, terms.columns());
        return terms.at(z, 0);
    }

    /** Returns the exact value of the kernel's signature at a difference. */
    public double signatureAt(double... z) {
        return target.signature().applyAsDouble(z.clone());
    }

    /** Returns the difference of design and signature at a point, times the error weight there. */
    public double errorAt(double... z) {
        double exact = signatureAt(z);
        return target.weight().applyAsDouble(z) * (at(z) - exact);
    }

    /** Returns the largest difference of each column that the design holds for. */
    public List<Double> lengths() {
        return target.axes().stream().map(Axis::length).toList();
    }

    /**
     * Returns the weighted design error, the largest or the mean as planned, on a grid at least ten times finer than
     * the grid of the design. A design for all differences has this error at all of them.
     */
    public double error() {
        return error;
    }

    /**
     * Returns the weighted error of another approximation on the range of this design, the largest or the mean as
     * planned.
     *
     * @param points the number of differences per axis, on each side of 0 where signs matter
     */
    public double errorOf(ToDoubleFunction<double[]> other, int points) {
        return new Lattice(target, Form.PROJECTION, plan.norm(), points).norm(other);
    }

    /**
     * Returns the certificate: by linear programming duality, no spectral weights on these frequencies, within 10,000
     * times the error of the design's weights, have a smaller error. 0 if no linear program chose the weights or if the
     * design is exact.
     */
    public double certificate() {
        return certificate;
    }

    /** Returns the number of points of the grid on which the linear programs were solved. */
    public int gridPoints() {
        return gridPoints;
    }

    /**
     * Returns the design as a sum of projections, with an equal dimension: ∏ₗ cos(ωₗzₗ) is the mean of cos(ω·z) over
     * the signs of all but the first frequency that is not 0.
     */
    public Design projected() {
        if (terms.form() == Form.PROJECTION) {
            return this;
        }
        List<double[]> projections = new ArrayList<>();
        for (int j = 0; j < terms.count(); j++) {
            projections.addAll(signed(terms.term(j)));
        }
        Terms projected = Terms.of(Form.PROJECTION, terms.columns(), projections);
        return new Design(target, plan, projected, error, certificate, gridPoints);
    }

    /** Returns a term with both signs of all frequencies but the first that is not 0, which share its weight. */
    private static List<double[]> signed(double[] term) {
        int columns = term.length - 1;
        List<double[]> all = List.of(term);
        boolean first = true;
        for (int l = 0; l < columns; l++) {
            if (term[l] != 0 && !first) {
                List<double[]> both = new ArrayList<>();
                for (double[] one : all) {
                    one[columns] /= 2;
                    double[] opposite = one.clone();
                    opposite[l] = -one[l];
                    both.addAll(List.of(one, opposite));
                }
                all = both;
            }
            first &= term[l] == 0;
        }
        return all;
    }

    /** Sorts terms by their frequencies. The first frequency that is not 0 becomes positive, because terms are even. */
    static Terms ordered(Terms terms) {
        List<double[]> all = new ArrayList<>();
        for (int j = 0; j < terms.count(); j++) {
            double[] term = terms.term(j);
            double sign = 0;
            for (int l = 0; l < terms.columns(); l++) {
                sign = sign == 0 || terms.form() == Form.MODULATION ? Math.signum(term[l]) : sign;
                term[l] = term[l] == 0 ? 0 : sign * term[l];
            }
            all.add(term);
        }
        all.sort(Arrays::compare);
        return Terms.of(terms.form(), terms.columns(), all);
    }

    @Override
    public String toString() {
        return "Design[" + target.signature() + ", " + dimension() + " dimensions, error " + error + "]";
    }
}
