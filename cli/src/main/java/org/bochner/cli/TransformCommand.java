package org.bochner.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.bochner.base.AtomicFile;
import org.bochner.base.Notes;
import org.bochner.data.DataOptions;
import org.bochner.data.RowSource;
import org.bochner.data.RowWriter;
import org.bochner.data.SurveyedSource;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.Transformer;
import org.bochner.numeric.Workers;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes the features of every row to a file. */
@Command(
        name = "transform",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Write features, principal components or discriminant axes of every row to a file.",
        customSynopsis = {
            "bochner transform DATA --model MODEL [--axes] --output FILE [OPTION]...",
            "  or:  bochner transform DATA [--kernel K] [--map M] [--features D] [--scale S]",
            "                         [--pca K [--save MODEL]] --output FILE [OPTION]..."
        },
        description = {
            "",
            "Uses the scaling and map of a model (--model), or those that --kernel, --map, --features and"
                    + " --scale set. LIBSVM and CSV files also contain the labels.",
            "",
            "With --pca, this is kernel principal component analysis: DATA needs no labels (--label none), and the table"
                    + " on stdout shows the variance of each component. --save writes a model that projects other rows"
                    + " on the same components. With --axes, the file has the coordinates of the rows along the"
                    + " discriminant axes of a model that was trained by lda."
        })
final class TransformCommand extends DataCommand {
    @Option(
            names = "--output",
            paramLabel = "FILE",
            required = true,
            description = "Write the features to this file: .npy, .libsvm or .csv, compressed if .gz follows.")
    @SuppressWarnings("NullAway.Init") // picocli fills it
    @Writes
    private String output;

    @Option(names = "--model", paramLabel = "MODEL", description = "Use the scaling and the map of this model.")
    @Reads
    private @Nullable Path modelPath;

    @Option(
            names = "--axes",
            description = "Write the coordinates along the discriminant axes of --model, which lda trained: at most one"
                    + " fewer than there are classes.")
    private boolean axes;

    @Option(
            names = "--pca",
            paramLabel = "K",
            description = "Write the first K principal components of the features, or as many as explain a share of the"
                    + " variance, such as 0.99 or 99%%.")
    private @Nullable String pca;

    @Option(
            names = "--save",
            paramLabel = "MODEL",
            description = "Save the components of --pca as a model, for --model.")
    @Writes
    private @Nullable Path save;

    @Mixin
    private MapFlags mapFlags = new MapFlags();

    @Override
    public Integer call() {
        Talk talk = talk(run());
        Workers workers = run().workers();
        DataOptions options = options();
        requireFlags();
        RowWriter.check(output);
        SurveyedSource source;
        RowSource rows;
        Transformer transformer;
        KernelModel fitted = null;
        String prefix = axes ? "ld" : pca != null ? "pc" : "z";
        if (modelPath != null) {
            KernelModel model = KernelModel.load(modelPath);
            if (!model.stages().isEmpty()) {
                throw new UsageException("--model " + modelPath + ": is a cascade, whose stages have maps of their own;"
                        + " train a model of one kernel, or leave out --model");
            }
            if (!model.members().isEmpty()) {
                throw new UsageException("--model " + modelPath + ": is made of several models, which have maps of"
                        + " their own; train a single one, or leave out --model");
            }
            source = model.open(options);
            rows = source;
            transformer = axes ? requireAxes(model) : model.transformer();
            prefix = model.predicts() ? prefix : "pc";
        } else {
            Spelled spelled = mapFlags.spelled();
            // Misspellings are found before the data are read.
            KernelMachine unused = machine(spelled.before(options));
            source = open(options, talk);
            // The map and the features have the same category means.
            RowSource training = source.forTraining();
            rows = training;
            Notes notes = new Notes();
            KernelMachine machine = machine(spelled.in(source));
            // A map that does not fit the kernel shows only when the data have completed the kernel.
            fitted = pca == null
                    ? null
                    : UsageException.orUsage(() -> machine.fitComponents(training, workers, talk, notes));
            transformer = fitted == null
                    ? UsageException.orUsage(() -> machine.prepare(training, workers, talk, notes))
                    : fitted.transformer();
            talk.clear();
            talk.say(notes.list());
        }
        int features = transformer.map().outputDimension();
        List<String> names = names(prefix, features);
        KernelModel components = fitted;
        long written = AtomicFile.together(() -> {
            long count;
            try (RowWriter writer = RowWriter.open(output, names, source.labels())) {
                count = transformer.transform(rows, workers, talk, writer::write);
                writer.finish();
            }
            if (components != null && save != null) {
                components.save(save);
            }
            return count;
        });
        talk.clear();
        if (modelPath != null) {
            talk.say(source.notes());
        }
        if (run().json()) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("rows", written);
            facts.put("features", features);
            facts.put("kernel", transformer.map().kernel().toString());
            if (transformer.variances().length > 0) {
                facts.put("components", ComponentFindings.json(transformer, prefix));
            }
            facts.put("output", output);
            printJson(facts);
        } else {
            if (transformer.variances().length > 0) {
                out().print(ComponentFindings.text(transformer, prefix));
                out().flush();
            }
            talk.say(Text.of(
                    "%s of %s of %s written to %s",
                    Text.count(written, source.inSets() ? "set" : "row"),
                    Text.count(features, "feature"),
                    transformer.map().kernel(),
                    output));
        }
        return Main.WORKED;
    }

    private void requireFlags() {
        if (modelPath != null && (mapFlags.given() || pca != null)) {
            throw new UsageException(
                    "--model sets kernel, map, features, scale, seed and components; remove these flags");
        }
        if (axes && modelPath == null) {
            throw new UsageException("--axes needs --model, a model that train --learner lda saved");
        }
        if (save != null && pca == null) {
            throw new UsageException("--save needs --pca; add --pca 2, for example");
        }
    }

    private KernelMachine machine(Spelled spelled) {
        KernelMachine machine = mapFlags.machine(spelled);
        String components = pca;
        return components == null ? machine : UsageException.orUsage(() -> machine.withComponents(components));
    }

    private Transformer requireAxes(KernelModel model) {
        return model.axes()
                .orElseThrow(() -> new UsageException("--axes: " + modelPath
                        + " has no discriminant axes; train --learner lda makes a model that has"));
    }

    /** Returns the names of the written columns: features are counted from 0, components and axes from 1. */
    private static List<String> names(String prefix, int features) {
        int first = prefix.equals("z") ? 0 : 1;
        return IntStream.range(0, features).mapToObj(j -> prefix + (j + first)).toList();
    }
}
