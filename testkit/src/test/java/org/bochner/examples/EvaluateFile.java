package org.bochner.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bochner.base.Note;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.TrainingResult;

/** The example of docs/java.md on test files: the lines between the marks stand there word for word. */
public final class EvaluateFile {
    private EvaluateFile() {}

    /** Splits the data file that the first argument names into two files in the folder of the second. */
    public static void main(String[] arguments) {
        Path train = Path.of(arguments[1], "train.csv");
        Path test = Path.of(arguments[1], "test.csv");
        split(Path.of(arguments[0]), train, test);
        // The document's lines start here.
        DataOptions options = DataOptions.of(train.toString())
                .withLabel("price")
                .withIgnored(List.of("sold"))
                .withMissingFilled(true);
        TrainingResult trained = KernelMachine.of("gaussian").withFeatures(300).fit(FileSource.open(options));
        for (Note note : trained.report().notes()) {
            System.err.println(note);
        }
        KernelModel model = trained.model();

        // The model knows the columns, the categories, the label and the replacements of missing values.
        Evaluation evaluation = Evaluation.of(model, model.open(DataOptions.of(test.toString())));
        System.out.println(evaluation.rows() + " rows");
        System.out.println("rmse below 20000: " + (evaluation.rmse() < 20000));
        System.out.println("r2 above 0.9: " + (evaluation.r2() > 0.9));
        // The document's lines end here.
    }

    /** Writes every fifth row to the test file and the others to the training file. */
    private static void split(Path data, Path train, Path test) {
        try {
            List<String> lines = Files.readAllLines(data);
            List<String> first = new ArrayList<>(List.of(lines.get(0)));
            List<String> second = new ArrayList<>(List.of(lines.get(0)));
            for (int i = 1; i < lines.size(); i++) {
                (i % 5 == 0 ? second : first).add(lines.get(i));
            }
            Files.write(train, first);
            Files.write(test, second);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
