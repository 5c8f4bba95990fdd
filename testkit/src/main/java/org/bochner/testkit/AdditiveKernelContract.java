package org.bochner.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.bochner.kernel.AdditiveKernel;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;

/** What every kernel that is a sum over the columns keeps beyond {@link KernelContract}. */
public interface AdditiveKernelContract extends KernelContract {
    @Override
    AdditiveKernel kernel();

    /** Σₗ κ(xₗ, xₗ). */
    @Override
    default double diagonal(double[] x) {
        return Arrays.stream(x).map(value -> kernel().scalar(value, value)).sum();
    }

    @Test
    default void isTheSumOverItsColumns() {
        RandomStream stream = new Seed(18).stream();
        for (int repeat = 0; repeat < 20; repeat++) {
            double[] x = row(stream);
            double[] y = row(stream);
            double sum = 0;
            for (int l = 0; l < x.length; l++) {
                sum += kernel().scalar(x[l], y[l]);
            }
            assertEquals(sum, kernel().value(x, y), accuracy() * Math.sqrt(diagonal(x) * diagonal(y)));
        }
    }

    @Test
    default void columnsOfZerosAddNothing() {
        RandomStream stream = new Seed(19).stream();
        for (int repeat = 0; repeat < 20; repeat++) {
            double[] x = row(stream);
            for (double value : x) {
                assertEquals(0, Math.abs(kernel().scalar(0, value)), "0 and " + value);
                assertEquals(0, Math.abs(kernel().scalar(value, 0)), value + " and 0");
            }
            assertEquals(0, Math.abs(kernel().value(x, new double[x.length])));
        }
        assertEquals(0, kernel().scalar(0, 0));
    }
}
