package org.bochner.cli;

import java.util.ArrayList;
import java.util.List;
import org.bochner.cli.plot.Axis;
import org.bochner.cli.plot.Chart;
import org.bochner.cli.plot.Panel;
import org.bochner.cli.plot.Series;
import org.bochner.tune.LearnedSum;
import org.bochner.tune.MultipleKernels;

/** Draws the results of the mkl command: the weights, and weights and loss along the path. */
final class MklPlot {
    private static final int WIDTH = 620;
    private static final int HEIGHT = 240;

    private MklPlot() {}

    static Chart of(MultipleKernels recipe, LearnedSum learned) {
        List<LearnedSum.Step> path = learned.path();
        double[] strengths = path.stream().mapToDouble(LearnedSum.Step::lambda).toArray();
        Panel bars = Panel.of(
                "weights of the channels",
                Axis.named(
                        "channel",
                        learned.channels().stream()
                                .map(channel -> channel.columns().name())
                                .toList()),
                Axis.linear("share of all weights, percent"));
        Panel weights = Panel.of("weights along the path", Axis.logarithmic("lambda"), Axis.linear("weight"));
        for (int c = 0; c < learned.channels().size(); c++) {
            LearnedSum.Channel channel = learned.channels().get(c);
            int place = c;
            bars = bars.with(Series.bar(channel.columns().name(), place, 100 * channel.share()));
            weights = weights.with(Series.line(
                    channel.columns().name(),
                    strengths,
                    path.stream()
                            .mapToDouble(step -> step.kernelWeights().get(place))
                            .toArray()));
        }
        Panel losses = Panel.of("cross-validated loss", Axis.logarithmic("lambda"), Axis.logarithmic("loss"))
                .with(Series.line(
                        "loss",
                        strengths,
                        path.stream().mapToDouble(LearnedSum.Step::loss).toArray()))
                .withVertical("chosen", learned.lambda());
        List<Panel> panels = new ArrayList<>(List.of(bars, weights.withVertical("chosen", learned.lambda())));
        if (recipe.isJoint()) {
            panels.add(scales(learned, strengths));
        }
        panels.add(losses);
        return Chart.stacked(
                        "multiple kernels, norm " + recipe.norm() + ", loss " + recipe.loss(),
                        panels.toArray(Panel[]::new))
                .withPanelSize(WIDTH, HEIGHT);
    }

    /** Returns a panel of the length-scales along the path, relative to the initial ones. */
    private static Panel scales(LearnedSum learned, double[] strengths) {
        Panel panel = Panel.of(
                "length-scales along the path", Axis.logarithmic("lambda"), Axis.logarithmic("learned / initial"));
        for (int c = 0; c < learned.channels().size(); c++) {
            int place = c;
            panel = panel.with(Series.line(
                    learned.channels().get(c).columns().name(),
                    strengths,
                    learned.path().stream()
                            .mapToDouble(step -> step.scaleFactors().get(place))
                            .toArray()));
        }
        return panel.withVertical("chosen", learned.lambda());
    }
}
