package org.bochner.learn.solve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Objects;
import java.util.OptionalInt;
import org.bochner.base.Notes;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.learn.Learner;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;

class FormulationTest {
    /** Four frequencies, each a cosine and a sine. */
    private static final FeatureMap MAP = FeatureMaps.parse("fourier")
            .build(Kernels.parse("gaussian(sigma=1)"), RowSample.none(3), OptionalInt.of(8), new Seed(1), new Notes());

    @Test
    void ofAStrengthAndWhatIsFixed() {
        Regularizer net =
                Formulation.of(Learner.parse("elastic-net(ratio=0.25)")).regularizer(8, MAP);
        assertEquals(2, net.l1());
        assertEquals(6, net.l2());
        Regularizer both =
                Formulation.of(Learner.parse("logistic(l1=auto, C=4)")).regularizer(3, MAP);
        assertEquals(3, both.l1());
        assertEquals(0.25, both.l2());
    }

    @Test
    void cIsOneOverTheSquaredPenalty() {
        Learner svm = Learner.parse("svm(C=4)");
        assertEquals(0.25, svm.lambda());
        assertEquals(4, svm.spelled(svm.lambda()));
        assertEquals("svm(C=10)", svm.withLambda(0.1).toString());
        assertEquals(0.25, Formulation.of(svm).regularizer(svm.lambda(), MAP).l2());
    }

    @Test
    void pairsAreThoseOfAFrequency() {
        Regularizer pairs = Formulation.of(Learner.parse("group-lasso")).regularizer(2, MAP);
        assertEquals(2, pairs.group());
        assertEquals(4, Objects.requireNonNull(pairs.groups()).count());
        assertEquals(pairs.groups().of(1), pairs.groups().of(5));
    }

    @Test
    void groupsThatOverlapOrMissAFeatureAreRefusedByName() {
        for (String[] bad : new String[][] {
            {"[0:4, 3:8]", "feature 3"}, {"[0:4, 4:7]", "feature 7"}, {"[0:4, 4:9]", "feature 8"},
        }) {
            Learner learner = Learner.parse("group-lasso(groups=" + bad[0] + ")");
            IllegalArgumentException e = assertThrows(
                    IllegalArgumentException.class,
                    () -> Formulation.of(learner).regularizer(1, MAP));
            assertTrue(String.valueOf(e.getMessage()).contains(bad[1]), e.getMessage());
        }
    }
}
