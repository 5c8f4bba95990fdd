package org.bochner.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.bochner.base.Json;
import org.bochner.data.FileSource;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelModel;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Compares a model's predictions with the labels of a file. */
@Command(
        name = "evaluate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Compare a model's predictions with the labels of a file.",
        description = {
            "",
            "Prints the error and a line for each class (recall: the share of its rows that were found; precision: the"
                    + " share of the rows said to be of it that are), or rmse, mae and r2 for numbers.",
            ""
        },
        footerHeading = "%nExample%n",
        footer = "  bochner evaluate digits.bochner test.csv --json")
final class EvaluateCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "MODEL", description = "A model that train saved.")
    @SuppressWarnings("NullAway.Init") // picocli fills it
    private Path modelPath;

    @Parameters(index = "1", arity = "0..1", paramLabel = "DATA", description = "Rows with labels; - is stdin.")
    private @Nullable String data;

    @Mixin
    private ModelFlags modelFlags = new ModelFlags();

    @Mixin
    private RunFlags run = new RunFlags();

    @Override
    public Integer call() {
        KernelModel model = KernelModel.load(modelPath);
        FileSource source = modelFlags.open(model, data);
        Talk talk = run.talk();
        long start = System.nanoTime();
        Evaluation evaluation = Evaluation.of(model, source, run.workers(), talk);
        double seconds = (System.nanoTime() - start) * 1e-9;
        talk.clear();
        if (run.json()) {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("model", modelPath.toString());
            map.put("data", source.name());
            map.putAll(evaluation.toMap());
            map.put("predictSeconds", seconds);
            map.put("peakMemoryBytes", Memory.peakBytes());
            System.out.println(Json.writePretty(map));
        } else {
            System.out.print(Results.table(evaluation));
        }
        return 0;
    }
}
