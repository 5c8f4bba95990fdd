package org.bochner.map.study;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapReport;
import org.bochner.map.composed.TwoStageMap;

/** Measures the errors of a map on pairs of rows. */
public final class MapErrors {
    private static final int RANGES = 5;

    private MapErrors() {}

    /** Summarises absolute errors. */
    static MapReport.Errors of(double[] errors) {
        if (errors.length == 0) {
            return new MapReport.Errors(0, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
        }
        double[] sorted = errors.clone();
        Arrays.sort(sorted);
        double sum = 0;
        double squares = 0;
        for (double error : sorted) {
            sum += error;
            squares += error * error;
        }
        int count = sorted.length;
        int rank = (int) Math.ceil(0.99 * count) - 1;
        return new MapReport.Errors(count, sorted[count - 1], Math.sqrt(squares / count), sum / count, sorted[rank]);
    }

    /** Measures a map on pairs of rows whose exact kernel values are known. */
    public static MapReport report(FeatureMap map, RowPairs all) {
        List<MapTerm> terms = MapTerm.of(map);
        RowPairs pairs = all.within(affordableRows(map, terms, all));
        RowFeatures mapped = RowFeatures.of(map, pairs.block());
        int features = map.outputDimension();
        double[] errors = new double[pairs.count()];
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (int p = 0; p < errors.length; p++) {
            double product = mapped.product(pairs.first(p), pairs.second(p), 0, features);
            errors[p] = Math.abs(product - pairs.exact(p));
            low = Math.min(low, pairs.exact(p));
            high = Math.max(high, pairs.exact(p));
        }
        TermErrors parts = new TermErrors(terms, pairs, mapped);
        MapReport.Range overall = range(pairs, errors, low, high, true);
        return parts.report(features, overall, ranges(pairs, errors, low, high));
    }

    private static int affordableRows(FeatureMap map, List<MapTerm> terms, RowPairs pairs) {
        int affordable = RowFeatures.affordableRows(map, pairs.block());
        for (MapTerm term : terms) {
            if (term.map() instanceof TwoStageMap composed) {
                affordable = Math.min(affordable, RowFeatures.affordableRows(composed.first(), pairs.block()));
            }
        }
        return affordable;
    }

    private static List<MapReport.Range> ranges(RowPairs pairs, double[] errors, double low, double high) {
        List<MapReport.Range> ranges = new ArrayList<>();
        double count = (high - low) / RANGES;
        for (int r = 0; r < RANGES && count > 0; r++) {
            boolean last = r == RANGES - 1;
            double from = low + r * count;
            MapReport.Range range = range(pairs, errors, from, last ? high : low + (r + 1) * count, last);
            if (range.absolute().pairs() > 0) {
                ranges.add(range);
            }
        }
        return ranges;
    }

    private static MapReport.Range range(RowPairs pairs, double[] errors, double from, double to, boolean withEnd) {
        double[] inside = new double[errors.length];
        double[] relative = new double[errors.length];
        int count = 0;
        int notZero = 0;
        for (int p = 0; p < errors.length; p++) {
            double exact = pairs.exact(p);
            if (exact >= from && (exact < to || (withEnd && exact <= to))) {
                inside[count++] = errors[p];
                if (exact != 0) {
                    relative[notZero++] = errors[p] / Math.abs(exact);
                }
            }
        }
        return new MapReport.Range(
                from,
                to,
                Double.NaN,
                Double.NaN,
                of(Arrays.copyOf(inside, count)),
                of(Arrays.copyOf(relative, notZero)));
    }
}
