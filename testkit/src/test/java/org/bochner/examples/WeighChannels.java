package org.bochner.examples;

import java.util.SplittableRandom;
import org.bochner.data.MemorySource;
import org.bochner.model.KernelModel;
import org.bochner.tune.LearnedSum;
import org.bochner.tune.MultipleKernels;

/** The example of docs/java.md on channels: the lines between the marks stand there word for word. */
public final class WeighChannels {
    private WeighChannels() {}

    /** Learns the weights of three channels, of which the last one is noise. */
    public static void main(String[] arguments) {
        double[][] objects = new double[400][6];
        String[] kinds = new String[objects.length];
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < objects.length; i++) {
            for (int j = 0; j < 6; j++) {
                objects[i][j] = 2 * random.nextDouble() - 1;
            }
            boolean round = Math.hypot(objects[i][0], objects[i][1]) < 0.7;
            kinds[i] = round && objects[i][2] * objects[i][3] > 0 ? "ripe" : "unripe";
        }

        // The document's lines start here.
        // double[][] objects: columns 0 and 1 describe the shape, 2 and 3 the colour, 4 and 5 are noise.
        MemorySource rows = MemorySource.of(objects).withClasses(kinds);
        LearnedSum learned = MultipleKernels.of(MultipleKernels.channels("shape=0:2,colour=2:4,noise=4:6"), "gaussian")
                .withFeatures(100)
                .fit(rows);
        for (LearnedSum.Channel channel : learned.channels()) {
            System.out.println(channel.columns().name() + (channel.share() > 0.1 ? " counts" : " hardly counts"));
        }
        KernelModel model = learned.model();
        System.out.println(model.predictClass(new double[] {0.1, 0.1, 0.7, 0.7, 0, 0}));
        // The document's lines end here.
    }
}
