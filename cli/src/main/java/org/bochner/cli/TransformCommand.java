package org.bochner.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.bochner.base.Notes;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.RowWriter;
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
        header = "Write the features of every row to a file, for another program to learn from.",
        customSynopsis = {
            "bochner transform DATA --model MODEL --output FILE [OPTION]...",
            "  or:  bochner transform DATA [--kernel K] [--map M] [--features D] [--scale S]",
            "                         --output FILE [OPTION]..."
        },
        description = {
            "",
            "Uses the scaling and map of a model (--model), or those that --kernel, --map, --features and"
                    + " --scale set. LIBSVM and CSV files also contain the labels."
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

    @Mixin
    private MapFlags mapFlags = new MapFlags();

    @Override
    public Integer call() {
        Talk talk = talk(run());
        Workers workers = run().workers();
        DataOptions options = options();
        RowWriter.check(output);
        FileSource source;
        Transformer transformer;
        if (modelPath != null) {
            if (mapFlags.given()) {
                throw new UsageException("--model sets kernel, map, features, scale and seed; remove these flags");
            }
            KernelModel model = KernelModel.load(modelPath);
            source = model.open(options);
            transformer = model.transformer();
        } else {
            Spelled spelled = mapFlags.spelled();
            // Misspellings are found before the data are read.
            KernelMachine unused = mapFlags.machine(spelled.before(options));
            FileSource opened = open(options, talk);
            source = opened;
            Notes notes = new Notes();
            KernelMachine machine = mapFlags.machine(spelled.in(opened));
            // A map that does not fit the kernel shows only when the data have completed the kernel.
            transformer = UsageException.orUsage(() -> machine.prepare(opened, workers, talk, notes));
            talk.clear();
            talk.say(notes.list());
        }
        long rows;
        int features = transformer.map().outputDimension();
        List<String> names = IntStream.range(0, features).mapToObj(j -> "z" + j).toList();
        try (RowWriter writer = RowWriter.open(output, names, source.labels())) {
            rows = transformer.transform(source, workers, talk, writer::write);
            writer.finish();
        }
        talk.clear();
        if (run().json()) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("rows", rows);
            facts.put("features", features);
            facts.put("kernel", transformer.map().kernel().toString());
            facts.put("output", output);
            printJson(facts);
        } else {
            talk.say(Text.of(
                    "%,d rows of %,d features of %s written to %s",
                    rows, features, transformer.map().kernel(), output));
        }
        return Main.WORKED;
    }
}
