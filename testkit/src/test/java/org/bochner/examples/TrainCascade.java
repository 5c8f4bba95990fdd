package org.bochner.examples;

import java.util.List;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Holdout;
import org.bochner.learn.Learner;
import org.bochner.model.CascadeStage;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.random.Seed;

/** The example of docs/java.md on cascades: the lines between the marks stand there word for word. */
public final class TrainCascade {
    private TrainCascade() {}

    /** Trains a cascade on the data file that the first argument names. */
    public static void main(String[] arguments) {
        // The document's lines start here.
        Holdout split = Holdout.split(FileSource.open(DataOptions.of(arguments[0])), 0.2, new Seed(1));
        KernelMachine cheap =
                KernelMachine.of("chi2").withMap("sampled(order=1)").withLearner(Learner.ridge(0.1));
        KernelModel model = KernelMachine.of("exp-chi2(gamma=0.005)")
                .withMap("fourier@sampled(order=1)")
                .withLearner(Learner.ridge(0.1))
                .withStages(List.of(cheap), 0.002)
                .fit(split.train())
                .model();
        Evaluation evaluation = Evaluation.of(model, split.test());
        System.out.println("less than 4% wrong: " + (evaluation.error() < 0.04));
        for (CascadeStage stage : evaluation.stages()) {
            System.out.println(
                    stage.model().map().kernel() + " decides more than half of the rows: " + (stage.share() > 0.5));
        }
        // The document's lines end here.
    }
}
