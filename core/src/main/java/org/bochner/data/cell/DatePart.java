package org.bochner.data.cell;

import java.time.LocalDate;
import java.util.Locale;

/** A number that is computed from a date: a column of its own. Saved models depend on the names and on their meaning. */
public enum DatePart {
    /** Days since 1970-01-01, with the fraction of the day. */
    DAYS,
    YEAR,
    /** 1 to 12. */
    MONTH,
    /** 1, Monday, to 7, Sunday. */
    WEEKDAY,
    /** 1 to 366. */
    YEARDAY,
    /** 0 to 23, with minutes and seconds as a fraction. */
    HOUR,
    /** The sine of the angle that goes round once per year; the other sines and cosines are alike. */
    YEAR_SINE,
    YEAR_COSINE,
    WEEK_SINE,
    WEEK_COSINE,
    DAY_SINE,
    DAY_COSINE;

    /** Returns the part of a date that is given as days since 1970-01-01. */
    public double of(double days) {
        double whole = Math.floor(days);
        double share = days - whole;
        if (this == DAYS || this == HOUR) {
            return this == DAYS ? days : 24 * share;
        }
        LocalDate date = LocalDate.ofEpochDay((long) Math.max(-365_000_000_000.0, Math.min(365_000_000_000.0, whole)));
        double ofYear = (date.getDayOfYear() - 1 + share) / date.lengthOfYear();
        double ofWeek = (date.getDayOfWeek().getValue() - 1 + share) / 7;
        return switch (this) {
            case YEAR -> date.getYear();
            case MONTH -> date.getMonthValue();
            case WEEKDAY -> date.getDayOfWeek().getValue();
            case YEARDAY -> date.getDayOfYear();
            case YEAR_SINE -> sine(ofYear);
            case YEAR_COSINE -> sine(ofYear + 0.25);
            case WEEK_SINE -> sine(ofWeek);
            case WEEK_COSINE -> sine(ofWeek + 0.25);
            case DAY_SINE -> sine(share);
            case DAY_COSINE -> sine(share + 0.25);
            default -> throw new IllegalStateException(name());
        };
    }

    private static double sine(double turns) {
        return StrictMath.sin(2 * Math.PI * turns);
    }

    /** Returns the name that follows that of the column. */
    public String shown() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
