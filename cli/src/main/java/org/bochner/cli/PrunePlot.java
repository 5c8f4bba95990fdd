package org.bochner.cli;

import java.util.function.ToDoubleFunction;
import org.bochner.cli.plot.Axis;
import org.bochner.cli.plot.Chart;
import org.bochner.cli.plot.Panel;
import org.bochner.cli.plot.Series;
import org.bochner.model.PrunedModel;

/** Draws the results of the prune command: error and speed against the size. */
final class PrunePlot {
    private static final int WIDTH = 620;
    private static final int HEIGHT = 260;

    private PrunePlot() {}

    static Chart of(PruneFindings findings) {
        String error = findings.classes() ? "error, percent" : "rmse";
        double unit = findings.classes() ? 100 : 1;
        Panel errors = panel(findings, error, Axis.linear(error), error, size -> unit * findings.error(size));
        Panel speeds = panel(
                findings,
                "speed of prediction",
                Axis.logarithmic("times the speed of the whole model"),
                "speed",
                PrunedModel::speed);
        return Chart.stacked("pruning " + findings.path().getFileName(), errors, speeds)
                .withPanelSize(WIDTH, HEIGHT);
    }

    private static Panel panel(
            PruneFindings findings, String title, Axis y, String name, ToDoubleFunction<PrunedModel> value) {
        Axis x = Axis.logarithmic(findings.result().unit() + " kept");
        return Panel.of(title, x, y)
                .with(Series.of(name, Series.Style.LINE, findings.result().sizes(), PrunedModel::units, value))
                .withVertical("chosen", findings.result().chosen().units());
    }
}
