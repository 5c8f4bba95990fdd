package org.bochner.testkit;

import static org.bochner.testkit.Properties.forAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import org.bochner.base.SpellingException;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.Warp;
import org.bochner.kernel.columns.ByColumn;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.kernel.composed.LogWarp;
import org.bochner.kernel.composed.ProductKernel;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.kernel.composed.RadialProfile;
import org.bochner.kernel.composed.SkewedKernel;
import org.bochner.kernel.composed.SumKernel;
import org.bochner.kernel.shift.Periodic;
import org.bochner.random.RandomStream;
import org.junit.jupiter.api.Test;

class KernelSpellingPropertyTest {
    @Test
    void anyKernelPrintsAndParsesBack() {
        forAll(2000, 1, KernelSpellingPropertyTest::kernel, kernel -> {
            Kernel read = Kernels.parse(kernel.toString());
            assertEquals(kernel, read);
            assertEquals(kernel.toString(), Kernels.recipe(kernel.toString()).toString());
        });
    }

    /** Damaged spellings are read or refused; nothing else may happen to them. */
    @Test
    void anyDamagedSpellingIsReadOrExplained() {
        forAll(5000, 2, KernelSpellingPropertyTest::damagedSpelling, text -> {
            try {
                assertNotNull(Kernels.recipe(text));
            } catch (SpellingException e) {
                if (String.valueOf(e.getMessage()).isBlank()) {
                    fail("no explanation");
                }
            }
        });
    }

    private static String damagedSpelling(RandomStream stream) {
        StringBuilder text = new StringBuilder(kernel(stream).toString());
        for (int i = 0; i <= stream.nextInt(3); i++) {
            int place = stream.nextInt(text.length());
            switch (stream.nextInt(3)) {
                case 0 -> text.deleteCharAt(place);
                case 1 -> text.insert(place, "()[]+-*@:=,. e9Zé\u0000".charAt(stream.nextInt(18)));
                default -> text.setLength(Math.max(1, place));
            }
            if (text.length() == 0) {
                break;
            }
        }
        return text.toString();
    }

