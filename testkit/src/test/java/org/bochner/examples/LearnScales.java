package org.bochner.examples;

import java.util.SplittableRandom;
import org.bochner.data.MemorySource;
import org.bochner.learn.Learner;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.tune.KernelLearning;
import org.bochner.tune.LearnedKernel;
import org.bochner.tune.LearnedScale;

/** The example of docs/java.md on kernel learning: the lines between the marks stand there word for word. */
public final class LearnScales {
    private LearnScales() {}

    /** Learns one length-scale per column, where one column of three does not matter. */
    public static void main(String[] arguments) {
        double[][] points = new double[400][3];
        double[] values = new double[points.length];
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < points.length; i++) {
            points[i] = new double[] {random.nextDouble(), random.nextDouble(), random.nextDouble()};
            values[i] = Math.sin(8 * points[i][0]) + points[i][1];
        }

        // The document's lines start here.
        // values[i] = sin(8·points[i][0]) + points[i][1]; the third column does not matter.
        MemorySource rows = MemorySource.of(points).withTargets(values);
        LearnedKernel learned = KernelLearning.of(
                        KernelMachine.of("gaussian").withScaling("none").withFeatures(50))
                .withCriterion("loo")
                .learn(rows);
        for (LearnedScale scale : learned.scales()) {
            double lengthScale = 1 / scale.after();
            System.out.println("column " + scale.from() + (lengthScale < 100 ? " counts" : " does not count"));
        }

        // The model that was learned with the kernel, and a new one with the same kernel and another learner.
        KernelModel model = learned.trained().model();
        KernelModel robust = KernelMachine.of(learned.kernel())
                .withFeatures(300)
                .withLearner(Learner.huber())
                .fit(rows)
                .model();
        double[] row = {0.5, 0.5, 0.9};
        System.out.printf("truth %.1f%n", Math.sin(8 * row[0]) + row[1]);
        System.out.printf("ridge %.1f%n", model.predictNumber(row));
        System.out.printf("huber %.1f%n", robust.predictNumber(row));
        // The document's lines end here.
    }
}
