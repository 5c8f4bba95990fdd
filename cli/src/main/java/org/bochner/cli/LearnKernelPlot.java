package org.bochner.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bochner.cli.plot.Axis;
import org.bochner.cli.plot.Chart;
import org.bochner.cli.plot.Panel;
import org.bochner.cli.plot.Point;
import org.bochner.cli.plot.Series;
import org.bochner.tune.LearnedKernel;
import org.bochner.tune.LearnedScale;
import org.bochner.tune.Sharing;

/**
 * Draws the results of the learn-kernel command: the length-scales of the columns, or the distribution of the frequencies,
 * before and after, and the objective per iteration.
 */
final class LearnKernelPlot {
    private static final int WIDTH = 520;
    private static final int HEIGHT = 240;

    /** The height of a name beside the axis. */
    private static final int NAME_HEIGHT = 30;

    private static final int MOST_NAMES = 24;
    private static final int MOST_COLUMNS = 6;
    private static final int FEWEST_BINS = 8;
    private static final int MOST_BINS = 32;
    private static final int PARTS = 4;

    /** The share of the frequencies that is drawn, because a heavy-tailed spectrum has a few very large ones. */
    private static final double DRAWN = 0.98;

    private LearnKernelPlot() {}

    static Chart of(LearnKernelFindings findings) {
        List<Panel> panels = new ArrayList<>();
        // Without the folders, to save room.
        String title = findings.source().name().replaceAll("[^ ]*/", "") + ": "
                + findings.learned().started().kernel() + ", by " + findings.criterion() + ", per "
                + findings.sharing();
        if (findings.sharing() == Sharing.FREQUENCY) {
            panels.addAll(frequencies(findings));
            panels.add(objective(findings.learned().steps()));
            return Chart.stacked(title, panels.toArray(Panel[]::new)).withPanelSize(WIDTH, 180);
        }
        panels.add(scales(findings));
        panels.add(objective(findings.learned().steps()));
        int names = Math.min(MOST_NAMES, findings.scales().size());
        return Chart.sideBySide(title, panels.toArray(Panel[]::new))
                .withPanelSize(WIDTH, Math.max(HEIGHT, NAME_HEIGHT * names));
    }

    /** Returns a panel with one line of markers per column, the strongest influence on top. */
    private static Panel scales(LearnKernelFindings findings) {
        List<LearnedScale> all = findings.scales();
        List<LearnedScale> shown = all.subList(0, Math.min(MOST_NAMES, all.size()));
        List<String> names = new ArrayList<>();
        List<Point> before = new ArrayList<>();
        List<Point> after = new ArrayList<>();
        for (int i = shown.size() - 1; i >= 0; i--) {
            LearnedScale scale = shown.get(i);
            before.add(new Point(1 / scale.before(), names.size()));
            after.add(new Point(1 / scale.after(), names.size()));
            names.add(findings.name(scale) + (scale.dropped() ? " (dropped)" : ""));
        }
        String which = shown.size() < all.size()
                ? "the " + shown.size() + " of " + all.size() + " length-scales with the most influence"
                : "length-scales";
        return Panel.of(which, Axis.logarithmic("length-scale"), Axis.named("", names))
                .with(new Series("initial", Series.Style.POINTS, before))
                .with(new Series("learned", Series.Style.POINTS, after));
    }

    private static List<Panel> frequencies(LearnKernelFindings findings) {
        LearnedKernel learned = findings.learned();
        List<Panel> panels = new ArrayList<>();
        panels.add(density(
                "lengths of the frequencies",
                "length",
                learned.startFrequencyLengths(),
                learned.learnedFrequencyLengths()));
        List<String> names = findings.source().columnNames();
        for (int j = 0; j < names.size() && names.size() <= MOST_COLUMNS; j++) {
            double[] before = learned.startFrequencies(j);
            if (before.length > 0) {
                panels.add(density(
                        "frequencies of " + names.get(j), "absolute frequency", before, learned.learnedFrequencies(j)));
            }
        }
        return panels;
    }

    private static Panel density(String title, String x, double[] before, double[] after) {
        double most = Math.max(drawn(before), drawn(after));
        return Panel.of(title, Axis.linear(x), Axis.linear("density"))
                .with(new Series("as drawn", Series.Style.DASHED, histogram(before, most)))
                .with(new Series("learned", Series.Style.LINE, histogram(after, most)));
    }

    /** Returns the largest frequency that is drawn. */
    private static double drawn(double[] ascending) {
        return ascending[(int) (DRAWN * (ascending.length - 1))];
    }

    /**
     * Returns the outline of a histogram from 0 to {@code most}; its area is the share of the numbers in that range.
     */
    private static List<Point> histogram(double[] ascending, double most) {
        // Twice the cube root of their number keeps both noise and steps small (Rice's rule).
        int bins = (int) Math.max(FEWEST_BINS, Math.min(MOST_BINS, 2 * Math.cbrt(ascending.length)));
        int[] counts = new int[bins];
        for (double value : ascending) {
            int bin = (int) (bins * value / most);
            if (bin < bins) {
                counts[bin]++;
            }
        }
        List<Point> outline = new ArrayList<>();
        double width = most / bins;
        outline.add(new Point(0, 0));
        for (int b = 0; b < bins; b++) {
            double height = counts[b] / (width * ascending.length);
            // Points between the corners make the outline a curve, which has few markers.
            for (int part = 0; part <= PARTS; part++) {
                outline.add(new Point((b + (double) part / PARTS) * width, height));
            }
        }
        outline.add(new Point(most, 0));
        return outline;
    }

    /** Returns a panel of the objective with one line per stage, one after the other. */
    private static Panel objective(List<LearnedKernel.Step> steps) {
        Map<String, List<Point>> stages = new LinkedHashMap<>();
        int number = 0;
        for (LearnedKernel.Step step : steps) {
            stages.computeIfAbsent(step.stage(), unused -> new ArrayList<>()).add(new Point(number++, step.value()));
        }
        Panel panel = Panel.of("objective", Axis.linear("iteration"), Axis.linear("relative to a constant prediction"));
        for (Map.Entry<String, List<Point>> stage : stages.entrySet()) {
            panel = panel.with(new Series(stage.getKey(), Series.Style.LINE, stage.getValue()));
        }
        return panel;
    }
}
