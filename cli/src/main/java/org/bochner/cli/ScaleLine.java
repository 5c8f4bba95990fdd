package org.bochner.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.bochner.tune.LearnedScale;
import org.bochner.tune.Sharing;

/**
 * A scale that was learned, as it is told of.
 *
 * @param name of its column, or its columns from:to
 * @param scale the scale; for columns that share one, that of all of them
 * @param influence the frequency scale times the spread of the column
 * @param rank from 1 for the strongest influence
 */
record ScaleLine(String name, LearnedScale scale, double influence, int rank) {
    /** The scales by influence, the strongest first. */
    static List<ScaleLine> of(List<LearnedScale> scales, Sharing sharing, List<String> names, double[] spread) {
        boolean terms = scales.stream().anyMatch(scale -> scale.term() > 0);
        List<ScaleLine> lines = new ArrayList<>();
        for (LearnedScale scale : sharing == Sharing.COLUMN ? scales : joined(scales)) {
            double squares = 0;
            for (int j = scale.from(); j < scale.to(); j++) {
                squares += spread[j] * spread[j];
            }
            double influence = scale.after() * Math.sqrt(squares / (scale.to() - scale.from()));
            lines.add(new ScaleLine(name(scale, names, terms), scale, influence, 0));
        }
        lines.sort(Comparator.comparingDouble(ScaleLine::influence).reversed());
        List<ScaleLine> ranked = new ArrayList<>();
        for (ScaleLine line : lines) {
            ranked.add(new ScaleLine(line.name, line.scale, line.influence, ranked.size() + 1));
        }
        return ranked;
    }

    /** Neighbours that moved together, as one. */
    private static List<LearnedScale> joined(List<LearnedScale> scales) {
        List<LearnedScale> joined = new ArrayList<>();
        for (LearnedScale scale : scales) {
            int last = joined.size() - 1;
            if (last >= 0 && together(joined.get(last), scale)) {
                int from = joined.get(last).from();
                joined.set(last, new LearnedScale(scale.term(), from, scale.to(), scale.before(), scale.after()));
            } else {
                joined.add(scale);
            }
        }
        return joined;
    }

    private static boolean together(LearnedScale one, LearnedScale next) {
        return one.term() == next.term()
                && one.to() == next.from()
                && one.before() == next.before()
                && one.after() == next.after();
    }

    private static String name(LearnedScale scale, List<String> names, boolean terms) {
        String columns = scale.to() - scale.from() == 1
                ? names.get(scale.from())
                : scale.from() == 0 && scale.to() == names.size() ? "all columns" : scale.from() + ":" + scale.to();
        return terms ? columns + ", term " + (scale.term() + 1) : columns;
    }
}
