package org.bochner.cli;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.bochner.cli.plot.Axis;
import org.bochner.cli.plot.Chart;
import org.bochner.cli.plot.Panel;
import org.bochner.cli.plot.Point;
import org.bochner.cli.plot.Series;
import org.bochner.model.PrunedModel;

/** The findings of the prune command as a picture: error and speed against the size. */
final class PrunePlot {
    private static final int WIDTH = 620;
    private static final int HEIGHT = 260;

    private PrunePlot() {}

    static Chart of(PruneFindings findings) {
        Axis x = Axis.logarithmic(findings.unit() + " kept");
        String error = findings.classes() ? "error, percent" : "rmse";
        PrunedModel chosen = findings.chosen();
        Panel errors = Panel.of(error, x, Axis.linear(error))
                .with(series(
                        findings.sizes(),
                        error,
                        size -> findings.classes()
                                ? 100 * size.evaluation().error()
                                : size.evaluation().rmse()))
                .withVertical("chosen", chosen.units());
        Panel speeds = Panel.of("speed of prediction", x, Axis.logarithmic("times the whole model's"))
                .with(series(findings.sizes(), "speed", PrunedModel::speed))
                .withVertical("chosen", chosen.units());
        return Chart.stacked("pruning " + findings.path().getFileName(), errors, speeds)
                .withPanelSize(WIDTH, HEIGHT);
    }

    private static Series series(List<PrunedModel> sizes, String name, ToDoubleFunction<PrunedModel> value) {
        return new Series(
                name,
                Series.Style.LINE,
                sizes.stream()
                        .map(size -> new Point(size.units(), value.applyAsDouble(size)))
                        .toList());
    }
}
