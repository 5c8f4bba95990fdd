package org.bochner.data.cell;

import java.time.YearMonth;

/**
 * The formats of a column of dates, with or without a time of day. Dates become days since 1970-01-01; a time of day is
 * a fraction of a day, in UTC if no offset is given.
 */
public enum DateForm {
    /** {@code 2024-01-31}, {@code 2024-01-31T12:00:00Z}, {@code 2024-01-31 12:00:00.5+01:00}. */
    ISO('-', 0, 1, 2),
    /** {@code 31/01/2024}. */
    DAY_FIRST('/', 2, 1, 0),
    /** {@code 01/31/2024}. */
    MONTH_FIRST('/', 2, 0, 1),
    /** {@code 31.01.2024}. */
    DOTS('.', 2, 1, 0);

    private final byte separator;
    private final int year;
    private final int month;
    private final int day;

    DateForm(char separator, int year, int month, int day) {
        this.separator = (byte) separator;
        this.year = year;
        this.month = month;
        this.day = day;
    }

    /** Returns the days since 1970-01-01 of a date in this format; NaN if the bytes are no such date. */
    public double parse(byte[] bytes, int from, int to) {
        // The shortest date is 1/2/2024. The first byte rules out most other texts.
        if (to - from < 8 || bytes[from] < '0' || bytes[from] > '9') {
            return Double.NaN;
        }
        int[] parts = new int[3];
        int i = from;
        for (int p = 0; p < 3; p++) {
            int start = i;
            while (i < to && bytes[i] >= '0' && bytes[i] <= '9' && i - start < 4) {
                parts[p] = 10 * parts[p] + bytes[i++] - '0';
            }
            int digits = i - start;
            boolean fits = p == year ? digits == 4 : digits == 2 || (digits == 1 && year != 0);
            if (!fits || (p < 2 && (i >= to || bytes[i++] != separator))) {
                return Double.NaN;
            }
        }
        if (parts[month] < 1
                || parts[month] > 12
                || parts[day] < 1
                || parts[day] > YearMonth.of(parts[year], parts[month]).lengthOfMonth()) {
            return Double.NaN;
        }
        double days = YearMonth.of(parts[year], parts[month]).atDay(parts[day]).toEpochDay();
        return i == to ? days : days + time(bytes, i, to);
    }

    /**
     * Returns the fraction of a day of {@code T12:34:56.789+01:00} and its shorter forms; NaN if the bytes are no time.
     */
    private static double time(byte[] bytes, int from, int to) {
        if (bytes[from] != 'T' && bytes[from] != ' ') {
            return Double.NaN;
        }
        int hours = two(bytes, from + 1, to, 24);
        int minutes = from + 3 < to && bytes[from + 3] == ':' ? two(bytes, from + 4, to, 59) : -1;
        if (hours < 0 || minutes < 0) {
            return Double.NaN;
        }
        double seconds = 60.0 * (60 * hours + minutes);
        if (seconds > 86_400) {
            return Double.NaN;
        }
        int i = from + 6;
        if (i < to && bytes[i] == ':') {
            int whole = two(bytes, i + 1, to, 60);
            if (whole < 0) {
                return Double.NaN;
            }
            seconds += whole;
            i += 3;
            if (i < to && bytes[i] == '.') {
                double digit = 1;
                int start = ++i;
                while (i < to && bytes[i] >= '0' && bytes[i] <= '9') {
                    digit /= 10;
                    seconds += digit * (bytes[i++] - '0');
                }
                if (i == start) {
                    return Double.NaN;
                }
            }
        }
        return (seconds - offset(bytes, i, to)) / 86_400;
    }

    /**
     * Returns the seconds of an offset from UTC, {@code Z}, {@code +01:00}, {@code +0100}, {@code +01} or none; NaN if
     * the bytes are no offset.
     */
    private static double offset(byte[] bytes, int from, int to) {
        if (from == to || (to - from == 1 && bytes[from] == 'Z')) {
            return 0;
        }
        if (bytes[from] != '+' && bytes[from] != '-') {
            return Double.NaN;
        }
        int hours = two(bytes, from + 1, to, 18);
        int minutes = 0;
        int i = from + 3;
        if (i < to) {
            i += bytes[i] == ':' ? 1 : 0;
            minutes = two(bytes, i, to, 59);
            i += 2;
        }
        if (hours < 0 || minutes < 0 || i != to) {
            return Double.NaN;
        }
        return (bytes[from] == '-' ? -60.0 : 60.0) * (60 * hours + minutes);
    }

    /** Returns the number of two digits; -1 if there are none or the number is too large. */
    private static int two(byte[] bytes, int from, int to, int largest) {
        if (from + 2 > to) {
            return -1;
        }
        int tens = bytes[from] - '0';
        int ones = bytes[from + 1] - '0';
        boolean digits = tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9;
        return digits && 10 * tens + ones <= largest ? 10 * tens + ones : -1;
    }
}
