package org.bochner.examples;

import java.util.List;
import java.util.SplittableRandom;
import org.bochner.data.MemorySource;
import org.bochner.learn.Learner;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;

/** The example of docs/java.md on arrays: the lines between the marks stand there word for word. */
public final class TrainFromArrays {
    private TrainFromArrays() {}

    /** Trains on points in the plane, and on word counts. */
    public static void main(String[] arguments) {
        double[][] points = new double[400][2];
        double[] radii = new double[points.length];
        String[] places = new String[points.length];
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < points.length; i++) {
            points[i] = new double[] {4 * random.nextDouble() - 2, 4 * random.nextDouble() - 2};
            radii[i] = Math.hypot(points[i][0], points[i][1]);
            places[i] = radii[i] < 1 ? "inside" : "outside";
        }

        // The document's lines start here.
        // double[][] points: one array per row. String[] places: one class per row. double[] radii: one number per row.
        MemorySource labelled = MemorySource.of(points).withClasses(places);
        KernelModel classifier = KernelMachine.of("gaussian")
                .withFeatures(200)
                .withLearner(Learner.svm().withC(10))
                .fit(labelled)
                .model();
        System.out.println("(0.2, 0.3) is " + classifier.predictClass(new double[] {0.2, 0.3}));

        MemorySource measured = MemorySource.of(points).withTargets(radii);
        KernelModel regression =
                KernelMachine.of("gaussian").withFeatures(200).fit(measured).model();
        System.out.printf("radius of (0.6, 0.8): %.1f%n", regression.predictNumber(new double[] {0.6, 0.8}));

        // Four texts as counts of six words, in CSR format: the entries of text i are starts[i] to starts[i + 1].
        int[] starts = {0, 2, 4, 6, 8};
        int[] words = {0, 1, 0, 2, 3, 4, 3, 5};
        float[] counts = {2, 1, 3, 1, 1, 1, 4, 2};
        MemorySource texts = MemorySource.ofCsr(6, starts, words, counts)
                .withClasses(List.of("sport", "sport", "politics", "politics"));
        KernelModel topics = KernelMachine.of("chi2")
                .withScaling("unit-l1")
                .withLearner(Learner.ridge(0.1))
                .fit(texts)
                .model();
        System.out.println("word 3 is about " + topics.predictClass(new double[] {0, 0, 0, 1, 0, 0}));
        // The document's lines end here.
    }
}
