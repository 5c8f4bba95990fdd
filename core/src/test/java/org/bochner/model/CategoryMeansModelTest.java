package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.bochner.base.BochnerException;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Holdout;
import org.bochner.data.RowSource;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models of rows whose categories are encoded by means of the target. */
class CategoryMeansModelTest {
    private static final int ROWS = 2000;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    Path folder;

    /** A table of 500 shops; the target is noise of variance 1, plus an effect of the shop of variance {@code effect}². */
    private DataOptions table(double effect) throws IOException {
        Random random = new Random(1);
        double[] effects =
                random.doubles(500, -1, 1).map(u -> effect * Math.sqrt(3) * u).toArray();
        StringBuilder text = new StringBuilder("shop,n,y\n");
        for (int i = 0; i < ROWS; i++) {
            int shop = random.nextInt(effects.length);
            double y = effects[shop] + random.nextGaussian();
            text.append("s" + shop + "," + random.nextInt(9) + "," + y + "\n");
        }
        Path file = Files.writeString(folder.resolve("table.csv"), text);
        return DataOptions.of(file.toString()).withCategoryFeatures("means(smoothing=1)");
    }

    private static KernelMachine machine() {
        return KernelMachine.of("gaussian(sigma=1)").withScaling("standard").withFeatures(32);
    }

    private static KernelModel fit(DataOptions options, Workers workers) {
        return machine().fit(FileSource.open(options), workers, Progress.NONE).model();
    }

    @Test
    void isTheSameWhenItIsLoadedAndForAnyNumberOfThreads() throws IOException {
        DataOptions options = table(2);
        Path one = folder.resolve("one.bochner");
        Path other = folder.resolve("other.bochner");
        KernelModel model = fit(options, new Workers(1));
        model.save(one);
        fit(options, new Workers(3)).save(other);
        assertArrayEquals(Files.readAllBytes(one), Files.readAllBytes(other));
        KernelModel loaded = KernelModel.load(one);
        for (String shop : List.of("s1", "s42", "never")) {
            Map<String, Object> record = Map.of("shop", shop, "n", 3);
            assertEquals(model.predictNumber(record), loaded.predictNumber(record));
        }
    }

    /** Held-out rows of the training file have the codes of categories until the model reads them. */
    @Test
    void readsHeldOutRowsAsAFileOfTheSameRows() throws IOException {
        DataOptions options = table(2);
        FileSource source = FileSource.open(options);
        KernelModel model = fit(options, new Workers(1));
        double rmse = Evaluation.of(model, source).rmse();
        assertEquals(Evaluation.of(model, model.open(options)).rmse(), rmse);
        KernelModel other =
                machine().fit(Holdout.split(source, 0.5, new Seed(3)).train()).model();
        BochnerException failure =
                assertThrows(BochnerException.class, () -> Evaluation.of(other, model.open(options)));
        assertTrue(String.valueOf(failure.getMessage()).contains("computed from other rows"), failure.getMessage());
        assertThrows(BochnerException.class, () -> machine().fit(model.open(options)));
    }

    /**
     * Means of noise predict nothing: 32 features that fit the noise of 1,500 rows add 32/1500 = 2% to its variance. The
     * predictions, of variance 2%, are independent of the 500 held-out targets, which gives r² a standard error of 2·√(0.02/500) = 1.3%.
     * Weights of means that had seen the labels of their own rows, 4 per shop, would make r² about −¼.
     */
    @Test
    void noiseCannotBeLearned() throws IOException {
        Holdout split = Holdout.split(FileSource.open(table(0)), 0.25, new Seed(2));
        KernelModel model = machine().fit(split.train()).model();
        assertEquals(-0.02, Evaluation.of(model, split.test()).r2(), 5 * 0.013);
    }

    /**
     * A held-out row has n rows of its shop in training, where n has a Poisson distribution of mean 3. For effects of variance 4
     * and noise of variance 1, means with one row of smoothing have squared errors of (4 + n)/(n + 1)², 0.73 on average; the best
     * estimate has 4/(4n + 1), 0.56 on average. With the noise, the errors are between √1.56 = 1.25 and √1.73 = 1.31. Their
     * standard error is √(1.6/(2·500)) = 0.04.
     */
    private static void requireEffects(KernelModel model, RowSource test) {
        assertEquals(1.28, Evaluation.of(model, test).rmse(), 0.03 + 5 * 0.04);
    }

    @Test
    void effectsOfCategoriesAreLearned() throws IOException {
        Holdout split = Holdout.split(FileSource.open(table(2)), 0.25, new Seed(2));
        requireEffects(machine().fit(split.train()).model(), split.test());
    }

    @Test
    void landmarksAndUnlabelledRowsHaveTheMeansOfTraining() throws IOException {
        FileSource source = FileSource.open(table(2));
        Holdout split = Holdout.split(source, 0.25, new Seed(2));
        KernelMachine landmarks = KernelMachine.of("gaussian(sigma=1)")
                .withScaling("standard")
                .withMap("landmarks(by=given)")
                .withLandmarks(split.test());
        requireEffects(landmarks.fit(split.train()).model(), split.test());
        KernelMachine components = machine().withComponents("10").withUnlabelled(split.test());
        // Without the shops, the error would be √5 = 2.24, with a standard error of √(5/(2·500)) = 0.07.
        double rmse = Evaluation.of(components.fit(split.train()).model(), split.test())
                .rmse();
        assertTrue(rmse < 2.24 - 5 * 0.07, "" + rmse);
    }

    @Test
    void cannotBePruned() throws IOException {
        KernelModel model = fit(table(2), new Workers(1));
        BochnerException failure = assertThrows(BochnerException.class, () -> Pruning.of(model));
        assertTrue(String.valueOf(failure.getMessage()).contains("category means"), failure.getMessage());
    }
}
