package org.bochner.learn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A learner that is put together in Java is the one that its spelling gives. */
class LearnerFactoriesTest {
    private static final Map<Learner, String> SPELLINGS = Map.ofEntries(
            Map.entry(Learner.ridge(), "ridge"),
            Map.entry(Learner.ridge(0.5), "ridge(lambda=0.5)"),
            Map.entry(Learner.ridge().withTolerance(0.001).withSolver("cg"), "ridge(solver=cg, tolerance=0.001)"),
            Map.entry(Learner.lasso(), "lasso"),
            Map.entry(Learner.lasso().withLambda(2).withL2(0.1), "lasso(lambda=2, l2=0.1)"),
            Map.entry(Learner.lasso().withGroup(3).withGroups("channels"), "lasso(group=3, groups=channels)"),
            Map.entry(Learner.lasso().withRefit(), "lasso(refit)"),
            Map.entry(Learner.elasticNet(), "elastic-net"),
            Map.entry(Learner.elasticNet().withRatio(0.9), "elastic-net(ratio=0.9)"),
            Map.entry(Learner.groupLasso(), "group-lasso"),
            Map.entry(
                    Learner.groupLasso().withGroups("[0:10, 10:30]").withL1(1),
                    "group-lasso(l1=1, groups=[0:10, 10:30])"),
            Map.entry(Learner.logistic(), "logistic"),
            Map.entry(Learner.logistic().withL1(0.5), "logistic(l1=0.5)"),
            Map.entry(Learner.logistic().withL1(0.5).withL2(2), "logistic(l1=0.5, l2=2)"),
            Map.entry(Learner.logistic().withAuto("l1").withL2(2), "logistic(l1=auto, l2=2)"),
            Map.entry(Learner.softmax(), "softmax"),
            Map.entry(Learner.softmax().withC(10).withIterations(50), "softmax(C=10, iterations=50)"),
            Map.entry(Learner.svm(), "svm"),
            Map.entry(Learner.svm().withC(1), "svm(C=1)"),
            Map.entry(Learner.svm().withC(0.25).withSquaredHinge(), "svm(C=0.25, loss=squared-hinge)"),
            Map.entry(Learner.svr(), "svr"),
            Map.entry(Learner.svr().withSquaredInsensitive().withL1(2), "svr(loss=squared-insensitive, l1=2)"),
            Map.entry(Learner.svr().withC(3).withEpsilon(0.01).withGamma(0.1), "svr(C=3, epsilon=0.01, gamma=0.1)"),
            Map.entry(Learner.lda(), "lda"),
            Map.entry(Learner.lda().withShrinkage(0.25), "lda(shrinkage=0.25)"),
            Map.entry(Learner.lda().withEqualPriors(), "lda(shrinkage=auto, priors=equal)"),
            Map.entry(Learner.huber(), "huber"),
            Map.entry(Learner.huber().withDelta(2).withL2(0.5).withGroup(1), "huber(delta=2, l2=0.5, group=1)"));

    @Test
    void areEqualToTheirSpellings() {
        SPELLINGS.forEach((learner, spelling) -> {
            assertEquals(Learner.parse(spelling), learner, spelling);
            assertEquals(Learner.parse(spelling).hashCode(), learner.hashCode(), spelling);
            assertEquals(Learner.parse(spelling).toString(), learner.toString());
            assertEquals(learner, Learner.parse(learner.toString()), "the printed spelling");
        });
    }

    @Test
    void existForEveryName() {
        List<String> names =
                SPELLINGS.keySet().stream().map(Learner::name).distinct().toList();
        assertTrue(names.containsAll(Learner.names()), names.toString());
    }

    @Test
    void areNotChangedByTheirWithMethods() {
        Learner svm = Learner.svm();
        Learner changed = svm.withC(1);
        assertEquals(Learner.parse("svm"), svm);
        assertNotEquals(svm, changed);
        assertNotEquals(changed, svm.withC(2));
    }

    @Test
    void keepTheStrengthThatWasFound() {
        assertEquals(
                Learner.parse("svm(C=0.5, tolerance=0.01)"),
                Learner.svm().withLambda(2).withTolerance(0.01));
    }

    /** A strength that was found stays the strength beside other penalties. */
    @Test
    void keepThePenaltyThatIsTheStrength() {
        Learner found =
                Learner.logistic().withL1(0.5).withAutoL2().withLambda(2).withTolerance(0.01);
        assertEquals("l2", found.strengthName());
        assertEquals(2, found.lambda());
        assertEquals("logistic(l2=2, l1=0.5, tolerance=0.01)", found.toString());
    }

    @Test
    void areEqualHoweverNumbersAreWritten() {
        assertEquals(Learner.parse("svm(C=1.0)"), Learner.svm().withC(1));
    }

    @Test
    void refuseWhatTheirSpellingRefuses() {
        for (Runnable wrong : List.<Runnable>of(
                () -> Learner.ridge().withC(1),
                () -> Learner.svm().withC(-1),
                () -> Learner.svm().withC(Double.NaN),
                () -> Learner.svm().withC(1).withL2(1),
                () -> Learner.logistic().withTolerance(2),
                () -> Learner.logistic().withIterations(0),
                () -> Learner.elasticNet().withRatio(1.5),
                () -> Learner.svm().withRefit(),
                () -> Learner.logistic().withL1(-1))) {
            assertThrows(IllegalArgumentException.class, wrong::run);
        }
    }

    private static void refused(Runnable wrong, String problem) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, wrong::run);
        assertTrue(String.valueOf(refused.getMessage()).contains(problem), refused.getMessage());
    }

    @Test
    void refuseTheSquareOfALossThatTheyDoNotHave() {
        refused(() -> Learner.svr().withSquaredHinge(), "svr has no hinge loss; use withSquaredInsensitive");
        refused(() -> Learner.svm().withSquaredInsensitive(), "svm has no insensitive loss; use withSquaredHinge");
        refused(() -> Learner.ridge().withSquaredHinge(), "ridge has no parameter 'loss'");
    }

    @Test
    void refuseGammaBesideTheSquaredLoss() {
        refused(() -> Learner.svr().withGamma(10).withSquaredInsensitive(), "give one of them");
        refused(() -> Learner.svr().withSquaredInsensitive().withGamma(10), "give one of them");
    }
}
