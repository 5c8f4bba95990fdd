package org.bochner.cli;

import java.util.Arrays;
import java.util.List;
import org.bochner.cli.plot.Axis;
import org.bochner.cli.plot.Chart;
import org.bochner.cli.plot.Panel;
import org.bochner.cli.plot.Series;
import org.jspecify.annotations.Nullable;

/** Draws the results of the curves command: one panel per column. */
final class CurvePlot {
    private static final int PLOTTED = 6;
    private static final int MOST_PLOTTED = 60;
    private static final int WIDTH = 460;
    private static final int HEIGHT = 130;

    private CurvePlot() {}

    static Chart of(CurveFindings findings) {
        Panel[] panels = findings.first(PLOTTED).stream()
                .limit(MOST_PLOTTED)
                .map(column -> panel(findings, column))
                .toArray(Panel[]::new);
        return Chart.stacked("curves of " + findings.path().getFileName(), panels)
                .withPanelSize(WIDTH, HEIGHT);
    }

    /** Returns the sentence that not all curves were plotted that were asked for; null if all were. */
    static @Nullable String note(CurveFindings findings) {
        int asked = findings.first(PLOTTED).size();
        return asked <= MOST_PLOTTED
                ? null
                : "Plotted the first " + MOST_PLOTTED + " of " + asked + " curves. --column NAME,... plots others.";
    }

    private static Panel panel(CurveFindings findings, int column) {
        List<String> outputs = findings.curves().outputs();
        double[] values = findings.values(column);
        String name = findings.curves().name(column);
        Panel panel = Panel.of("", Axis.linear(name), Axis.linear("contribution"));
        for (int o = 0; o < outputs.size(); o++) {
            int output = o;
            double[] contributions = Arrays.stream(values)
                    .map(value -> findings.curves().at(column, value)[output])
                    .toArray();
            double[] shown = Arrays.stream(values)
                    .map(value -> findings.curves().unscaled(column, value))
                    .toArray();
            panel = panel.with(Series.line(outputs.get(o), shown, contributions));
        }
        return panel;
    }
}
