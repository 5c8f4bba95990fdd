package org.bochner.examples;

import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Holdout;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.random.Seed;
import org.bochner.tune.Criterion;
import org.bochner.tune.KernelLearning;
import org.bochner.tune.LearnedKernel;
import org.bochner.tune.LearnedScale;
import org.bochner.tune.Sharing;

/** The example of docs/learning-kernels.md: the lines between the two marks stand there word for word. */
public final class LearnKernel {
    private LearnKernel() {}

    /** Learns a kernel from the data file that the first argument names. */
    public static void main(String[] arguments) {
        // The document's lines start here.
        FileSource rows = FileSource.open(DataOptions.of(arguments[0]));
        Holdout split = Holdout.split(rows, 0.2, new Seed(1));

        KernelMachine machine = KernelMachine.of("gaussian").withFeatures(200);
        LearnedKernel learned = KernelLearning.of(machine)
                .withSharing(Sharing.COLUMN)
                .withCriterion(Criterion.parse("cv(folds=5)"))
                .learn(split.train());
        System.out.println("objective " + learned.before() + " -> " + learned.after());
        for (LearnedScale scale : learned.scales()) {
            System.out.println("column " + scale.from() + ": " + 1 / scale.before() + " -> " + 1 / scale.after());
        }

        KernelModel model = learned.trained().model();
        System.out.println("error " + Evaluation.of(model, split.test()).error());

        KernelMachine again = KernelMachine.of(learned.kernel().toString())
                .withFeatures(200)
                .withScaling(model.scaler().scaling())
                .withLearner(learned.trained().report().learner());
        KernelModel same = again.fit(split.train()).model();
        System.out.println("error " + Evaluation.of(same, split.test()).error());
        // The document's lines end here.
    }
}
