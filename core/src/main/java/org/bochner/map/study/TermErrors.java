package org.bochner.map.study;

import java.util.Arrays;
import java.util.List;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.columns.PairVisitor;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapReport;
import org.bochner.map.additive.AdditiveMap;
import org.bochner.map.composed.TwoStageMap;
import org.bochner.map.fourier.FourierForm;
import org.bochner.map.fourier.FourierMap;
import org.bochner.map.fourier.WarpedMap;

/** The parts of the terms in the error of a map, by theory and, for additive terms, by column. */
public final class TermErrors {
    /** The probability with which the largest error of random features may exceed its bound. */
    private static final double EXCEEDED = 0.05;

    private final RowPairs pairs;
    private final RowFeatures mapped;

    /** By pair: the error that does not depend on the draw, if the map is random; and its bound. */
    private final double[] fixed;

    private final double[] bounds;

    private final InputErrors inputs = new InputErrors();
    private double variance;

    /** Σ over random terms of c·a²/D, with c = 4 for pairs and 8 with phases: P(|error| ≥ ε) ≤ 2·exp(−ε²/spread). */
    private double spread;

    private final boolean allAdditive;
    private boolean known;

    public TermErrors(List<MapTerm> terms, RowPairs pairs, RowFeatures mapped) {
        this.pairs = pairs;
        this.mapped = mapped;
        fixed = new double[pairs.count()];
        bounds = new double[pairs.count()];
        allAdditive = terms.stream().allMatch(term -> term.map() instanceof AdditiveMap);
        // A map from outside the library may be one map of several terms.
        known = terms.size() == pairs.terms().size();
        for (int t = 0; t < terms.size() && known; t++) {
            add(t, terms.get(t));
        }
    }

    private void add(int t, MapTerm term) {
        FeatureMap map = term.map();
        if (map instanceof FourierMap fourier) {
            addFourier(t, term, fourier);
        } else if (map instanceof WarpedMap warped) {
            addFourier(t, term, warped.map());
        } else if (map instanceof TwoStageMap composed) {
            addFourier(t, term, composed.second());
            addFirstStage(t, term, composed);
        } else if (map instanceof AdditiveMap additive) {
            addAdditive(t, term, additive);
        } else {
            known = false;
        }
    }

    private void addFourier(int t, MapTerm term, FourierMap map) {
        double square = term.factor() * term.factor() / map.outputDimension();
        variance += square * pairs.unitVariance(t, map.form());
        spread += square * (map.form() == FourierForm.PAIRS ? 4 : 8);
    }

    private void addFirstStage(int t, MapTerm term, TwoStageMap map) {
        RadialKernel kernel = (RadialKernel) map.kernel();
        double[] errors = PairErrors.firstStage(kernel, map.first(), t, pairs, term.from(), term.to());
        for (int p = 0; p < fixed.length; p++) {
            fixed[p] += term.factor() * errors[p];
            bounds[p] += Math.abs(term.factor() * errors[p]);
        }
    }

    private void addAdditive(int t, MapTerm term, AdditiveMap map) {
        RowSample rows = pairs.rows();
        AdditiveMap.ErrorBound bound = map.errorBound();
        int count = map.featuresPerColumn();
        for (int p = 0; p < fixed.length; p++) {
            int pair = p;
            int i = pairs.first(p);
            int j = pairs.second(p);
            if (!allAdditive) {
                fixed[p] += mapped.product(i, j, term.at(), term.end()) - term.factor() * pairs.exact(t, p);
            }
            PairVisitor.visit(rows.nonZeros(), i, j, term.from(), term.to(), (column, x, y) -> {
                if (x == 0 || y == 0) {
                    return;
                }
                bounds[pair] += term.factor() * bound.at(column - term.from(), x, y);
                if (inputs.wantsMore()) {
                    int at = term.at() + (column - term.from()) * count;
                    double exact = term.factor() * map.kernel().scalar(x, y);
                    inputs.add(x, y, exact, mapped.product(i, j, at, at + count) - exact);
                }
            });
        }
    }

    /** Returns the report of the map, with the errors of columns and the numbers of theory. */
    MapReport report(int features, MapReport.Range overall, List<MapReport.Range> ranges) {
        double unknown = Double.NaN;
        if (!known) {
            return new MapReport(features, overall, ranges, List.of(), unknown, unknown, unknown, unknown, unknown);
        }
        double random = Math.sqrt(spread * Math.log(2 * fixed.length / EXCEEDED));
        double boundMax = finite(random + Arrays.stream(bounds).max().orElseThrow());
        double fourierRms = Math.sqrt(variance);
        if (allAdditive) {
            double rms = overall.absolute().rms();
            double boundRms = finite(MapErrors.rms(bounds));
            return new MapReport(
                    features, overall, ranges, inputs.ranges(), unknown, fourierRms, rms, boundRms, boundMax);
        }
        double rms = MapErrors.rms(fixed);
        double expected = Math.hypot(fourierRms, rms);
        return new MapReport(features, overall, ranges, List.of(), expected, fourierRms, rms, unknown, boundMax);
    }

    /** Infinite bounds stand for unknown ones. */
    private static double finite(double bound) {
        return bound < Double.POSITIVE_INFINITY ? bound : Double.NaN;
    }
}
