package org.bochner.examples;

import java.util.SplittableRandom;
import org.bochner.data.MemorySource;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.tune.Tuning;
import org.bochner.tune.TuningResult;

/** The example of docs/java.md on searches for the best machine: the lines between the marks stand there word for word. */
public final class SearchMachines {
    private SearchMachines() {}

    /** Searches for a machine, or an average of machines, for a wave along one column of two. */
    public static void main(String[] arguments) {
        double[][] points = new double[150][2];
        double[] values = new double[points.length];
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < points.length; i++) {
            points[i] = new double[] {random.nextDouble(), random.nextDouble()};
            values[i] = Math.sin(8 * points[i][0]) + 0.1 * random.nextDouble();
        }

        // The document's lines start here.
        // values[i] = sin(8·points[i][0]) and a little noise; the second column does not matter.
        MemorySource rows = MemorySource.of(points).withTargets(values);
        TuningResult result = Tuning.of(KernelMachine.of("gaussian"))
                .withTrials(4)
                .withEnsemble(true)
                .search(rows);
        System.out.println(result.trials() + " machines, compared by " + result.metric());
        System.out.println("better than a linear model: " + result.beatsLinear());
        TuningResult.Average average = result.average();
        if (average != null) {
            System.out.println("the model is an average of " + average.members().size() + " of them");
        }
        KernelModel model = result.trained().model();
        System.out.printf("truth %.1f%n", Math.sin(8 * 0.5) + 0.05);
        System.out.printf("model %.1f%n", model.predictNumber(new double[] {0.5, 0.5}));
        // The document's lines end here.
    }
}
