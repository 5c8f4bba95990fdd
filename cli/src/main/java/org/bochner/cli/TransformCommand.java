package org.bochner.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.bochner.base.Notes;
import org.bochner.data.DataFiles;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.RowWriter;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.Transformer;
import org.bochner.numeric.Workers;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes the features of every row to a file. */
@Command(
        name = "transform",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Write the features of every row to a file, for another program to learn from.",
        customSynopsis = {
            "bochner transform DATA --model MODEL --output FILE [OPTION]...",
            "  or:  bochner transform DATA [--kernel K] [--map M] [--features D] [--scale S]",
            "                         --output FILE [OPTION]..."
        },
        description = {
            "",
            "The map is a trained model's (--model), or made from --kernel, --map and --features. Labels are written too"
                    + " where the format has a place for them (LIBSVM, CSV)."
        },
        footerHeading = "%nJSON%n",
        footer = {
            "  rows, features, kernel, output.",
            "",
            "Examples",
            "  bochner transform train.csv --kernel 'gaussian(sigma=2)' --output train.npy",
            "  bochner transform test.csv --model digits.bochner --output test.libsvm"
        })
final class TransformCommand extends Subcommand {
    @Parameters(arity = "0..1", paramLabel = "DATA", description = "The rows; - is stdin.")
    @Reads
    private @Nullable String data;

    @Option(
            names = "--output",
            paramLabel = "FILE",
            required = true,
            description = "Where to write: .npy, .libsvm or .csv, with .gz after it compressed.")
    @SuppressWarnings("NullAway.Init") // picocli fills it
    @Writes
    private String output;

    @Option(names = "--model", paramLabel = "MODEL", description = "Take scaling and map from this model.")
    @Reads
    private @Nullable Path modelPath;

    @Option(
            names = "--kernel",
            paramLabel = "K",
            completionCandidates = Words.KernelNames.class,
            description = "The kernel; gaussian by default.")
    private @Nullable String kernel;

    @Option(
            names = "--map",
            paramLabel = "M",
            completionCandidates = Words.MapNames.class,
            description = "The feature map; auto by default.")
    private @Nullable String map;

    @Option(
            names = "--features",
            paramLabel = "D",
            description = "How many features to make, where a map can make any number; 1000 by default.")
    private @Nullable Integer features;

    @Option(
            names = "--scale",
            paramLabel = "S",
            completionCandidates = Words.ScalingNames.class,
            description = "How to scale the rows first, as in train.")
    private @Nullable String scale;

    @Option(names = "--seed", paramLabel = "N", description = "Where randomness starts; 1 by default.")
    private @Nullable Long seed;

    @ArgGroup(validate = false, heading = ReadingFlags.HEADING)
    private DataFlags dataFlags = new DataFlags();

    @ArgGroup(validate = false, heading = RunFlags.HEADING)
    private ResultFlags run = new ResultFlags();

    @Override
    public Integer call() {
        Talk talk = talk(run);
        Workers workers = run.workers();
        FileSource source;
        Transformer transformer;
        if (modelPath != null) {
            if (kernel != null || map != null || features != null || scale != null || seed != null) {
                throw new UsageException(
                        "--model brings its own kernel, map, features, scale and seed; leave those out");
            }
            DataOptions options = dataFlags.options(data);
            RowWriter.check(output);
            KernelModel model = KernelModel.load(modelPath);
            source = ReadingFlags.openFor(model, options);
            transformer = model.transformer();
        } else {
            DataOptions options = dataFlags.options(data);
            Spelled spelled = new Spelled(kernel == null ? Recipes.DEFAULT_KERNEL : kernel, scale);
            // What is misspelled is found before the data are read.
            KernelMachine unused = machine(spelled.before(options));
            RowWriter.check(output);
            FileSource opened = DataFiles.open(options);
            source = opened;
            talk.say(source);
            Notes notes = new Notes();
            KernelMachine machine = machine(spelled.in(source));
            // A map that does not fit the kernel shows only when that is complete.
            transformer = UsageException.orUsage(() -> machine.prepare(opened, workers, talk, notes));
            talk.clear();
            talk.say(notes.list());
        }
        long rows;
        List<String> names = new ArrayList<>();
        for (int j = 0; j < transformer.map().outputDimension(); j++) {
            names.add("z" + j);
        }
        try (RowWriter writer = RowWriter.open(output, names, source.labels())) {
            rows = transformer.transform(source, workers, talk, writer::write);
            writer.finish();
        }
        talk.clear();
        if (run.json()) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("rows", rows);
            facts.put("features", names.size());
            facts.put("kernel", transformer.map().kernel().toString());
            facts.put("output", output);
            printJson(facts);
        } else {
            talk.say(String.format(
                    Locale.ROOT,
                    "%,d rows of %,d features of %s written to %s",
                    rows,
                    names.size(),
                    transformer.map().kernel(),
                    output));
        }
        return 0;
    }

    private KernelMachine machine(Spelled spelled) {
        return Recipes.machine(spelled, map == null ? "auto" : map, features, seed == null ? 1 : seed);
    }
}
