package org.bochner.design;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.bochner.base.Require;
import org.bochner.design.Target.Axis;

/**
 * A designed approximation k̂(z) = Σⱼ αⱼ·termⱼ(z) of a signature: frequencies, weights, and how far it is from the best.
 *
 * <p>Threads: safe; immutable.
 */
public final class Design {
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

    /** The same with another error. */
    Design withError(double other) {
        return new Design(target, plan, terms, other, certificate, gridPoints);
    }

    Terms terms() {
        return terms;
    }

    /** What it approximates; the axes are bounded, also where all differences were asked for. */
    public Target target() {
        return target;
    }

    public Plan plan() {
        return plan;
    }

    /** What its terms are in several columns. */
    public Form form() {
        return terms.form;
    }

    /** How many features its map makes: one for the frequency 0, two for another. */
    public int dimension() {
        return terms.dimension();
    }

    public int columns() {
        return terms.columns;
    }

    /** How many terms it has. */
    public int count() {
        return terms.count;
    }

    /** The frequencies of a term, one a column. */
    public double[] frequency(int term) {
        double[] w = new double[terms.columns];
        System.arraycopy(terms.frequencies, Require.atLeast("design", "term", term, 0) * w.length, w, 0, w.length);
        return w;
    }

    /** Returns the spectral weight α of a term. */
    public double spectralWeight(int term) {
        return terms.weights[term];
    }

    /** How many features a term makes. */
    public int dimension(int term) {
        return terms.dimension(term);
    }

    /** k̂(z). */
    public double at(double... z) {
        Require.sameSize("design", "columns", z.length, terms.columns);
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
     * The weighted error, largest or mean as planned, on a grid at least ten times finer than that of the design. A target of all
     * differences has this error at all of them.
     */
    public double error() {
        return error;
    }

    /**
     * The weighted error that something else has on the same range, largest or mean as planned.
     *
     * @param points differences an axis, on each side of 0 where signs matter
     */
    public double errorOf(ToDoubleFunction<double[]> other, int points) {
        return new Lattice(target, Form.PROJECTION, plan.norm(), points).norm(other);
    }

    /**
     * The certificate: by linear programming duality, no weights on these frequencies, within 10,000 times the error of the
     * design's, have a smaller error. 0 where weights were not chosen by a linear program, and where the design is exact.
     */
    public double certificate() {
        return certificate;
    }

    /** Points of the grid on which the linear programs were solved. */
    public int gridPoints() {
        return gridPoints;
    }

    /**
     * Returns the design as a sum of projections, with the same dimension: ∏ₗ cos(ωₗzₗ) is the mean of cos(ω·z) over the
     * signs of all but the first frequency that is not 0.
     */
    public Design projected() {
        if (terms.form == Form.PROJECTION) {
            return this;
        }
        List<List<Double>> frequencies = new ArrayList<>();
        List<Double> weights = new ArrayList<>();
        for (int j = 0; j < terms.count; j++) {
            List<List<Double>> signed = signed(frequency(j));
            frequencies.addAll(signed);
            weights.addAll(Collections.nCopies(signed.size(), terms.weights[j] / signed.size()));
        }
        Terms projections = new Terms(
                Form.PROJECTION,
                terms.columns,
                frequencies.stream().flatMap(List::stream).mapToDouble(w -> w).toArray(),
                weights.stream().mapToDouble(w -> w).toArray());
        return new Design(target, plan, projections, error, certificate, gridPoints);
    }

    private List<List<Double>> signed(double[] w) {
        List<List<Double>> all = new ArrayList<>(List.of(List.of()));
        boolean first = true;
        for (double frequency : w) {
            List<List<Double>> longer = new ArrayList<>();
            for (List<Double> start : all) {
                longer.add(with(start, frequency));
                if (frequency != 0 && !first) {
                    longer.add(with(start, -frequency));
                }
            }
            all = longer;
            first &= frequency == 0;
        }
        return all;
    }

    private static List<Double> with(List<Double> start, double next) {
        List<Double> longer = new ArrayList<>(start);
        longer.add(next);
        return longer;
    }

    /** Terms in the order of their frequencies, with the first that is not 0 positive: terms are even. */
    static Terms ordered(Terms terms) {
        List<double[]> all = new ArrayList<>();
        for (int j = 0; j < terms.count; j++) {
            double[] term = new double[terms.columns + 1];
            double sign = 0;
            for (int l = 0; l < terms.columns; l++) {
                double w = terms.frequencies[j * terms.columns + l];
                if (terms.form == Form.MODULATION) {
                    term[l] = Math.abs(w);
                } else {
                    sign = sign == 0 ? Math.signum(w) : sign;
                    term[l] = w == 0 ? 0 : sign * w;
                }
            }
            term[terms.columns] = terms.weights[j];
            all.add(term);
        }
        Comparator<double[]> order = Comparator.comparingDouble(term -> term[0]);
        for (int l = 1; l < terms.columns; l++) {
            int column = l;
            order = order.thenComparingDouble(term -> term[column]);
        }
        all.sort(order);
        double[] w = new double[terms.count * terms.columns];
        double[] alpha = new double[terms.count];
        for (int j = 0; j < terms.count; j++) {
            System.arraycopy(all.get(j), 0, w, j * terms.columns, terms.columns);
            alpha[j] = all.get(j)[terms.columns];
        }
        return new Terms(terms.form, terms.columns, w, alpha);
    }

    @Override
    public String toString() {
        return "Design[" + target.signature() + ", " + dimension() + " dimensions, error " + error + "]";
    }
}
