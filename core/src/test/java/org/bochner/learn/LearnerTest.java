package org.bochner.learn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.SpellingException;
import org.bochner.data.Labels;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.solve.Formulation;
import org.bochner.learn.solve.Needs;
import org.bochner.learn.solve.PenaltyChoice;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LearnerTest {
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
                    "svm(l1=2, l2=1)                  | svm(l1=2, l2=1)",
                    "svm(group=auto)                  | svm(group=auto, groups=pairs)",
                    "svr(l1=auto)                     | svr(epsilon=0.1, l1=auto)",
                    "svr(loss=squared-insensitive, C=2) | svr(loss=squared-insensitive, epsilon=0.1, C=2)",
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
                    "lda(shrinkage=1.5)",
                    "lda(shrinkage=-1)",
                    "lda(priors=odd)",
                    "lda(l2=1)",
                    "lda(solver=cg)",
                    "lda(refit)",
                    "ridge(shrinkage=0.1)",
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
            assertMentions("l2 alone", "svm(l1=1, solver=dual)");
            assertMentions("kinks", "svm(l1=1, loss=squared-hinge, solver=admm)");
            assertMentions("give one of them", "svr(loss=squared-insensitive, gamma=3)");
            assertMentions("squared-insensitive", "svr(loss=squared-hinge)");
            assertMentions("squared-hinge", "svm(loss=insensitive)");
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
    class Tasks {
        private final Labels numbers = new Labels.Numbers(List.of("y"));
        private final Labels classes = new Labels.Classes(List.of("a", "b"));

        @ParameterizedTest
        @ValueSource(strings = {"svm", "logistic", "softmax", "lda"})
        void thoseOfClassesRefuseNumbers(String name) {
            Learner learner = Learner.parse(name);
            learner.requireFits(classes);
            assertThrows(BochnerException.class, () -> learner.requireFits(numbers));
        }

        @ParameterizedTest
        @ValueSource(strings = {"huber"})
        void thoseOfNumbersRefuseClasses(String name) {
            Learner learner = Learner.parse(name);
            learner.requireFits(numbers);
            assertThrows(BochnerException.class, () -> learner.requireFits(classes));
        }

        @Test
        void lossesOfResidualsAreForBoth() {
            for (String name : List.of("svr", "svr(gamma=3)", "svr(loss=squared-insensitive)", "svr(l1=1)")) {
                Learner.parse(name).requireFits(numbers);
                Learner.parse(name).requireFits(classes);
            }
            for (String name : List.of("ridge", "lasso", "elastic-net", "group-lasso")) {
                Learner.parse(name).requireFits(numbers);
                Learner.parse(name).requireFits(classes);
                assertInstanceOf(
                        Needs.Statistics.class,
                        Formulation.of(Learner.parse(name)).needs());
            }
        }

        @Test
        void everyNameIsKnownAndHasALoss() {
            for (String name : Learner.names()) {
                assertInstanceOf(Loss.class, Formulation.of(Learner.parse(name)).loss());
                assertTrue(Learner.parse(name).isAuto(), name);
            }
            assertEquals(
                    new Needs.RoundedFeatures(),
                    Formulation.of(Learner.parse("ridge(solver=cg)")).needs());
            assertEquals(
                    PenaltyChoice.HELD_OUT_ROWS,
                    Formulation.of(Learner.parse("ridge(solver=cg)")).penaltyChoice());
            assertEquals(
                    PenaltyChoice.CROSS_VALIDATION,
                    Formulation.of(Learner.parse("ridge")).penaltyChoice());
        }
    }
}
