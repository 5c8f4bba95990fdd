package org.bochner.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bochner.base.Spelling;
import org.bochner.design.Design;
import org.bochner.design.Target;
import org.bochner.design.Target.Axis;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.map.DesignRival;

/**
 * A shift-invariant kernel, which depends on the difference of two rows.
 *
 * @param domain the values of every column; empty for a column with a period
 */
record DifferenceSubject(ShiftInvariantKernel kernel, List<Optional<Interval>> domain, boolean relative)
        implements DesignSubject {
    DifferenceSubject {
        domain = List.copyOf(domain);
        requireColumns(domain.size());
    }

    /** Fails where there are more columns than a design can have. */
    static void requireColumns(int columns) {
        if (columns > Target.MOST_COLUMNS) {
            throw new UsageException(
                    "designs are for 1 to " + Target.MOST_COLUMNS + " columns, and these are " + columns
                            + "; name some, as in --kernel 'gaussian[0:2]', or take random Fourier features, --map fourier");
        }
    }

    /**
     * Of the values that {@code --domain} spells: one interval for every column, for every column without a period, or for
     * all of them.
     *
     * @param asked how many columns were asked for; 0 where the rest says it
     */
    static DifferenceSubject of(ShiftInvariantKernel kernel, List<Interval> given, int asked, boolean relative) {
        int columns = columns(kernel, given.size(), asked);
        requireColumns(columns);
        boolean[] periodic = new boolean[columns];
        for (int l = 0; l < columns; l++) {
            periodic[l] = kernel.period(l) < Double.POSITIVE_INFINITY;
        }
        int unbounded =
                (int) IntStream.range(0, columns).filter(l -> !periodic[l]).count();
        if (!given.isEmpty() && unbounded == 0) {
            throw new UsageException("--domain: " + kernel + " repeats in every column, and its design holds for all"
                    + " values; leave the range out");
        }
        if (given.isEmpty() && unbounded > 0) {
            throw new UsageException("give the range of the values, --domain LOW:HIGH, or DATA to take it from: "
                    + kernel + " is approximated on it");
        }
        if (given.size() > 1 && given.size() != columns && given.size() != unbounded) {
            throw new UsageException("--domain has " + given.size() + " intervals, and " + kernel + " is of " + columns
                    + (columns == 1 ? " column" : " columns")
                    + (unbounded == columns ? "" : ", of which " + unbounded + " without a period")
                    + "; give one for each of these, or one for all");
        }
        List<Optional<Interval>> domain = new ArrayList<>();
        int next = 0;
        for (int l = 0; l < columns; l++) {
            if (periodic[l]) {
                domain.add(Optional.empty());
                next += given.size() == columns ? 1 : 0;
            } else {
                Interval interval = given.get(given.size() == 1 ? 0 : next++);
                interval.requireIn(kernel, l);
                domain.add(Optional.of(interval));
            }
        }
        return new DifferenceSubject(kernel, domain, relative);
    }

    private static int columns(ShiftInvariantKernel kernel, int given, int asked) {
        int own = kernel.minimumColumns();
        if (own > 1) {
            if (asked > 0 && asked != own) {
                throw new UsageException("--columns " + asked + ": " + kernel + " is of " + own + " columns");
            }
            return own;
        }
        return asked > 0 ? asked : Math.max(1, given);
    }

    @Override
    public Target target() {
        Axis[] axes = new Axis[domain.size()];
        for (int l = 0; l < axes.length; l++) {
            double period = kernel.period(l);
            axes[l] = domain.get(l)
                    .map(interval -> Axis.between(interval.low(), interval.high()))
                    .orElseGet(() -> Axis.periodic(period));
        }
        Target target = Target.of(kernel, axes);
        return relative ? target.relative() : target;
    }

    @Override
    public String range() {
        if (domain.size() == 1) {
            return "values " + column(0);
        }
        return IntStream.range(0, domain.size())
                .mapToObj(l -> "column " + l + " " + column(l))
                .collect(Collectors.joining(", "));
    }

    private String column(int l) {
        return domain.get(l)
                .map(Interval::inWords)
                .orElseGet(() -> "with the period " + Spelling.print(kernel.period(l)));
    }

    /** The map takes one range for all columns; it knows those of periods. */
    @Override
    public Optional<String> rangeParameter() {
        List<Interval> different =
                domain.stream().flatMap(Optional::stream).distinct().toList();
        return switch (different.size()) {
            case 0 -> Optional.of("");
            case 1 -> Optional.of("range=" + different.get(0));
            default -> Optional.empty();
        };
    }

    @Override
    public List<DesignRival> rivals(Design design, int dimension) {
        return DesignRival.of(kernel, design, dimension);
    }
}
