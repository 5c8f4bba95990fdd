package org.bochner.design;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.RowSample.Interval;
import org.bochner.random.Seed;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is designed: kernels, and the ranges of their columns. */
class DesignProblemTest {
    private static final Seed SEED = new Seed(1);

    private static List<Interval> intervals(@Nullable String text) {
        return text == null
                ? List.of()
                : Arrays.stream(text.split(","))
                        .map(part -> part.split(":"))
                        .map(ends -> new Interval(Double.parseDouble(ends[0]), Double.parseDouble(ends[1])))
                        .toList();
    }

    /** Intervals of a domain, as the columns of a kernel take them; a dash is a column with a period. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            gaussian(sigma=1)                                | 0:1         | 0 | 0:1
            gaussian(sigma=1)                                | 0:1         | 3 | 0:1 0:1 0:1
            gaussian(sigma=1)                                | 0:1,2:5     | 0 | 0:1 2:5
            gaussian(sigma=[0:1=1,1:3=2])                    | 0:1         | 0 | 0:1 0:1 0:1
            periodic(width=1)                                |             | 0 | -
            periodic(width=1)                                |             | 2 | - -
            gaussian(sigma=1)[0:2] * periodic(width=1)[2:3]  | 0:1         | 0 | 0:1 0:1 -
            gaussian(sigma=1)[0:2] * periodic(width=1)[2:3]  | 0:1,0:2     | 0 | 0:1 0:2 -
            periodic(width=1)[0:1] * gaussian(sigma=1)[1:3]  | 0:1,0:2     | 0 | - 0:1 0:2
            periodic(width=1)[0:1] * gaussian(sigma=1)[1:3]  | 0:9,0:1,0:2 | 0 | - 0:1 0:2
            """)
    void intervalsGoToTheColumnsWithoutAPeriod(String kernel, @Nullable String domain, int columns, String taken) {
        DesignProblem problem = DesignProblem.of(Kernels.parse(kernel), intervals(domain), columns, false);
        assertEquals(
                List.of(taken.split(" ")),
                problem.ranges().stream()
                        .map(values -> values.map(Interval::toString).orElse("-"))
                        .toList());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            gaussian(sigma=1)                                | 0:1
            gaussian(sigma=1)                                | 0:1,2:5
            periodic(width=1)                                |
            gaussian(sigma=1)[0:2] * periodic(width=1)[2:3]  | 0:1,0:2
            """)
    void aDesignHasALengthForEveryColumn(String kernel, @Nullable String domain) {
        DesignProblem problem = DesignProblem.of(Kernels.parse(kernel), intervals(domain), 0, false);
        Design design = problem.ofDimension(Plan.DEFAULT, 1);
        assertEquals(problem.columns(), design.lengths().size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "exp-chi2(gamma=1)",
                "hellinger",
                "polynomial(degree=2, gamma=1)",
                "chi2 + hellinger",
                "2*chi2",
                "skewed-chi2(c=1, power=1)"
            })
    void kernelsWithoutADesignAreRefusedWithARemedy(String spelling) {
        Kernel kernel = Kernels.parse(spelling);
        BochnerException failure =
                assertThrows(BochnerException.class, () -> DesignProblem.of(kernel, List.of(), 0, false));
        assertEquals(1, failure.remedies().size());
    }

    @Test
    void aKernelOfRatiosWithoutARangeIsUniversal() {
        DesignProblem problem = DesignProblem.of(Kernels.parse("chi2"), List.of(), 0, false);
        assertTrue(problem.universal());
        assertEquals(1, problem.largest());
        assertEquals(
                255,
                DesignProblem.of(Kernels.parse("chi2"), intervals("1:255"), 0, false)
                        .largest(),
                1e-12);
    }

    @Test
    void rowsGiveTheRangesOfTheColumnsThatTheKernelReads() {
        RowSample rows = RowSample.even(50, 4, 2, 3, SEED);
        DesignProblem problem = DesignProblem.of(Kernels.parse("gaussian(sigma=1)[1:3]"), rows, "rows", false);
        assertEquals(2, problem.columns());
        for (Optional<Interval> range : problem.ranges()) {
            assertTrue(range.orElseThrow().low() >= 2 && range.orElseThrow().high() <= 3, range::toString);
        }
        Kernel all = Kernels.parse("gaussian(sigma=1)");
        assertThrows(BochnerException.class, () -> DesignProblem.of(all, rows, "rows", false));
    }

    @Test
    void rowsOfOneValueGiveNoRange() {
        RowSample rows = RowSample.none(1);
        Kernel kernel = Kernels.parse("gaussian(sigma=1)");
        assertThrows(DataException.class, () -> DesignProblem.of(kernel, rows, "rows", false));
        assertThrows(DataException.class, () -> DesignProblem.of(Kernels.parse("chi2"), rows, "rows", false));
    }

    @Test
    void theErrorAtAPointIsWeighed() {
        DesignProblem problem = DesignProblem.of(Kernels.parse("gaussian(sigma=1)"), intervals("0:2"), 0, true);
        Design design = problem.ofDimension(Plan.DEFAULT, 3);
        double exact = Math.exp(-0.5);
        assertEquals(exact, design.signatureAt(1), 1e-15);
        assertEquals((design.at(1) - exact) / exact, design.errorAt(1), 1e-15);
        assertTrue(Math.abs(design.errorAt(1)) <= 1.0001 * design.error());
    }
}
