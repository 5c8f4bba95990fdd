package org.bochner.design;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.bochner.design.Target.Axis;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.additive.Chi2;
import org.bochner.kernel.shift.Gaussian;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same question has the same answer, in every bit. */
class DesignCacheTest {
    private static String bits(Design design) {
        Design all = design.projected();
        StringBuilder terms = new StringBuilder();
        for (int j = 0; j < all.count(); j++) {
            terms.append(List.of(all.frequency(j)[0], all.frequency(j)[all.columns() - 1]))
                    .append(all.spectralWeight(j));
        }
        return terms + " " + design.error() + " " + design.certificate() + " " + design.gridPoints();
    }

    /** A target that equals no other, so that its design is not remembered from before. */
    private static Target line() {
        return Target.of(Signature.of(z -> Math.exp(-z * z)), Axis.upTo(2.5));
    }

    private static Target box() {
        double one = 1;
        return Target.of((Signature) z -> Math.exp(-z[0] * z[0] - z[1] * z[1] * one), Axis.upTo(2), Axis.upTo(1.5));
    }

    private static Design ofBox() {
        return Design.ofDimension(box(), Plan.DEFAULT, 5);
    }

    /** Designs that several tests compare with, made once. */
    private static final class First {
        static final Design LINE = ofLine();
        static final Design BOX = ofBox();
    }

    private static Design ofLine() {
        return Design.ofDimension(line(), Plan.DEFAULT, 5);
    }

    @Nested
    class Bits {
        @Test
        void areTheSameTwice() {
            Design line = ofLine();
            assertNotSame(First.LINE, line);
            assertEquals(bits(First.LINE), bits(line));
            Design box = ofBox();
            assertNotSame(First.BOX, box);
            assertEquals(bits(First.BOX), bits(box));
        }

        @Test
        void areTheSameWhereSmallerDesignsAreKnown() {
            Target known = line();
            for (int dimension = 1; dimension < 5; dimension += 2) {
                assertNotEquals(
                        0, Design.ofDimension(known, Plan.DEFAULT, dimension).error());
            }
            assertEquals(bits(First.LINE), bits(Design.ofDimension(known, Plan.DEFAULT, 5)));
            Target box = box();
            Design larger = Design.ofDimension(box, Plan.DEFAULT, 9);
            assertNotEquals(0, larger.error());
            assertEquals(bits(First.BOX), bits(Design.ofDimension(box, Plan.DEFAULT, 5)));
        }

        @Test
        void areTheSameInTwoThreadsAtOnce() throws InterruptedException, ExecutionException {
            Target shared = line();
            ExecutorService threads = Executors.newFixedThreadPool(2);
            try {
                List<Future<Design>> futures = new ArrayList<>();
                for (int i = 0; i < 2; i++) {
                    futures.add(threads.submit(() -> Design.ofDimension(shared, Plan.DEFAULT, 5)));
                    futures.add(threads.submit(DesignCacheTest::ofLine));
                }
                String expected = bits(First.LINE);
                for (Future<Design> future : futures) {
                    assertEquals(expected, bits(future.get()));
                }
            } finally {
                threads.shutdownNow();
            }
        }

        @Test
        void ofACachedDesignAreThoseOfAFreshOne() {
            Target target = Target.of(new Gaussian(Math.sqrt(0.5)), Axis.upTo(2.5));
            String first = bits(Design.ofDimension(target, Plan.DEFAULT, 7));
            assertEquals(first, bits(Design.ofDimension(target, Plan.DEFAULT, 7)));
            Target fresh = Target.of((Signature) z -> target.signature().applyAsDouble(z), Axis.upTo(2.5));
            assertEquals(first, bits(Design.ofDimension(fresh, Plan.DEFAULT, 7)));
        }
    }

    @Nested
    class Memory {
        private static Design gaussian(double sigma, Axis axis, int dimension) {
            return Design.ofDimension(Target.of(new Gaussian(sigma), axis), Plan.DEFAULT, dimension);
        }

        @Test
        void equalTargetsHaveOneDesign() {
            assertSame(gaussian(0.7, Axis.upTo(2), 5), gaussian(0.7, Axis.between(-1, 1), 5));
            assertSame(
                    Design.ofDimension(Target.ofRatios(new Chi2(1), 100), Plan.DEFAULT, 3),
                    Design.ofDimension(Target.ofRatios(new Chi2(1), 100), Plan.DEFAULT, 3));
            assertSame(
                    Design.ofDimension(
                            Target.ofAllRatios(new Chi2(1))
                                    .relative()
                                    .weighted(Target.ofAllRatios(new Chi2(1)).weight()),
                            Plan.DEFAULT,
                            3),
                    Design.ofDimension(Target.ofAllRatios(new Chi2(1)), Plan.DEFAULT, 3));
        }

        @Test
        void equalProductsHaveOneDesign() {
            Supplier<Design> question = () -> Design.ofDimension(
                    Target.of(
                            (ShiftInvariantKernel) Kernels.parse("gaussian(sigma=0.9)[0:1] * periodic(width=1)[1:2]"),
                            Axis.upTo(1),
                            Axis.upTo(1)),
                    Plan.DEFAULT,
                    5);
            assertSame(question.get(), question.get());
        }

        @Tag("long")
        @Test
        void differentQuestionsHaveTheirOwn() {
            Design design = gaussian(0.7, Axis.upTo(2), 5);
            assertNotEquals(bits(design), bits(gaussian(0.8, Axis.upTo(2), 5)));
            assertNotEquals(bits(design), bits(gaussian(0.7, Axis.upTo(2.1), 5)));
            assertNotEquals(bits(design), bits(gaussian(0.7, Axis.upTo(2), 6)));
            Target target = Target.of(new Gaussian(0.7), Axis.upTo(2));
            assertNotEquals(bits(design), bits(Design.ofDimension(target, Plan.DEFAULT.withNorm(Norm.MEAN), 5)));
            assertNotEquals(bits(design), bits(Design.ofDimension(target.relative(), Plan.DEFAULT, 5)));
        }
    }

    @Nested
    class Arrays {
        @Test
        void areCopies() {
            Design design = First.LINE;
            String before = bits(design);
            design.frequency(1)[0] = 99;
            assertEquals(before, bits(design));
        }
    }
}
