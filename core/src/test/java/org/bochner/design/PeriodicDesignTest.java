package org.bochner.design;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.bochner.design.Target.Axis;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.shift.Periodic;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Designs of columns that repeat. */
class PeriodicDesignTest {
    /** Lattices of two columns: half waves up to the eighth, differences 1.5/329 of the range apart; see BoxDesignTest. */
    private static final double BOX_FINENESS = 5e-3;

    private static Target target(double period, double width) {
        return Target.of(Periodic.ofPeriod(period, width), Axis.upTo(period));
    }

    private static Design design(Target target, int dimension) {
        return Design.ofDimension(target, Plan.DEFAULT, dimension);
    }

    @Nested
    class OfOneColumn {
        @ParameterizedTest
        @ValueSource(doubles = {2 * Math.PI, 24, 1})
        void hasHarmonicsAlone(double period) {
            for (int dimension = 1; dimension <= 11; dimension += 2) {
                Design design = design(target(period, 0.5), dimension);
                for (int j = 0; j < design.count(); j++) {
                    double turns = design.frequency(j)[0] * period / (2 * Math.PI);
                    assertEquals(Math.rint(turns), turns, 4 * Math.ulp(turns));
                }
            }
        }

        @Test
        void errorHoldsAtAllDifferences() {
            Target target = target(24, 0.5);
            for (int dimension = 1; dimension <= 13; dimension++) {
                Design design = design(target, dimension);
                double measured = Cosines.of(design).largestAtRandom(target, 20_000);
                // As on lines: 3000 points of half a period, and up to 6 harmonics; phases of 10 turns are rounded.
                assertTrue(measured <= design.error() * (1 + 1e-4) + 1e-13, () -> measured + " in " + design);
                assertTrue(measured >= design.error() * (1 - 1e-2), () -> measured + " in " + design);
            }
        }

        @Test
        void errsNoMoreThanASmallerOneAndCertifiesIt() {
            Target target = target(1, 0.3);
            double error = Double.POSITIVE_INFINITY;
            for (int dimension = 1; dimension <= 15; dimension++) {
                Design design = design(target, dimension);
                assertTrue(design.error() <= error);
                assertTrue(design.dimension() <= dimension);
                assertTrue(design.certificate() <= design.error() + 1e-15);
                assertTrue(design.certificate() >= design.error() * (1 - 1e-3));
                error = design.error();
            }
        }

        @Test
        void isExactWithAllHarmonicsThatCount() {
            Periodic kernel = Periodic.ofPeriod(2 * Math.PI, 1);
            double[] harmonics = kernel.harmonics();
            Design design = design(Target.of(kernel, Axis.upTo(1)), 25);
            assertTrue(design.error() < 1e-9, design::toString);
            for (int j = 0; j < design.count(); j++) {
                int harmonic = (int) Math.rint(design.frequency(j)[0]);
                double expected = (harmonic == 0 ? 1 : 2) * harmonics[harmonic];
                // Weights differ by twice the mean of |error| over a period at most.
                assertEquals(expected, design.spectralWeight(j), 2 * design.error() + 1e-15);
            }
        }

        @Test
        void reachesTheLeastError() {
            Design design = Design.ofError(target(1, 1), Plan.DEFAULT, Design.LEAST_ERROR);
            assertTrue(design.error() <= Design.LEAST_ERROR);
        }

        @Test
        void findsHarmonicsThatLieApart() {
            Target target = Target.of(
                    Signature.of(z -> 0.2 + 0.5 * Math.cos(3 * z) + 0.3 * Math.cos(17 * z)),
                    Axis.periodic(2 * Math.PI));
            Design design = design(target, 5);
            assertTrue(design.error() < 1e-12, design::toString);
            assertEquals(3, design.count());
            assertEquals(0, design.frequency(0)[0]);
            assertEquals(3, design.frequency(1)[0], 1e-12);
            assertEquals(17, design.frequency(2)[0], 1e-12);
        }

        @Test
        void rangesGivenForAPeriodDoNotCount() {
            Periodic kernel = Periodic.ofPeriod(24, 0.5);
            assertEquals(
                    Target.of(kernel, Axis.upTo(3)).axes(),
                    Target.of(kernel, Axis.periodic(24)).axes());
        }

        @Test
        void meansAreLeastToo() {
            Target target = target(2 * Math.PI, 0.5);
            Design mean = Design.ofDimension(target, Plan.DEFAULT.withNorm(Norm.MEAN), 7);
            Design largest = design(target, 7);
            assertTrue(Cosines.of(mean).mean(target, Math.PI)
                    <= Cosines.of(largest).mean(target, Math.PI));
            assertTrue(Cosines.of(largest).largest(target, Math.PI)
                    <= Cosines.of(mean).largest(target, Math.PI));
        }
    }

    @Nested
    class TimesAnotherColumn {
        private static Target orientationAndPosition() {
            return Target.of(
                    (ShiftInvariantKernel) Kernels.parse("periodic(width=0.5)[0:1] * gaussian(sigma=0.5)[1:2]"),
                    Axis.upTo(1),
                    Axis.upTo(2));
        }

        @ParameterizedTest
        @ValueSource(ints = {9, 21})
        void meetsItsError(int dimension) {
            Target target = orientationAndPosition();
            Design design = design(target, dimension);
            double measured = Cosines.of(design).largestAtRandom(target, 50_000);
            assertTrue(measured <= design.error() * (1 + BOX_FINENESS), () -> measured + " in " + design);
            assertTrue(measured >= design.error() * 0.9, () -> measured + " in " + design);
            assertTrue(design.dimension() <= dimension);
        }

        @Test
        void hasHarmonicsWhereItRepeats() {
            for (Form form : Form.values()) {
                Design design = Design.ofDimension(orientationAndPosition(), Plan.DEFAULT.withForm(form), 9);
                for (int j = 0; j < design.count(); j++) {
                    double harmonic = design.frequency(j)[0];
                    assertEquals(Math.rint(harmonic), harmonic, 4 * Math.ulp(harmonic));
                }
            }
        }

        @Test
        void isBetterThanTheProductOfSmallerOnes() {
            Target target = orientationAndPosition();
            double error = design(target, 35).error();
            // 5 · 7 and 7 · 5 features. The error of a product of maps is at most e₁ + e₂ + e₁e₂, and at a difference
            // of 0 in one column about that of the other.
            Target angle = Target.of(new Periodic(org.bochner.kernel.Bandwidth.of(1), 0.5), Axis.upTo(1));
            Target place = Target.of(new org.bochner.kernel.shift.Gaussian(0.5), Axis.upTo(2));
            double first = Math.max(design(angle, 5).error(), design(place, 7).error());
            double second = Math.max(design(angle, 7).error(), design(place, 5).error());
            assertTrue(error < Math.min(first, second));
        }

        @Test
        @Tag("long")
        void ofThreeColumnsMeetsItsError() {
            Target target = Target.of(
                    (ShiftInvariantKernel) Kernels.parse("gaussian(sigma=0.8)[0:2] * periodic(width=1)[2:3]"),
                    Axis.upTo(1),
                    Axis.upTo(1),
                    Axis.upTo(1));
            Design design = design(target, 12);
            double measured = Cosines.of(design).largestAtRandom(target, 50_000);
            // 130 differences an axis, 1.5/129 of the range apart, and up to 3 half waves: 1e-3 an axis.
            assertTrue(measured <= design.error() * (1 + BOX_FINENESS), () -> measured + " in " + design);
            assertTrue(measured >= design.error() * 0.8, () -> measured + " in " + design);
            assertTrue(design.error() < 0.35);
        }
    }
}
