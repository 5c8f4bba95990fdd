package org.bochner.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.bochner.cli.plot.Axis;
import org.bochner.cli.plot.Chart;
import org.bochner.cli.plot.Panel;
import org.bochner.cli.plot.Series;
import org.bochner.data.DataFiles;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Labels;
import org.bochner.model.KernelMachine;
import org.bochner.model.LearningPath;
import org.bochner.numeric.LinearAlgebra;
import org.bochner.numeric.Workers;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Error and size of models along the strength of a penalty. */
@Command(
        name = "path",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Error and size of models along the strength of a penalty.",
        customSynopsis = {
            "bochner path DATA (--holdout SHARE | --test DATA) [--learner L]",
            "                    [--steps N] [--kernel K] [--features D] [--plot FILE]",
            "                    [OPTION]..."
        },
        description = {
            "",
            "Learns the same rows at one strength of the learner's penalty after another, from the strongest down, each"
                    + " beginning where the one before ended, and tests each on other rows. The strength is the penalty"
                    + " that is auto in the learner, or the one that was given. Learners of squares need one pass over the"
                    + " rows for the whole path."
        },
        footerHeading = "%nJSON%n",
        footer = {
            "  data, rows, testRows, kernel, map, features, projections, strength (its",
            "  name), steps: [{learner, strength, lambda, nonZeroFeatures, projections,",
            "  trainingLoss, objective, converged, error (a fraction) or rmse}], best (an",
            "  index), notes.",
            "",
            "Examples",
            "  bochner path digits.csv --holdout 0.2 --learner 'group-lasso(groups=pairs)'",
            "  bochner path a9a --test a9a.t --learner 'logistic(l1=auto)' --plot path.svg"
        })
final class PathCommand extends Subcommand {
    private static final int WIDTH = 620;
    private static final int HEIGHT = 280;

    @Parameters(
            arity = "0..1",
            paramLabel = "DATA",
            description = "LIBSVM, CSV, NPY, NPZ or IDX file, compressed or not.")
    @Reads
    private @Nullable String data;

    @Option(names = "--steps", paramLabel = "N", description = "How many strengths; 13 by default.")
    private int steps = 13;

    @Option(names = "--plot", paramLabel = "FILE", description = "Draw error and size, as .svg or .png.")
    @Writes
    private @Nullable Path plot;

    @ArgGroup(validate = false, heading = MachineFlags.HEADING)
    private MachineFlags machineFlags = new MachineFlags();

    @ArgGroup(validate = false, heading = LearningFlags.HEADING)
    private LearningFlags learningFlags = new LearningFlags();

    @ArgGroup(validate = false, heading = TestFlags.HEADING)
    private TestFlags testFlags = new TestFlags();

    @ArgGroup(validate = false, heading = ReadingFlags.HEADING)
    private DataFlags dataFlags = new DataFlags();

    @ArgGroup(validate = false, heading = RunFlags.HEADING)
    private ResultFlags run = new ResultFlags();

    @Override
    public Integer call() {
        DataOptions options = machineFlags.reading(dataFlags.options(data));
        learningFlags.apply(machineFlags.before(options)).requireMemory(run.workers());
        Workers workers = run.workers();
        DataOptions testOptions = testFlags.options(dataFlags, options, machineFlags.positive());
        if (testOptions == null && !testFlags.holdsOut()) {
            throw new UsageException(
                    "path compares errors on rows that were not learned from: add --holdout 0.2 or" + " --test DATA");
        }
        if (steps < 2) {
            throw new UsageException("--steps must be at least 2, got " + steps);
        }
        if (plot != null) {
            Path file = plot;
            UsageException.orUsage(() -> {
                Chart.checkWritable(file);
                return file;
            });
        }
        Talk talk = talk(run);
        LinearAlgebra.preload();
        FileSource source = DataFiles.open(options);
        TrainCommand.say(source, talk);
        TestFlags.Split split = testFlags.split(source, testOptions, machineFlags.seed());
        KernelMachine machine = learningFlags.apply(machineFlags.automatic(source));
        LearningPath path = UsageException.orUsage(
                () -> machine.path(split.training(), Objects.requireNonNull(split.testing()), steps, workers, talk));
        talk.clear();
        path.notes().forEach(talk::say);
        boolean classes = source.labels() instanceof Labels.Classes;
        if (run.json()) {
            printJson(toMap(source, path, classes));
        } else {
            out().print(table(path, classes));
            out().flush();
        }
        if (plot != null) {
            chart(path, classes).write(plot);
        }
        return Main.WORKED;
    }

