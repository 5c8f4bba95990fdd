package org.bochner.cli.plot;

/** What an axis shows, and whether its scale is logarithmic. The interval is that of the data. */
public record Axis(String label, boolean logarithmic) {
    /** Equal steps are equal differences. */
    public static Axis linear(String label) {
        return new Axis(label, false);
    }

    /** Equal steps are equal factors; values that are not positive are left out. */
    public static Axis logarithmic(String label) {
        return new Axis(label, true);
    }

    /** Whether the value has a place on this axis. Beyond 1e±300, numbers count as infinite or zero. */
    boolean shows(double value) {
        return logarithmic ? value >= 1e-300 && value <= 1e300 : Math.abs(value) <= 1e300;
    }
}
