package org.bochner.cli;

import java.nio.file.Path;
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

/** Compiles a model of an additive kernel into one curve per column. */
@Command(
        name = "compile",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Compile a model of an additive kernel into one curve per column.",
        customSynopsis = {
            "bochner compile MODEL [DATA] [--output FILE] [--knots N]",
            "                       [--form linear|constant|exact] [--json] [OPTION]..."
        },
        description = {
            "",
            "A model whose kernel is a sum over columns (intersection, chi2, jensen-shannon, hellinger, linear) is a sum of one curve"
                    + " per column, f(x) = b + f1(x1) + f2(x2) + ..., whatever the number of its support vectors or features."
                    + " The compiled model looks the curves up in tables and is a model like any other.",
            "",
            "Prints the size, the error and the speed of the compiled model, and saves it if --output is given.",
            "",
            "DATA widens the ranges of the columns, and the error is measured on its rows. Models that know the"
                    + " ranges of their columns need no DATA: exact machines, and the maps landmarks, piecewise and unary."
        })
final class CompileCommand extends Subcommand {
    private static final String DEFAULT_FORM = "linear";

    @Parameters(index = "0", paramLabel = "MODEL", description = "A model that train saved, or a LIBSVM model file.")
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

    @Option(names = "--output", paramLabel = "FILE", description = "Save the compiled model to this file.")
    @Writes
    private @Nullable Path output;

    @Option(
            names = "--form",
            paramLabel = "linear|constant|exact",
            completionCandidates = Words.CurveForms.class,
            converter = Words.CurveFormNames.class,
            description = "How curves are stored: straight lines between knots (linear), the value of the nearest knot"
                    + " (constant), or the curves themselves (exact: for intersection and linear kernels and the"
                    + " maps piecewise and unary). [default: linear]")
    private String form = DEFAULT_FORM;

    @Option(names = "--knots", paramLabel = "N", description = "Number of knots per column. [default: 100]")
    private int knots = AdditiveCurves.DEFAULT_KNOTS;

    @ArgGroup(validate = false, heading = ReadingFlags.HEADING, order = 5)
    private ModelDataFlags dataFlags = new ModelDataFlags();

    @ArgGroup(validate = false, heading = RunFlags.HEADING, order = 6)
    private ResultFlags run = new ResultFlags();

    @Override
    public Integer call() {
        if (knots < 2 || knots > AdditiveCurves.MOST_KNOTS) {
            throw new UsageException("--knots must be between 2 and " + AdditiveCurves.MOST_KNOTS + ", got " + knots);
        }
        if (form.equals("exact") && given("--knots") != null) {
            throw new UsageException("--form exact has its own knots; leave --knots out");
        }
        DataOptions options = CurvesCommand.options(dataFlags, data);
        Workers workers = run.workers();
        LinearAlgebra.preload();
        KernelModel model = dataFlags.load(modelPath, data);
        FileSource source =
                options == null ? null : dataFlags.open(model, options).withoutLabels();
        Talk talk = talk(run);
        long start = System.nanoTime();
        AdditiveCurves curves = AdditiveCurves.compile(model, form, knots, source, workers, talk);
        if (output != null) {
            curves.model().save(output);
        }
        CompileFindings findings = new CompileFindings(
                modelPath, source, model.fileBytes(), curves, output, (System.nanoTime() - start) * 1e-9);
        talk.clear();
        Results.sayDropped(model, "compiled", talk);
        String note = findings.note();
        if (note != null) {
            talk.say(note);
        }
        if (run.json()) {
            printJson(findings.toMap());
            return Main.WORKED;
        }
        out().print(findings.facts());
        out().flush();
        if (output == null) {
            talk.say("The compiled model was not saved. Add --output FILE to save it.");
        }
        return Main.WORKED;
    }
}
