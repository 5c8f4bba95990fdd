package org.bochner.cli.plot;

import java.util.List;

/**
 * The label and the scale of an axis. Its range is that of the data.
 *
 * @param names the names of the values 0, 1, ..., for an axis of categories; empty for numbers
 */
public record Axis(String label, boolean logarithmic, List<String> names) {
    public Axis {
        names = List.copyOf(names);
    }

    /** Returns a linear axis. */
    public static Axis linear(String label) {
        return new Axis(label, false, List.of());
    }

    /** Returns a logarithmic axis; values that are not positive are left out. */
    public static Axis logarithmic(String label) {
        return new Axis(label, true, List.of());
    }

    /** Returns an axis of categories, with the names at 0, 1, ... */
    public static Axis named(String label, List<String> names) {
        return new Axis(label, false, names);
    }

    /** Returns true if the axis can show the value. Beyond 1e±300, numbers count as infinite or zero. */
    boolean shows(double value) {
        return logarithmic ? value >= 1e-300 && value <= 1e300 : Math.abs(value) <= 1e300;
    }
}
