package org.bochner.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.bochner.base.BochnerException;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Holdout;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.TrainingResult;
import org.bochner.numeric.LinearAlgebra;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;

/** Runs all steps on the bundled sample, and prints each step. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        header = "Train and evaluate a model on a bundled sample, in seconds.",
        description = {
            "",
            "Reads 1,797 handwritten digits, trains on four fifths of them, saves the model, loads it again,"
                    + " and evaluates it on the rest. No file is left behind."
        })
final class DemoCommand extends Subcommand {
    private static final int FEATURES = 1000;
    private static final double SHARE = 0.2;

    @ArgGroup(validate = false, heading = RunFlags.HEADING)
    private RunFlags run = new RunFlags();

    @Override
    public Integer call() throws IOException {
        Path sample = sample();
        Workers workers = run.workers();
        Talk talk = talk(run);
        step("1. Read", "samples/digits.csv.gz, a gzipped CSV file, as a stream");
        FileSource source = FileSource.open(DataOptions.of(sample.toString()));
        detail(String.format(
                Locale.ROOT,
                "%,d rows, %d columns; %s",
                source.rows(),
                source.columns(),
                SettingFlags.aside(source.taskReason())));
        Holdout split = Holdout.split(source, SHARE, new Seed(1));

        step("2. Train", "a Gaussian kernel machine with " + FEATURES + " random Fourier features, on 80% of the rows");
        TrainingResult trained =
                KernelMachine.of("gaussian").withFeatures(FEATURES).fit(split.train(), workers, talk);
        talk.clear();
        trained.report().notes().forEach(note -> detail(SettingFlags.text(note)));
        detail(String.format(
                Locale.ROOT,
                "lambda = %.3g: %s",
                trained.report().chosen().lambda(),
                trained.report().reason()));
        detail(String.format(
                Locale.ROOT, "took %.2f s with %s", trained.report().fitSeconds(), LinearAlgebra.name()));

        Path file = Files.createTempFile("demo", ".bochner");
        try {
            trained.model().save(file);
            step("3. Save and load", String.format(Locale.ROOT, "a model file of %,d bytes", Files.size(file)));
            Evaluation evaluation = Evaluation.of(KernelModel.load(file), split.test(), workers, talk);
            talk.clear();
            step("4. Evaluate", "on the 20% that were held out");
            detail("test " + Results.headline(evaluation));
        } finally {
            Files.delete(file);
        }

        out().println();
        out().println("Try next:");
        out().println("  ./bochner train samples/digits.csv.gz --holdout 0.2 --model digits.bochner");
        out().println("  ./bochner predict digits.bochner samples/digits.csv.gz | head");
        out().println("  ./bochner inspect digits.bochner");
        out().println("  ./bochner error --kernel 'gaussian(sigma=20)' --features 1000 samples/digits.csv.gz");
        out().println("  ./bochner help train");
        return 0;
    }

    private void step(String name, String what) {
        out().println(name + ": " + what);
    }

    private void detail(String what) {
        out().println("   " + what);
    }

    /** Returns the sample, in the folder that the launcher sets. */
    private static Path sample() {
        String home = System.getProperty("bochner.home", ".");
        Path sample = Path.of(home, "samples", "digits.csv.gz");
        if (!Files.isReadable(sample)) {
            throw new BochnerException(sample + ": the sample is missing; start the demo as ./bochner demo");
        }
        return sample;
    }
}
