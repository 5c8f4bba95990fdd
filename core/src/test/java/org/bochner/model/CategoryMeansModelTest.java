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
     * Means of noise predict nothing: the error on n held-out rows is that of the constant, 1 ± 1/√(2n), plus that of 32
     * features that fit the noise of 1,500 rows, about 32/1500 of the variance. Weights of means that had seen the labels of
     * their own rows, 4 per shop, would have an error of about √(1 + 1/4).
     */
    @Test
    void noiseCannotBeLearned() throws IOException {
        Holdout split = Holdout.split(FileSource.open(table(0)), 0.25, new Seed(2));
        KernelModel model = machine().fit(split.train()).model();
        Evaluation held = Evaluation.of(model, split.test());
        double noise = 5 / Math.sqrt(2.0 * held.rows());
        assertEquals(1, held.rmse(), noise);
        assertTrue(held.r2() > -0.05 && held.r2() < 0.05, "" + held.r2());
        // On rows that were trained on, the means are not out of fold, but the weights ignore them.
        assertTrue(Evaluation.of(model, split.train()).r2() < 0.15);
    }

    /** With effects of variance 4 and noise of variance 1, means of about 3 rows leave at least 1 and about 1 + 4/(4·3 + 1). */
    @Test
    void effectsOfCategoriesAreLearned() throws IOException {
        Holdout split = Holdout.split(FileSource.open(table(2)), 0.25, new Seed(2));
        double rmse = Evaluation.of(machine().fit(split.train()).model(), split.test())
                .rmse();
        assertTrue(rmse > 0.9 && rmse < 1.4, "" + rmse);
    }

    @Test
    void landmarksAndUnlabelledRowsHaveTheMeansOfTraining() throws IOException {
        FileSource source = FileSource.open(table(2));
        Holdout split = Holdout.split(source, 0.25, new Seed(2));
        KernelMachine landmarks = KernelMachine.of("gaussian(sigma=1)")
                .withScaling("standard")
                .withMap("landmarks(by=given)")
                .withLandmarks(split.test());
        assertTrue(Evaluation.of(landmarks.fit(split.train()).model(), split.test())
                        .rmse()
                < 1.4);
        KernelMachine components = machine().withComponents("10").withUnlabelled(split.test());
        assertTrue(Evaluation.of(components.fit(split.train()).model(), split.test())
                        .rmse()
                < 1.6);
    }

    @Test
    void cannotBePruned() throws IOException {
        KernelModel model = fit(table(2), new Workers(1));
        BochnerException failure = assertThrows(BochnerException.class, () -> Pruning.of(model));
        assertTrue(String.valueOf(failure.getMessage()).contains("category means"), failure.getMessage());
    }
}
