package org.bochner.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bochner.base.AtomicFile;
import org.bochner.base.Spelling;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.model.AdditiveCurves;
import org.bochner.model.KernelModel;
import org.bochner.numeric.LinearAlgebra;
import org.bochner.numeric.Workers;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the curves of an additive model. */
@Command(
        name = "curves",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Show the curve of each column of an additive model.",
        customSynopsis = {
            "bochner curves MODEL [DATA] [--column NAME,...] [--output FILE.csv]",
            "                      [--plot FILE] [--json] [OPTION]..."
        },
        description = {
            "",
            "A model whose kernel is a sum over columns is a generalised additive model: each score is an intercept plus"
                    + " one curve per column. Prints the columns in the order of their importance, which is the standard"
                    + " deviation of a column's contribution over the rows of DATA, or over the range of the column"
                    + " without DATA. Values of columns are those of the data; if whole rows are scaled, as by unit-l1,"
                    + " those after the scaling.",
            "",
            "MODEL may be a compiled model, or any model that compile takes."
        })
final class CurvesCommand extends Subcommand {
    @Parameters(
            index = "0",
            paramLabel = "MODEL",
            description = "A model that train or compile saved, or a LIBSVM model file.")
    @SuppressWarnings("NullAway.Init") // picocli fills it
    @Reads
    private Path modelPath;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "DATA",
            description =
                    "Rows like those of the training data; labels are not needed. The file is read several times.")
    @Reads
    private @Nullable String data;

    @Option(names = "--column", paramLabel = "NAME", split = ",", description = "Show these columns only, by name.")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "Write the intercept and the curves to this CSV file: column, value, and one contribution per"
                    + " output.")
    @Writes
    private @Nullable Path output;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description = "Plot the most important curves, or those of --column, as .svg or .png.")
    @Writes(picture = true)
    private @Nullable Path plot;

    @Option(
            names = "--top",
            paramLabel = "N",
            description =
                    "Number of columns to print and to plot, at most 60 plotted. [default: 20 printed, 6 plotted]")
    private @Nullable Integer top;

    @ArgGroup(validate = false, heading = ReadingFlags.HEADING, order = 5)
    private ModelDataFlags dataFlags = new ModelDataFlags();

    @ArgGroup(validate = false, heading = RunFlags.HEADING, order = 6)
    private ResultFlags run = new ResultFlags();

    @Override
    public Integer call() {
        if (top != null) {
            requireAtLeast("--top", top, 1);
        }
        DataOptions options = options(dataFlags, data);
        Workers workers = run.workers();
        LinearAlgebra.preload();
        KernelModel model = dataFlags.load(modelPath, data);
        FileSource source =
                options == null ? null : dataFlags.open(model, options).withoutLabels();
        Talk talk = talk(run);
        AdditiveCurves curves = AdditiveCurves.of(model, source, workers, talk);
        CurveFindings findings = new CurveFindings(modelPath, source, curves, columns(curves), top);
        AtomicFile.together(() -> {
            if (output != null) {
                findings.writeCsv(output);
            }
            if (plot != null) {
                CurvePlot.of(findings).write(plot);
            }
        });
        talk.clear();
        String note = plot == null ? null : CurvePlot.note(findings);
        if (note != null) {
            talk.say(note);
        }
        if (run.json()) {
            printJson(findings.toMap());
            return Main.WORKED;
        }
        out().print(findings.table());
        return Main.WORKED;
    }

    /** Returns the chosen columns, the most important first. */
    private List<Integer> columns(AdditiveCurves curves) {
        if (names.isEmpty()) {
            return curves.columns();
        }
        List<String> known = curves.columns().stream().map(curves::name).toList();
        for (String name : names) {
            if (!known.contains(name)) {
                throw new UsageException("--column: no curve of '" + name + "'" + Spelling.hint(name, known));
            }
        }
        return curves.columns().stream()
                .filter(column -> names.contains(curves.name(column)))
                .toList();
    }

    /** Returns the options for DATA; null if none was given. */
    static @Nullable DataOptions options(ModelDataFlags flags, @Nullable String data) {
        if (data == null && !flags.hasChannels()) {
            return null;
        }
        DataOptions options = flags.options(data);
        if (TestRowFlags.readsStandardInput(options)) {
            throw new UsageException("DATA is read several times, so it cannot be stdin (-); save it to a file");
        }
        return options;
    }
}
