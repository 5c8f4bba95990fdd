package org.bochner.tune;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.bochner.base.SpellingException;
import org.bochner.data.ColumnRange;
import org.bochner.data.MemorySource;
import org.bochner.map.FeatureMaps;
import org.bochner.model.KernelMachine;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.junit.jupiter.api.Test;

/** A part that is given by its spelling is the part itself. */
class SpelledRecipesTest {
    private static MemorySource rows() {
        RandomStream stream = new Seed(2).stream();
        double[][] rows = new double[60][4];
        double[] targets = new double[rows.length];
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < 4; j++) {
                rows[i][j] = stream.nextUniform();
            }
            targets[i] = rows[i][0] + rows[i][2];
        }
        return MemorySource.of(rows).withTargets(targets);
    }

    @Test
    void criteriaOfKernelLearning() {
        KernelLearning learning = KernelLearning.of(KernelMachine.of("gaussian"));
        assertEquals(Criterion.parse("cv(folds=3)"), learning.withCriterion("cv(folds=3)").criterion);
        assertThrows(SpellingException.class, () -> learning.withCriterion("cross-validation"));
    }

    @Test
    void mapsAndScalingsOfChannels() {
        List<ColumnRange> channels = MultipleKernels.channels("a=0:2,b=2:4");
        MultipleKernels recipe = MultipleKernels.of(channels, "gaussian").withFeatures(8);
        LearnedSum spelled = recipe.withMap("orthogonal").withScaling("min-max").fit(rows());
        LearnedSum typed = recipe.withMap(FeatureMaps.parse("orthogonal"))
                .withScaling(Scalings.parse("min-max"))
                .fit(rows());
        double[] row = {0.1, 0.2, 0.3, 0.4};
        assertEquals(typed.kernel(), spelled.kernel());
        assertEquals(typed.model().predictNumber(row), spelled.model().predictNumber(row));
        assertEquals("orthogonal", spelled.map().toString());
        assertThrows(SpellingException.class, () -> recipe.withMap("orthogonl"));
        assertThrows(SpellingException.class, () -> recipe.withScaling("standrd"));
    }
}
