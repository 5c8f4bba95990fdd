package org.bochner.cli.plot;

import java.util.List;

/**
 * What an axis shows, and whether its scale is logarithmic. The interval is that of the data.
 *
 * @param names of the values 0, 1, ..., for an axis of things rather than numbers; empty for numbers
 */
public record Axis(String label, boolean logarithmic, List<String> names) {
    public Axis {
        names = List.copyOf(names);
    }

    /** Equal steps are equal differences. */
    public static Axis linear(String label) {
        return new Axis(label, false, List.of());
    }

    /** Equal steps are equal factors; values that are not positive are left out. */
    public static Axis logarithmic(String label) {
        return new Axis(label, true, List.of());
    }

    /** A place for each of these, at 0, 1, ... */
    public static Axis named(String label, List<String> names) {
        return new Axis(label, false, names);
    }

    /** Whether the value has a place on this axis. Beyond 1e±300, numbers count as infinite or zero. */
    boolean shows(double value) {
        return logarithmic ? value >= 1e-300 && value <= 1e300 : Math.abs(value) <= 1e300;
    }
}
