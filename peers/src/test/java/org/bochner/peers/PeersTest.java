package org.bochner.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernels;
import org.bochner.model.Peer;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PeersTest {
    private static final Workers ONE = new Workers(1);
    private static final int ROWS = 300;

    static List<Peer<?>> peers() {
        return Peer.find(PeersTest.class.getClassLoader());
    }

    /** Three clouds of points around the corners of a triangle, in units of 1000 and far apart. */
    private static double[][] points() {
        RandomStream random = new Seed(1).stream();
        double[][] points = new double[ROWS][];
        for (int i = 0; i < ROWS; i++) {
            double x = i % 3 == 1 ? 5 : 0;
            double y = i % 3 == 2 ? 5 : 0;
            points[i] = new double[] {1000 * (x + random.nextGaussian() / 3), y + random.nextGaussian() / 3};
        }
        return points;
    }

    private static MemorySource classes(int count) {
        int[] classes = new int[ROWS];
        Arrays.setAll(classes, i -> Math.min(i % 3, count - 1));
        return MemorySource.of(points()).withClasses(List.of("a", "b", "c").subList(0, count), classes);
    }

    private static <M> double[] predictions(Peer<M> peer, RowSource rows) {
        M model = peer.fit(rows, new Seed(1), ONE);
        assertTrue(peer.bytes(model) > 0);
        double[] predictions = new double[ROWS];
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = rows.open()) {
            assertTrue(cursor.next(builder, ROWS));
            RowBlock block = builder.build();
            peer.predict(model, block, predictions);
        }
        return predictions;
    }

    private static void requireClasses(Peer<?> peer, RowSource rows, int count) {
        double[] predictions = predictions(peer, rows);
        long wrong = 0;
        for (int i = 0; i < ROWS; i++) {
            wrong += predictions[i] == Math.min(i % 3, count - 1) ? 0 : 1;
        }
        // Clouds 15 standard deviations apart; boosting may misplace a point that was held out.
        assertTrue(wrong <= 2, peer.name() + ": " + wrong);
    }

    @Test
    void areFoundByName() {
        assertEquals(
                List.of("liblinear", "libsvm", "xgboost"),
                peers().stream().map(Peer::name).toList());
    }

    @ParameterizedTest
    @MethodSource("peers")
    void separateTwoClasses(Peer<?> peer) {
        requireClasses(peer, classes(2), 2);
    }

    @ParameterizedTest
    @MethodSource("peers")
    void separateThreeClasses(Peer<?> peer) {
        requireClasses(peer, classes(3), 3);
    }

    /** One non-zero per row, in the column of its class. */
    @ParameterizedTest
    @MethodSource("peers")
    void separateSparseRows(Peer<?> peer) {
        int[] starts = new int[ROWS + 1];
        int[] columns = new int[ROWS];
        float[] values = new float[ROWS];
        Arrays.setAll(starts, i -> i);
        Arrays.setAll(columns, i -> i % 3);
        Arrays.fill(values, 2);
        int[] labels = new int[ROWS];
        Arrays.setAll(labels, i -> i % 3);
        RowSource rows = MemorySource.ofCsr(3, starts, columns, values).withClasses(List.of("a", "b", "c"), labels);
        requireClasses(peer, rows, 3);
    }

    @ParameterizedTest
    @MethodSource("peers")
    void predictNumbers(Peer<?> peer) {
        double[][] points = points();
        double[] numbers = Arrays.stream(points)
                .mapToDouble(point -> 500 + point[0] / 100 + point[1])
                .toArray();
        double[] predictions = predictions(peer, MemorySource.of(points).withTargets(numbers));
        double mean = Arrays.stream(numbers).average().orElseThrow();
        double residual = 0;
        double total = 0;
        for (int i = 0; i < ROWS; i++) {
            residual += Math.pow(predictions[i] - numbers[i], 2);
            total += Math.pow(mean - numbers[i], 2);
        }
        // The numbers are a linear function of the rows; the tubes of support vector regression allow an error of a
        // tenth of their standard deviation.
        assertTrue(residual < 0.02 * total, peer.name() + ": " + residual / total);
    }

    /** exp(−|x − y|²/(2σ²)) is 0 in float64 at a distance of 1 if σ is 0.02, and 1 if it is 10⁹. */
    @Test
    void libsvmHasTheBandwidthOfTheKernelAtEveryScale() {
        assertEquals(1250, LibsvmPeer.gamma(Kernels.gaussian(0.02)), 1e-9);
        assertEquals(5e-19, LibsvmPeer.gamma(Kernels.gaussian(1e9)), 1e-30);
    }

    @ParameterizedTest
    @MethodSource("peers")
    void refuseSeveralNumbers(Peer<?> peer) {
        assertTrue(peer.refuses(new Labels.Numbers(List.of("x", "y"))).isPresent());
        assertTrue(peer.refuses(new Labels.Numbers(List.of("x"))).isEmpty());
    }
}
