package org.bochner.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.bochner.cli.plot.Axis;
import org.bochner.cli.plot.Chart;
import org.bochner.cli.plot.Panel;
import org.bochner.cli.plot.Series;
import org.bochner.model.KernelMachine;
import org.bochner.model.LearningPath;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Trains models along a path of penalties, and prints their error and size. */
@Command(
        name = "path",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Show error and size of models along a path of penalties.",
        customSynopsis = {
            "bochner path DATA (--holdout SHARE | --test DATA) [--learner L]",
            "                    [--steps N] [--kernel K] [--features D] [--plot FILE]",
            "                    [OPTION]..."
        },
        description = {
            "",
            "Trains models with decreasing penalties, each with a warm start from the previous model, and"
                    + " evaluates each model on test rows. The penalty that varies is the one that is auto in"
                    + " --learner, or the one that has a value. Learners with squared loss need one pass over the rows"
                    + " for the whole path."
        })
final class PathCommand extends MachineCommand {
    private static final int WIDTH = 620;
    private static final int HEIGHT = 280;

    @Option(names = "--steps", paramLabel = "N", description = "Number of penalties. [default: 13]")
    private int steps = 13;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description = "Plot error and size against the penalty, as .svg or .png.")
    @Writes(picture = true)
    private @Nullable Path plot;

    @ArgGroup(validate = false, heading = TestFlags.HEADING, order = 4)
    private TestFlags testFlags = new TestFlags();

    @Override
    public Integer call() {
        if (!testFlags.given()) {
            throw new UsageException(
                    "path compares errors on rows that are not used for training; add --holdout 0.2 or --test DATA");
        }
        requireAtLeast("--steps", steps, 2);
        Session session = open(testFlags);
        KernelMachine machine = machine(session.source());
        LearningPath path = UsageException.orUsage(
                () -> machine.path(session.training(), session.test(), steps, session.workers(), session.talk()));
        session.talk().clear();
        session.talk().say(path.notes());
        if (run().json()) {
            printJson(toMap(session, path));
        } else {
            out().print(table(path, session.classes()));
            out().flush();
        }
        if (plot != null) {
            chart(path, session.classes()).write(plot);
        }
        return Main.WORKED;
    }

    private static Table table(LearningPath path, boolean classes) {
        String strength = path.steps().get(0).learner().strengthName();
        Table table =
                new Table().line(strength, "features", "projections", "training loss", classes ? "error" : "rmse", "");
        for (int i = 0; i < path.steps().size(); i++) {
            LearningPath.Step step = path.steps().get(i);
            table.line(
                    Text.number(strength(step)),
                    Text.count(step.nonZeros()),
                    Text.count(step.projections()),
                    Text.of("%.5g", step.chosen().trainingLoss()),
                    Text.error(classes, step.errorOrRmse()),
                    i == path.best() ? "least" : "");
        }
        return table;
    }

    /** Returns the strength as the learner spells it. */
    private static double strength(LearningPath.Step step) {
        return step.learner().spelled(step.chosen().lambda());
    }

    private Chart chart(LearningPath path, boolean classes) {
        Axis strength = Axis.logarithmic(path.steps().get(0).learner().strengthName());
        String error = classes ? "error" : "rmse";
        Panel errors = Panel.of(error + " on the test rows", strength, Axis.logarithmic(classes ? "error, %" : "rmse"))
                .with(series(path, error, Series.Style.LINE, step -> (classes ? 100 : 1) * step.errorOrRmse()));
        Panel sizes = Panel.of("size of the model", strength, Axis.linear("with non-zero weights"))
                .with(series(path, "features", Series.Style.LINE, step -> step.nonZeros()))
                .with(series(path, "projections", Series.Style.DASHED, LearningPath.Step::projections));
        String title = learningFlags().learner().name() + " of " + path.map() + " for " + path.kernel();
        return Chart.stacked(title, errors, sizes).withPanelSize(WIDTH, HEIGHT);
    }

    private static Series series(
            LearningPath path, String name, Series.Style style, ToDoubleFunction<LearningPath.Step> value) {
        return Series.of(name, style, path.steps(), PathCommand::strength, value);
    }

    private static Map<String, Object> toMap(Session session, LearningPath path) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("data", session.source().name());
        map.put("rows", path.rows());
        map.put("testRows", path.testRows());
        map.put("kernel", path.kernel().toString());
        map.put("map", path.map().toString());
        map.put("features", path.features());
        map.put("projections", path.projections());
        map.put("strength", path.steps().get(0).learner().strengthName());
        List<Map<String, Object>> lines = new ArrayList<>();
        for (LearningPath.Step step : path.steps()) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("learner", step.learner().toString());
            line.put("strength", strength(step));
            line.put("lambda", step.chosen().lambda());
            line.put("nonZeroFeatures", step.nonZeros());
            line.put("projections", step.projections());
            line.put("trainingLoss", step.chosen().trainingLoss());
            line.put("objective", step.convergence().objective());
            line.put("converged", step.convergence().converged());
            line.put(session.classes() ? "error" : "rmse", step.errorOrRmse());
            lines.add(line);
        }
        map.put("steps", lines);
        map.put("best", path.best());
        map.put("notes", session.notes(path.notes()));
        return map;
    }
}