    private static Kernel kernel(RandomStream stream) {
        int count = 1 + stream.nextInt(4);
        List<Kernel> terms = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            terms.add(term(stream, i * 2000));
        }
        return count == 1 ? terms.get(0) : new SumKernel(terms);
    }

    /** A term; its channel, if it has one, lies among the 2000 columns after the first. */
    private static Kernel term(RandomStream stream, int first) {
        Kernel term = stream.nextInt(5) == 0 ? null : leaf(stream);
        if (term == null) {
            ProductKernel product = product(stream);
            int from = first + stream.nextInt(1000);
            term = ChannelKernel.of(product, from, from + product.columns());
        } else if (stream.nextInt(2) == 0) {
            int from = first + stream.nextInt(1000);
            term = Kernels.channel(term, from, from + term.minimumColumns() + stream.nextInt(100));
        }
        return stream.nextInt(2) == 0 ? Kernels.scaled(positive(stream), term) : term;
    }

    /** Of kernels with any columns each. */
    private static ProductKernel product(RandomStream stream) {
        List<ProductKernel.Factor> factors = new ArrayList<>();
        int from = 0;
        for (int f = 0; f < 2 + stream.nextInt(3); f++) {
            ShiftInvariantKernel kernel = shiftInvariant(stream);
            int width = kernel.sigma().uniform() ? 1 + stream.nextInt(50) : kernel.minimumColumns();
            factors.add(new ProductKernel.Factor(kernel, from, from + width));
            from += width;
        }
        return new ProductKernel(factors);
    }

    private static Kernel leaf(RandomStream stream) {
        return switch (stream.nextInt(9)) {
            case 0 -> Kernels.warped(shiftInvariant(stream), new LogWarp(shifts(stream)));
            case 1 -> Kernels.warped(shiftInvariant(stream), Warp.sqrt());
            case 2 -> new SkewedKernel(SkewedKernel.Kind.CHI2, shifts(stream), bandwidth(stream));
            case 3 -> new SkewedKernel(SkewedKernel.Kind.INTERSECTION, shifts(stream), bandwidth(stream));
            case 4 -> homogeneous(stream);
            case 5 ->
                switch (stream.nextInt(4)) {
                    case 0 -> new RadialKernel(RadialProfile.EXP, ofLibrary(stream), positive(stream));
                    case 1 -> new RadialKernel(RadialProfile.LAPLACE, ofLibrary(stream), positive(stream));
                    case 2 -> Kernels.radial(Kernels.matern(1.5, positive(stream)), ofLibrary(stream));
                    default -> Kernels.radial(Kernels.rationalQuadratic(0.5, positive(stream)), ofLibrary(stream));
                };
            case 6 -> Kernels.linear();
            default -> shiftInvariant(stream);
        };
    }

    private static ShiftInvariantKernel shiftInvariant(RandomStream stream) {
        Bandwidth sigma = bandwidth(stream);
        return switch (stream.nextInt(9)) {
            case 0 -> Kernels.gaussian(sigma);
            case 7 -> Kernels.stable(1 + stream.nextUniform(), stream.nextUniform(), sigma);
            case 6 -> Kernels.wavelet(stream.nextUniform(), sigma);
            case 5 -> new Periodic(sigma, Math.max(1e-4, positive(stream)));
            case 1 -> Kernels.laplacian(sigma);
            case 2 -> Kernels.cauchy(sigma);
            case 3 -> Kernels.matern(positive(stream), sigma);
            case 4 -> Kernels.sech(sigma);
            default -> Kernels.rationalQuadratic(positive(stream), sigma);
        };
    }

    private static HomogeneousKernel homogeneous(RandomStream stream) {
        return stream.nextInt(5) == 0 ? new Blend(degree(stream)) : ofLibrary(stream);
    }

    private static HomogeneousKernel ofLibrary(RandomStream stream) {
        double degree = degree(stream);
        return switch (stream.nextInt(4)) {
            case 0 -> Kernels.chi2().withDegree(degree);
            case 1 -> Kernels.intersection().withDegree(degree);
            case 2 -> Kernels.jensenShannon().withDegree(degree);
            default -> Kernels.hellinger().withDegree(degree);
        };
    }

    private static double degree(RandomStream stream) {
        return stream.nextInt(2) == 0 ? 1 : positive(stream);
    }

    private static Bandwidth bandwidth(RandomStream stream) {
        return stream.nextInt(3) == 0 ? blocks(stream) : Bandwidth.of(positive(stream));
    }

    /** What is added before a logarithm: nothing at times, and at times another number for every block. */
    private static ByColumn shifts(RandomStream stream) {
        if (stream.nextInt(3) > 0) {
            return ByColumn.of(stream.nextInt(4) == 0 ? 0 : positive(stream));
        }
        int[] ends = {1 + stream.nextInt(50), 60 + stream.nextInt(50)};
        return ByColumn.of("log", ends, new double[] {positive(stream), positive(stream)});
    }

    private static Bandwidth blocks(RandomStream stream) {
        int[] ends = new int[1 + stream.nextInt(3)];
        double[] sigmas = new double[ends.length];
        int end = 0;
        for (int b = 0; b < ends.length; b++) {
            end += 1 + stream.nextInt(50);
            ends[b] = end;
            sigmas[b] = positive(stream);
        }
        return Bandwidth.ofRanges(ends, sigmas);
    }

    /** Of any size, from whole numbers to those that print with an exponent. */
    private static double positive(RandomStream stream) {
        return switch (stream.nextInt(3)) {
            case 0 -> 1 + stream.nextInt(100);
            case 1 -> stream.nextUniform();
            default -> Math.exp(100 * stream.nextGaussian());
        };
    }
}
