package org.bochner.cli;

import java.util.ArrayList;
import java.util.Arrays;
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
 * Draws the results of the learn-kernel command: the length-scales of the columns, before and after; the distribution of the
 * frequencies as drawn, as learned and as used by the model; and the objective per iteration.
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
                + findings.learned().initialMap().kernel() + ", by " + findings.criterion() + ", per "
                + findings.sharing();
        if (findings.sharing() == Sharing.FREQUENCY) {
            panels.addAll(frequencies(findings));
            panels.add(objective(findings.learned().steps()));
            return Chart.stacked(title, panels.toArray(Panel[]::new)).withPanelSize(WIDTH, 180);
        }
        panels.add(scales(findings));
        panels.add(objective(findings.learned().steps()));
        if (findings.learned().startFrequencyLengths().length > 0
                && findings.learned().learnedFrequencyLengths().length > 0) {
            panels.add(lengths(findings.learned()));
        }
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
        panels.add(lengths(learned));
        List<String> names = findings.source().columnNames();
        for (int j = 0; j < names.size() && names.size() <= MOST_COLUMNS; j++) {
            double[] before = learned.startFrequencies(j);
            if (before.length > 0) {
                panels.add(density(
                        "frequencies of " + names.get(j),
                        "absolute frequency",
                        before,
                        learned.learnedFrequencies(j),
                        learned.frequencyUse(j)));
            }
        }
        return panels;
    }

    private static Panel lengths(LearnedKernel learned) {
        return density(
                "lengths of the frequencies",
                "length",
                learned.startFrequencyLengths(),
                learned.learnedFrequencyLengths(),
                learned.frequencyLengthUse());
    }

    /**
     * Returns a panel of the distribution of frequencies.
     *
     * @param use the shares of the learned frequencies in what the model uses
     */
    private static Panel density(String title, String x, double[] before, double[] after, double[] use) {
        double most = Math.max(
                LearnKernelFindings.quantile(before, equal(before), DRAWN),
                Math.max(
                        LearnKernelFindings.quantile(after, equal(after), DRAWN),
                        LearnKernelFindings.quantile(after, use, DRAWN)));
        return Panel.of(title, Axis.linear(x), Axis.linear("density"))
                .with(new Series("as drawn", Series.Style.DASHED, histogram(before, equal(before), most)))
                .with(new Series("learned", Series.Style.LINE, histogram(after, equal(after), most)))
                .with(new Series("learned, weighted by use", Series.Style.LINE, histogram(after, use, most)));
    }

    /** Returns equal shares of numbers. */
    private static double[] equal(double[] numbers) {
        double[] shares = new double[numbers.length];
        Arrays.fill(shares, 1.0 / numbers.length);
        return shares;
    }

    /**
     * Returns the outline of a histogram from 0 to {@code most}; its area is the sum of the shares in that range.
     */
    private static List<Point> histogram(double[] ascending, double[] shares, double most) {
        // Twice the cube root of their number keeps both noise and steps small (Rice's rule).
        int bins = (int) Math.max(FEWEST_BINS, Math.min(MOST_BINS, 2 * Math.cbrt(ascending.length)));
        double[] sums = new double[bins];
        for (int i = 0; i < ascending.length; i++) {
            int bin = (int) (bins * ascending[i] / most);
            if (bin < bins) {
                sums[bin] += shares[i];
            }
        }
        List<Point> outline = new ArrayList<>();
        double width = most / bins;
        outline.add(new Point(0, 0));
        for (int b = 0; b < bins; b++) {
            double height = sums[b] / width;
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
