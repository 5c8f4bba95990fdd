package org.bochner.cli;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Optional;
import org.bochner.base.Spelling;
import org.bochner.design.Design;
import org.bochner.design.Target;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.map.DesignRival;

/**
 * A kernel of histograms, which depends on the ratio of two values.
 *
 * @param values all positive; empty for every ratio
 */
record RatioSubject(HomogeneousKernel kernel, Optional<Interval> values, boolean relative) implements DesignSubject {
    RatioSubject {
        if (relative && values.isEmpty()) {
            throw new UsageException("--error relative has no bound over every ratio: " + kernel
                    + " falls to 0 as the ratio grows, and what a map makes of it does not; give --domain LOW:HIGH");
        }
    }

    /** Of the values that {@code --domain} spells. */
    static RatioSubject of(HomogeneousKernel kernel, List<Interval> domain, boolean relative) {
        if (domain.size() > 1) {
            throw new UsageException("--domain: " + kernel + " has the same map for every column, so give one interval,"
                    + " that of all values");
        }
        for (Interval interval : domain) {
            interval.requireIn(kernel, 0);
            if (interval.low() == 0) {
                throw new UsageException("--domain: LOW is 0, and ratios to 0 have no end; give the smallest positive"
                        + " value, which is 1 for counts, or --universal for a map of every ratio (0 itself has no"
                        + " error)");
            }
            if (Double.isInfinite(interval.high() / interval.low())) {
                throw new UsageException(
                        "--domain: the ratio of " + interval + " has no end in float64; take --universal");
            }
        }
        return new RatioSubject(kernel, domain.stream().findFirst(), relative);
    }

    @Override
    public Target target() {
        Target target = values.map(interval -> Target.ofRatios(kernel, interval.high() / interval.low()))
                .orElseGet(() -> Target.ofAllRatios(kernel));
        return relative ? target.relative() : target;
    }

    /** The kernel's largest value, of which absolute errors are shares: that of the largest value with itself. */
    double largest() {
        return values.map(interval -> Math.pow(interval.high(), kernel.degree()))
                .orElse(1.0);
    }

    @Override
    public String range() {
        return values.map(interval ->
                        "values " + interval.inWords() + ", ratios up to " + rounded(interval.high() / interval.low()))
                .orElse("values of every ratio");
    }

    private static String rounded(double ratio) {
        return Spelling.print(new BigDecimal(ratio).round(new MathContext(4)).doubleValue());
    }

    @Override
    public List<Optional<Interval>> domain() {
        return List.of(values);
    }

    @Override
    public Optional<String> rangeParameter() {
        return Optional.of(values.map(interval -> "range=" + interval).orElse("universal"));
    }

    @Override
    public List<DesignRival> rivals(Design design, int dimension) {
        return DesignRival.of(kernel, design, dimension);
    }
}
