package org.bochner.learn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.bochner.base.BochnerException;
import org.bochner.base.SpellingException;
import org.bochner.data.Labels;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LearnerTest {
    /** Four frequencies, each a cosine and a sine. */
    private static final FeatureMap MAP = FeatureMaps.parse("fourier")
            .build(Kernels.parse("gaussian(sigma=1)"), RowSample.none(3), OptionalInt.of(8), new Seed(1), note -> {});

    @Nested
    class Spellings {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "ridge                            | ridge(lambda=auto)",
                    "ridge( lambda = 0.1 )            | ridge(lambda=0.1)",
                    "ridge(lambda=1, solver=cg)       | ridge(lambda=1, solver=cg)",
                    "lasso                            | lasso(lambda=auto)",
                    "lasso(lambda=2, l2=3)            | lasso(lambda=2, l2=3)",
                    "elastic-net(lambda=2)            | elastic-net(lambda=2, ratio=0.5)",
                    "group-lasso                      | group-lasso(lambda=auto, groups=pairs)",
                    "group-lasso(groups=[0:2, 2:8])   | group-lasso(lambda=auto, groups=[0:2, 2:8])",
                    "logistic                         | logistic(l2=auto)",
                    "logistic(l1=0.01)                | logistic(l1=0.01)",
                    "logistic(C=2)                    | logistic(C=2)",
                    "softmax(l2=0.5, tolerance=1e-6)  | softmax(l2=0.5, tolerance=1e-6)",
                    "svm                              | svm(C=auto)",
                    "svm(C=1, loss=squared-hinge)     | svm(loss=squared-hinge, C=1)",
                    "svm(loss=squared-hinge, l1=2)    | svm(loss=squared-hinge, l1=2)",
                    "svr(epsilon=0.2)                 | svr(epsilon=0.2, C=auto)",
                    "svr(C=1, gamma=5)                | svr(epsilon=0.1, gamma=5, C=1)",
                    "huber(l2=1)                      | huber(delta=1.35, l2=1)",
                })
        void parseAndPrintBack(String given, String printed) {
            assertEquals(printed, Learner.parse(given).toString());
            assertEquals(printed, Learner.parse(printed).toString());
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "rigde",
                    "ridge(lamda=1)",
                    "ridge(lambda=x)",
                    "ridge(lambda=-1)",
                    "ridge(lambda=NaN)",
                    "ridge(lambda)",
                    "svm(C=0)",
                    "svm(C=-1)",
                    "svm(C=1, l2=1)",
                    "svm(loss=square)",
                    "svr(epsilon=-0.1)",
                    "svr(gamma=0)",
                    "huber(delta=0)",
                    "elastic-net(ratio=1.5)",
                    "logistic(l1=auto, l2=auto)",
                    "logistic(l2=1, groups=pairs)",
                    "group-lasso(groups=columns)",
                    "group-lasso(groups=[2:2])",
                    "logistic(l2=1, tolerance=0)",
                    "logistic(l2=1, iterations=0)",
                    "logistic(l2=1, solver=fast)",
                })
        void thatMakeNoSenseAreRefused(String text) {
            assertThrows(SpellingException.class, () -> Learner.parse(text));
        }

        @Test
        void sayWhatDoesNotGoTogether() {
            assertMentions("squared-hinge", "svm(l1=1)");
            assertMentions("gamma", "svr(group=1)");
            assertMentions("smooth", "svm(C=1, solver=newton)");
            assertMentions("ridge", "lasso(solver=cg)");
            assertMentions("square loss", "logistic(l2=1, solver=direct)");
        }

        private void assertMentions(String part, String spelling) {
            SpellingException e = assertThrows(SpellingException.class, () -> Learner.parse(spelling));
            assertTrue(String.valueOf(e.getMessage()).contains(part), e.getMessage());
        }
    }

    @Nested
    class Penalties {
        @Test
        void ofAStrengthAndWhatIsFixed() {
            Regularizer net =
                    Learner.parse("elastic-net(ratio=0.25)").formulation().regularizer(8, MAP);
            assertEquals(2, net.l1());
            assertEquals(6, net.l2());
            Regularizer both =
                    Learner.parse("logistic(l1=auto, C=4)").formulation().regularizer(3, MAP);
            assertEquals(3, both.l1());
            assertEquals(0.25, both.l2());
        }

        @Test
        void cIsOneOverTheSquaredPenalty() {
            Learner svm = Learner.parse("svm(C=4)");
            assertEquals(0.25, svm.lambda());
            assertEquals(4, svm.spelled(svm.lambda()));
            assertEquals("svm(C=10)", svm.withLambda(0.1).toString());
            assertEquals(0.25, svm.formulation().regularizer(svm.lambda(), MAP).l2());
        }

        @Test
        void pairsAreThoseOfAFrequency() {
            Regularizer pairs = Learner.parse("group-lasso").formulation().regularizer(2, MAP);
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
                        () -> learner.formulation().regularizer(1, MAP));
                assertTrue(String.valueOf(e.getMessage()).contains(bad[1]), e.getMessage());
            }
        }
    }

    @Nested
    class Tasks {
        private final Labels numbers = new Labels.Numbers(List.of("y"));
        private final Labels classes = new Labels.Classes(List.of("a", "b"));

        @ParameterizedTest
        @ValueSource(strings = {"svm", "logistic", "softmax"})
        void thoseOfClassesRefuseNumbers(String name) {
            Learner learner = Learner.parse(name);
            learner.requireFits(classes);
            assertThrows(BochnerException.class, () -> learner.requireFits(numbers));
        }

        @ParameterizedTest
        @ValueSource(strings = {"svr", "huber", "svr(gamma=3)"})
        void thoseOfNumbersRefuseClasses(String name) {
            Learner learner = Learner.parse(name);
            learner.requireFits(numbers);
            assertThrows(BochnerException.class, () -> learner.requireFits(classes));
        }

        @Test
        void squaresAreForBoth() {
            for (String name : List.of("ridge", "lasso", "elastic-net", "group-lasso")) {
                Learner.parse(name).requireFits(numbers);
                Learner.parse(name).requireFits(classes);
                assertTrue(Learner.parse(name).onStatistics());
            }
        }

        @Test
        void everyNameIsKnownAndHasALoss() {
            for (String name : Learner.names()) {
                assertInstanceOf(Loss.class, Learner.parse(name).formulation().loss());
                assertTrue(Learner.parse(name).isAuto(), name);
            }
            assertFalse(Learner.parse("ridge(solver=cg)").onStatistics());
            assertTrue(Learner.parse("ridge(solver=cg)").needsValidation());
            assertFalse(Learner.parse("ridge").needsValidation());
        }
    }
}
