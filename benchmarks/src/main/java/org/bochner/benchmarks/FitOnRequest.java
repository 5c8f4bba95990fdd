package org.bochner.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.learn.Learner;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.bochner.model.TrainingResult;

/**
 * Fits a9a once for every line on stdin and answers with the seconds and the test error: so that another program can
 * measure in turns with us, each in a process that is warm.
 */
public final class FitOnRequest {
    private FitOnRequest() {}

    /** Arguments: training file, test file, kernel, features, lambda. */
    public static void main(String[] arguments) throws IOException {
        FileSource train = FileSource.open(DataOptions.of(arguments[0]).withColumns(123));
        FileSource test = FileSource.open(DataOptions.of(arguments[1]), train.encoding());
        KernelMachine machine = KernelMachine.of(arguments[2])
                .withFeatures(Integer.parseInt(arguments[3]))
                .withLearner(Learner.ridge(Double.parseDouble(arguments[4])));
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (requests.readLine() != null) {
            TrainingResult trained = machine.fit(train);
            double error = Evaluation.of(trained.model(), test).error();
            System.out.println(trained.report().fitSeconds() + " " + error);
        }
    }
}
