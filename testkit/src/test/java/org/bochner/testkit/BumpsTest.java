package org.bochner.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.bochner.data.MemorySource;
import org.bochner.kernel.Kernels;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapLoader;
import org.bochner.map.MapRecipe;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.bochner.tune.Criterion;
import org.bochner.tune.KernelLearning;
import org.bochner.tune.LearnedKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A map of someone else's keeps the contract, and its number is learned as those of our own maps are. */
class BumpsTest implements FeatureMapContract {
    @Override
    public FeatureMap map() {
        return new Bumps(2.5);
    }

    @Override
    public double kernelTolerance(double[] x, double[] y, int pairs) {
        return 1e-10;
    }

    @Override
    public List<MapLoader> loaders() {
        return List.of(new MapLoader(Bumps.TYPE, state -> new Bumps(state.array("scale", 1)[0])));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cv(folds=5)", "loo", "gcv", "validation"})
    void itsScaleIsLearned(String criterion) {
        RandomStream stream = new Seed(4).stream();
        float[] x = new float[200];
        double[] y = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            x[i] = (float) stream.nextUniform();
            y[i] = Math.sin(12 * x[i]) + 0.4 * stream.nextUniform();
        }
        MapRecipe recipe = (kernel, rows, features, seed, notes) -> new Bumps(2);
        LearnedKernel learned = KernelLearning.of(
                        KernelMachine.of("gaussian(sigma=0.5)").withMap(recipe).withScaling(Scalings.none()))
                .withCriterion(Criterion.parse(criterion))
                .learn(MemorySource.of(1, x).withTargets(y), new Workers(1), Progress.NONE);
        Bumps found = assertInstanceOf(Bumps.class, learned.trained().model().map());
        // Almost two waves in [0, 1] are best drawn with bumps narrower than the half of it that it starts from.
        assertTrue(found.scale() > 2, "learned " + found);
        assertTrue(learned.after() < learned.before());
        assertEquals(found.kernel(), learned.kernel());
        assertEquals(learned.kernel(), Kernels.parse(learned.kernel().toString()));
    }

    @Test
    void itsKernelFollowsItsScale() {
        assertEquals("gaussian(sigma=0.25)", new Bumps(2).with(4).kernel().toString());
    }
}
