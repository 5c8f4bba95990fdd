package org.bochner.cli.plot;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;

/**
 * The scale of an axis for given values: the positions of values, and the ticks. It extends a little beyond the values
 * at both ends.
 */
final class Ruler {
    /** Ranges narrower than this fraction of their values are widened, so that labels stay short. */
    private static final double NARROWEST = 1e-9;

    private static final double ROOM = 0.04;

    private final boolean logarithmic;

    private final List<String> names;

    /** The ends of the range; on a logarithmic axis, their decimal logarithms. */
    private final double low;

    private final double high;

    /** A tick with its position on the axis, from 0 to 1; small ticks have no label. */
    record Tick(double at, String label) {
        boolean isLabelled() {
            return !label.isEmpty();
        }
    }

    Ruler(Axis axis, DoubleStream values) {
        logarithmic = axis.logarithmic();
        names = axis.names();
        if (!names.isEmpty()) {
            low = -0.6;
            high = names.size() - 0.4;
            return;
        }
        DoubleSummaryStatistics range =
                values.filter(axis::shows).map(this::scaled).summaryStatistics();
        double least = range.getCount() == 0 ? 0 : range.getMin();
        double most = range.getCount() == 0 ? 1 : range.getMax();
        double magnitude = logarithmic ? 1 : Math.max(Math.abs(least), Math.abs(most));
        double span = most - least;
        double room =
                span > Math.max(NARROWEST * magnitude, 1e-300) ? ROOM * span : magnitude > 1e-300 ? magnitude / 2 : 1;
        low = least - room;
        high = most + room;
    }

    /** Returns the position, from 0 to 1, of a value that the axis shows. */
    double at(double value) {
        return along(scaled(value));
    }

    // StrictMath, so that equal charts give equal files on every machine.
    private double scaled(double value) {
        return logarithmic ? StrictMath.log10(value) : value;
    }

    private double along(double scaled) {
        return (scaled - low) / (high - low);
    }

    /** Returns the densest ticks with at most {@code most} labels that fit; the sparsest ones if none fit. */
    List<Tick> ticks(int most, Predicate<List<Tick>> labelsFit) {
        List<List<Tick>> choices = choices(most);
        for (List<Tick> ticks : choices) {
            List<Tick> labelled = ticks.stream().filter(Tick::isLabelled).toList();
            if (labelled.size() <= most && labelsFit.test(labelled)) {
                return ticks;
            }
        }
        return choices.get(choices.size() - 1);
    }

    private List<List<Tick>> choices(int most) {
        List<List<Tick>> choices = new ArrayList<>();
        if (!names.isEmpty()) {
            for (int step : new int[] {1, 2, 5, 10, 20, 50}) {
                choices.add(nameTicks(step));
            }
            return choices;
        }
        if (!logarithmic || high - low < 1) {
            for (int count = most; count > 0; count--) {
                choices.add(evenTicks(count));
            }
            return choices;
        }
        if (high - low < 3) {
            choices.add(decadeTicks(1, List.of(1, 2, 5)));
        }
        for (int step : new int[] {1, 2, 5, 10, 20, 50, 100, 200}) {
            choices.add(decadeTicks(step, List.of(1)));
        }
        return choices;
    }

    /** Returns one tick per name, with a label for every name, or every second, fifth, ... one. */
    private List<Tick> nameTicks(int step) {
        List<Tick> ticks = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            ticks.add(new Tick(along(i), i % step == 0 ? names.get(i) : ""));
        }
        return ticks;
    }

    /**
     * Returns about {@code count} ticks at multiples of 1, 2 or 5 times a power of ten, computed from integers to avoid
     * rounding errors.
     */
    private List<Tick> evenTicks(int count) {
        double from = logarithmic ? StrictMath.pow(10, low) : low;
        double to = logarithmic ? StrictMath.pow(10, high) : high;
        double largest = Math.max(Math.abs(from), Math.abs(to));
        boolean plain = largest >= 1e-3 && largest < 1e6;
        double wanted = (to - from) / count;
        int exponent = (int) Math.floor(StrictMath.log10(wanted));
        double leading = wanted / StrictMath.pow(10, exponent);
        int digit = leading <= 1 ? 1 : leading <= 2 ? 2 : leading <= 5 ? 5 : 1;
        exponent += leading > 5 ? 1 : 0;
        double step = digit * StrictMath.pow(10, exponent);
        List<Tick> ticks = new ArrayList<>();
        for (long k = (long) Math.ceil(from / step); k <= (long) Math.floor(to / step); k++) {
            BigDecimal value = BigDecimal.valueOf(k * digit, -exponent);
            ticks.add(new Tick(at(value.doubleValue()), plain ? plain(value) : scientific(value)));
        }
        return ticks;
    }

    /**
     * Returns labelled ticks at the given leading digits of every power of ten, or every second, fifth, ... one, with
     * small ticks between.
     */
    private List<Tick> decadeTicks(int step, List<Integer> digits) {
        List<Tick> ticks = new ArrayList<>();
        for (int exponent = (int) Math.floor(low); exponent <= high; exponent++) {
            for (int digit = 1; digit <= (step == 1 ? 9 : 1); digit++) {
                double at = along(exponent + StrictMath.log10(digit));
                boolean labelled = digits.contains(digit) && exponent % step == 0;
                // More than ten small ticks per label would be too dense.
                if (at >= 0 && at <= 1 && (labelled || step <= 10)) {
                    BigDecimal value = BigDecimal.valueOf(digit, -exponent);
                    boolean plain = exponent > -4 && exponent < 6;
                    ticks.add(new Tick(at, !labelled ? "" : plain ? plain(value) : scientific(value)));
                }
            }
        }
        return ticks;
    }

    private static String plain(BigDecimal value) {
        return value.setScale(Math.max(0, value.scale())).toPlainString();
    }

    private static String scientific(BigDecimal value) {
        if (value.signum() == 0) {
            return "0";
        }
        BigDecimal digits = value.stripTrailingZeros();
        int exponent = digits.precision() - digits.scale() - 1;
        return digits.scaleByPowerOfTen(-exponent).toPlainString() + "e" + exponent;
    }
}
