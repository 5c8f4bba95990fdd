package org.bochner.kernel.composed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.Spectrum;
import org.bochner.kernel.composed.ProductKernel.Factor;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.kernel.shift.Periodic;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ProductKernelTest {
    private static final ProductKernel PRODUCT =
            new ProductKernel(List.of(new Factor(Periodic.ofPeriod(3, 0.5), 2, 3), new Factor(new Gaussian(2), 0, 2)));

    @Test
    void isTheProductOfItsFactors() {
        double[] x = {1, 2, 2.5};
        double[] y = {0.5, 1, 0};
        double expected = new Gaussian(2).atOffset(new double[] {0.5, 1})
                * Periodic.ofPeriod(3, 0.5).atOffset(new double[] {2.5});
        assertEquals(expected, PRODUCT.value(x, y));
    }

    @Test
    void takesNoNoticeOfLaterColumns() {
        assertEquals(PRODUCT.atOffset(new double[] {1, 2, 3}), PRODUCT.atOffset(new double[] {1, 2, 3, 4, 5}));
        assertThrows(IllegalArgumentException.class, () -> PRODUCT.atOffset(new double[2]));
    }

    @Test
    void ofGaussiansIsAGaussianOfBlocks() {
        ShiftInvariantKernel product =
                (ShiftInvariantKernel) Kernels.parse("gaussian(sigma=2)[0:2] * gaussian(sigma=3)[2:3]");
        Gaussian gaussian = new Gaussian(Bandwidth.ofRanges(new int[] {2, 3}, new double[] {2, 3}));
        assertEquals(gaussian.sigma(), product.sigma());
        assertEquals(gaussian.atOffset(new double[] {1, 2, 3}), product.atOffset(new double[] {1, 2, 3}), 1e-15);
    }

    @Nested
    class LengthScales {
        @Test
        void areThoseOfTheFactorsOneAfterTheOther() {
            ShiftInvariantKernel product = (ShiftInvariantKernel) Kernels.parse(
                    "gaussian(sigma=[0:1=5, 1:2=2])[0:2] * laplacian(sigma=2)[2:4] * cauchy(sigma=3)[4:5]");
            assertEquals("[0:1=5, 1:4=2, 4:5=3]", product.sigma().toString());
        }

        @Test
        void reachTheirFactors() {
            assertEquals(
                    "gaussian(sigma=[0:1=1, 1:2=4])[0:2] * periodic(sigma=7, width=0.5)[2:3]",
                    PRODUCT.withSigma(Bandwidth.ofRanges(new int[] {1, 2, 3}, new double[] {1, 4, 7}))
                            .toString()
                            .replaceAll("period=[0-9.]+", "sigma=7"));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> PRODUCT.withSigma(Bandwidth.ofRanges(new int[] {2}, new double[] {1})));
        }

        /** So that equal kernels have equal spellings, whichever way their length-scales came. */
        @Test
        void areJoinedWhereTheyAreTheSame() {
            assertEquals(
                    "gaussian(sigma=2)[0:2] * cauchy(sigma=1)[2:3]",
                    Kernels.parse("gaussian(sigma=[0:1=2, 1:2=2])[0:2] * cauchy(sigma=[0:1=1])[2:3]")
                            .toString());
        }
    }

    @Nested
    class Spectra {
        @Test
        void areThoseOfTheFactors() {
            Spectrum spectrum = PRODUCT.spectrum();
            assertEquals(new Gaussian(1).spectrum().quantile(0, 0.7), spectrum.quantile(1, 0.7));
            assertEquals(Periodic.ofPeriod(3, 0.5).spectrum().quantile(0, 0.97), spectrum.quantile(2, 0.97));
            assertFalse(spectrum.rotationInvariant());
            assertFalse(spectrum.heavyTailed());
        }

        @Test
        void areHeavyTailedWhereAFactorIs() {
            ShiftInvariantKernel kernel =
                    (ShiftInvariantKernel) Kernels.parse("gaussian(sigma=1)[0:1] * laplacian(sigma=1)[1:2]");
            assertTrue(kernel.spectrum().heavyTailed());
        }
    }

    @Nested
    class Refuses {
        private void assertFailure(String message, Factor... factors) {
            IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, () -> new ProductKernel(List.of(factors)));
            assertEquals(message, e.getMessage());
        }

        @Test
        void fewerThanTwoFactors() {
            assertFailure("product: needs at least two factors", new Factor(new Gaussian(1), 0, 2));
        }

        @Test
        void columnsThatStartLater() {
            assertFailure(
                    "product: the columns must start at 0, got 1; for later ones take the channel of a product",
                    new Factor(new Gaussian(1), 1, 2),
                    new Factor(new Gaussian(1), 2, 3));
        }

        @Test
        void columnsThatAreSharedOrMissing() {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> new ProductKernel(
                            List.of(new Factor(new Gaussian(1), 0, 3), new Factor(new Gaussian(1), 1, 2))));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> new ProductKernel(
                            List.of(new Factor(new Gaussian(1), 0, 1), new Factor(new Gaussian(1), 2, 3))));
        }

        @Test
        void productsOfProductsAndWarpsOfProducts() {
            assertThrows(IllegalArgumentException.class, () -> new Factor(PRODUCT, 0, 3));
            assertThrows(IllegalArgumentException.class, () -> WarpedKernel.of(PRODUCT, new SqrtWarp()));
        }

        /** Their spelling could not say so. */
        @Test
        void channelsOfAnotherWidth() {
            assertThrows(IllegalArgumentException.class, () -> new ChannelKernel(PRODUCT, 0, 3));
            assertThrows(IllegalArgumentException.class, () -> new ChannelKernel(PRODUCT, 1, 5));
            assertEquals(PRODUCT, ChannelKernel.of(PRODUCT, 0, 3));
        }
    }
}