    private static int best(LearningPath path) {
        return path.steps()
                .indexOf(path.steps().stream()
                        .min(Comparator.comparingDouble(LearningPath.Step::error))
                        .orElseThrow());
    }

    private static String table(LearningPath path, boolean classes) {
        Table table = new Table();
        String strength = path.steps().get(0).learner().strengthName();
        table.line(strength, "features", "projections", "training loss", classes ? "error" : "rmse", "");
        int best = best(path);
        for (int i = 0; i < path.steps().size(); i++) {
            LearningPath.Step step = path.steps().get(i);
            table.line(
                    String.format(Locale.ROOT, "%.4g", spelled(step)),
                    String.format(Locale.ROOT, "%,d", step.fit().model().nonZeros()),
                    String.format(Locale.ROOT, "%,d", step.projections()),
                    String.format(Locale.ROOT, "%.5g", step.fit().chosen().trainingLoss()),
                    classes
                            ? String.format(Locale.ROOT, "%.2f%%", 100 * step.error())
                            : String.format(Locale.ROOT, "%.5g", step.error()),
                    i == best ? "least" : "");
        }
        return table.toString();
    }

    private static double spelled(LearningPath.Step step) {
        return step.learner().spelled(step.fit().chosen().lambda());
    }

    private Chart chart(LearningPath path, boolean classes) {
        List<LearningPath.Step> all = path.steps();
        double[] strengths = all.stream().mapToDouble(PathCommand::spelled).toArray();
        Axis strength = Axis.logarithmic(all.get(0).learner().strengthName());
        Panel errors = Panel.of(
                        classes ? "error on the test rows" : "rmse on the test rows",
                        strength,
                        Axis.logarithmic(classes ? "error, %" : "rmse"))
                .with(Series.line(
                        classes ? "error" : "rmse",
                        strengths,
                        all.stream()
                                .mapToDouble(step -> (classes ? 100 : 1) * step.error())
                                .toArray()));
        Panel sizes = Panel.of("size of the model", strength, Axis.linear("with weights"))
                .with(Series.line(
                        "features",
                        strengths,
                        all.stream()
                                .mapToDouble(step -> step.fit().model().nonZeros())
                                .toArray()))
                .with(Series.dashed(
                        "projections",
                        strengths,
                        all.stream().mapToDouble(LearningPath.Step::projections).toArray()));
        String title = learningFlags.learner().name() + " of " + path.map() + " for " + path.kernel();
        return Chart.stacked(title, errors, sizes).withPanelSize(WIDTH, HEIGHT);
    }

    private static Map<String, Object> toMap(FileSource source, LearningPath path, boolean classes) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("data", source.name());
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
            line.put("strength", spelled(step));
            line.put("lambda", step.fit().chosen().lambda());
            line.put("nonZeroFeatures", step.fit().model().nonZeros());
            line.put("projections", step.projections());
            line.put("trainingLoss", step.fit().chosen().trainingLoss());
            line.put("objective", step.fit().convergence().objective());
            line.put("converged", step.fit().convergence().converged());
            line.put(classes ? "error" : "rmse", step.error());
            lines.add(line);
        }
        map.put("steps", lines);
        map.put("best", best(path));
        map.put("notes", SettingFlags.texts(TrainCommand.notes(source, path.notes())));
        return map;
    }
}
