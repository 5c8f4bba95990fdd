package org.bochner.map.study;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapReport;
import org.bochner.map.composed.TwoStageMap;
import org.bochner.numeric.optimise.Vectors;

/** Measures the errors of a map on pairs of rows. */
public final class MapErrors {
    private static final int RANGES = 5;

    private MapErrors() {}

    /** Returns the root of the mean square. */
    static double rms(double[] errors) {
        return Math.sqrt(Vectors.dot(errors, errors) / errors.length);
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
            errors[p] = product - pairs.exact(p);
            low = Math.min(low, pairs.exact(p));
            high = Math.max(high, pairs.exact(p));
        }
        TermErrors parts = new TermErrors(terms, pairs, mapped);
        MapReport.Range overall = range(pairs, errors, low, high, true);
        return parts.report(features, overall, ranges(pairs, errors, low, high));
    }

    private static int affordableRows(FeatureMap map, List<MapTerm> terms, RowPairs pairs) {
        Stream<FeatureMap> firstStages =
                terms.stream().map(term -> term.map() instanceof TwoStageMap composed ? composed.first() : map);
        return Stream.concat(Stream.of(map), firstStages)
                .mapToInt(each -> RowFeatures.affordableRows(each, pairs.block()))
                .min()
                .orElseThrow();
    }

    private static List<MapReport.Range> ranges(RowPairs pairs, double[] errors, double low, double high) {
        List<MapReport.Range> ranges = new ArrayList<>();
        double width = (high - low) / RANGES;
        for (int r = 0; r < RANGES && width > 0; r++) {
            boolean last = r == RANGES - 1;
            double from = low + r * width;
            MapReport.Range range = range(pairs, errors, from, last ? high : low + (r + 1) * width, last);
            if (range.absolute().pairs() > 0) {
                ranges.add(range);
            }
        }
        return ranges;
    }

    private static MapReport.Range range(RowPairs pairs, double[] errors, double from, double to, boolean withEnd) {
        ErrorList inside = new ErrorList();
        for (int p = 0; p < errors.length; p++) {
            double exact = pairs.exact(p);
            if (exact >= from && (exact < to || (withEnd && exact <= to))) {
                inside.add(exact, errors[p]);
            }
        }
        return inside.range(from, to, Double.NaN, Double.NaN);
    }
}
