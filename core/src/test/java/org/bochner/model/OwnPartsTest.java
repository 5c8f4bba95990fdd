package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.MemorySource;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.Spectrum;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapLoader;
import org.bochner.map.MapRecipe;
import org.bochner.map.composed.SelectedFeaturesMap;
import org.bochner.model.file.ModelAccess;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels and maps of the user's own, given as objects. */
class OwnPartsTest {
    /** The Gaussian kernel under a name that no family has. */
    record Unlisted(Bandwidth sigma) implements ShiftInvariantKernel {
        @Override
        public double atOffset(double[] delta) {
            return new Gaussian(sigma).atOffset(delta);
        }

        @Override
        public Spectrum spectrum() {
            return new Gaussian(sigma).spectrum();
        }

        @Override
        public Unlisted withSigma(Bandwidth other) {
            return new Unlisted(other);
        }

        @Override
        public String toString() {
            return "unlisted(sigma=" + sigma + ")";
        }
    }

    /** The values and their squares. */
    record Squares(int inputDimension) implements FeatureMap {
        static final MapLoader LOADER = new MapLoader("squares", state -> new Squares(state.count("columns")));
        static final MapRecipe RECIPE = (kernel, rows, features, seed, notes) -> new Squares(rows.columns());

        Squares {
            Require.atLeast("squares", "columns", inputDimension, 1);
        }

        @Override
        public int outputDimension() {
            return 2 * inputDimension;
        }

        @Override
        public Kernel kernel() {
            return Kernels.parse("linear");
        }

        @Override
        public void apply(double[] x, double[] out) {
            for (int j = 0; j < x.length; j++) {
                out[j] = x[j];
                out[x.length + j] = x[j] * x[j];
            }
        }

        @Override
        public State state() {
            return State.of("squares").with("columns", inputDimension);
        }
    }

    private static MemorySource rows() {
        RandomStream stream = new Seed(3).stream();
        double[][] rows = new double[120][2];
        double[] targets = new double[rows.length];
        for (int i = 0; i < rows.length; i++) {
            Arrays.setAll(rows[i], j -> 2 * stream.nextUniform() - 1);
            targets[i] = rows[i][0] * rows[i][0] - rows[i][1];
        }
        return MemorySource.of(rows).withTargets(targets);
    }

    private static String refusal(Path file, MapLoader... own) {
        return String.valueOf(assertThrows(BochnerException.class, () -> KernelModel.load(file, own))
                .getMessage());
    }

    @Nested
    class AKernel {
        private final Kernel own = new Unlisted(Bandwidth.of(2));

        @Test
        void givesTheModelOfItsFunction() {
            double[] row = {0.5, -1};
            KernelModel model =
                    KernelMachine.of(own).withFeatures(50).fit(rows()).model();
            KernelModel gaussian = KernelMachine.of("gaussian(sigma=2)")
                    .withFeatures(50)
                    .fit(rows())
                    .model();
            assertEquals(own, model.map().kernel());
            assertArrayEquals(gaussian.score(row), model.score(row));
            assertEquals("unlisted(sigma=2)", model.training().kernel().toString());
        }

        @Test
        void needsItsFamilyWhenTheModelIsLoaded(@TempDir Path folder) {
            Path file = folder.resolve("own.bochner");
            KernelMachine.of(own).withFeatures(10).fit(rows()).model().save(file);
            String message = refusal(file);
            assertTrue(message.contains("it was trained with the kernel 'unlisted(sigma=2)'"), message);
            assertTrue(message.contains("META-INF/services/org.bochner.kernel.KernelFamily"), message);
        }

        @Test
        void isARecipeWithoutMissingScales() {
            KernelRecipe recipe = KernelRecipe.of(own);
            assertTrue(!recipe.needsData() && recipe.openLengths().isEmpty());
            assertEquals(own, recipe.complete());
            assertEquals(own, recipe.withUnitScales());
            assertEquals(own, recipe.withScales());
            assertEquals(recipe, KernelRecipe.of(new Unlisted(Bandwidth.of(2))));
            assertEquals(KernelRecipe.of(new Gaussian(2)), Kernels.recipe("gaussian(sigma=2)"));
            assertEquals(
                    KernelRecipe.of(new Gaussian(2)).hashCode(),
                    Kernels.recipe("gaussian(sigma=2)").hashCode());
        }

        @Test
        void namesTheColumnsThatItLacks() {
            KernelMachine machine = KernelMachine.of(new ChannelKernel(own, 1, 4));
            String message = String.valueOf(assertThrows(BochnerException.class, () -> machine.fit(rows()))
                    .getMessage());
            assertTrue(message.contains("the kernel unlisted(sigma=2)[1:4] needs 4 columns"), message);
        }
    }

    @Nested
    class AMap {
        private final KernelModel model =
                KernelMachine.of("linear").withMap(Squares.RECIPE).fit(rows()).model();
        private final double[] row = {0.5, -1};

        @Test
        void isSavedAndLoaded(@TempDir Path folder) {
            Path file = folder.resolve("own.bochner");
            model.save(file);
            KernelModel loaded = KernelModel.load(file, Squares.LOADER);
            assertEquals(new Squares(2), loaded.map());
            assertArrayEquals(model.score(row), loaded.score(row));
            assertEquals(1.25, loaded.predictNumber(row), 0.01);
        }

        @Test
        void isLoadedAsAPartOfAnother(@TempDir Path folder) {
            FeatureMap part = model.map().restrict(0, 3);
            assertTrue(part instanceof SelectedFeaturesMap);
            assertEquals(
                    part.state(), FeatureMaps.load(part.state(), Squares.LOADER).state());
            Path file = folder.resolve("part.bochner");
            KernelModel smaller = ModelAccess.model(
                    ModelFixtures.parts(model).withMap(part, model.linear().restrict(0, 3), model.training()));
            smaller.save(file);
            assertArrayEquals(
                    smaller.score(row), KernelModel.load(file, Squares.LOADER).score(row));
            String message = refusal(file);
            assertTrue(message.contains("unknown saved type 'squares'"), message);
        }

        @Test
        void needsItsLoader(@TempDir Path folder) {
            Path file = folder.resolve("own.bochner");
            model.save(file);
            String message = refusal(file);
            assertTrue(message.contains("unknown saved type 'squares'"), message);
            assertTrue(message.contains("KernelModel.load(path, new MapLoader(\"squares\", ...))"), message);
            message = refusal(file, new MapLoader("squares", state -> new Squares(state.count("columns") - 2)));
            assertTrue(message.contains("the saved form is damaged: squares: columns must be at least 1"), message);
        }

        @ParameterizedTest
        @ValueSource(strings = {"fourier", "selected", " "})
        void cannotTakeATypeOfTheLibrary(String type) {
            assertThrows(IllegalArgumentException.class, () -> new MapLoader(type, state -> new Squares(1)));
        }
    }
}
