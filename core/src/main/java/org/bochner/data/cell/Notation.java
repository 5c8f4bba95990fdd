package org.bochner.data.cell;

import org.bochner.base.BochnerException;
import org.bochner.data.DataOptions;
import org.jspecify.annotations.Nullable;

/**
 * How the numbers of a column are written. What training data found holds for later files too, so that a cell never means
 * one number in training and another in prediction.
 *
 * @param comma whether the decimal sign is a comma; else it is a point
 * @param grouped whether thousands may be set apart
 * @param unit {@code %}, of which every number must have one, a currency sign, which numbers may have, or empty
 * @param date the form of dates, in a column of dates; null for numbers
 */
public record Notation(
        boolean comma,
        boolean grouped,
        String unit,
        @Nullable DateForm date) {
    /** Digits with a decimal point or without, as {@link Decimal} parses them. */
    public static final Notation PLAIN = new Notation(false, false, "", null);

    public static final Notation COMMA = new Notation(true, false, "", null);

    public boolean plain() {
        return !comma && !grouped && date == null && unit.isEmpty();
    }

    /** The notation for a file whose decimal sign the user names. */
    public Notation in(DataOptions.Decimal decimal) {
        return decimal == DataOptions.Decimal.AUTO || date != null
                ? this
                : new Notation(decimal == DataOptions.Decimal.COMMA, grouped, unit, null);
    }

    /** The number in a cell; NaN where it holds none that is written like this. */
    public double parse(byte[] bytes, int from, int to, WrittenNumber written) {
        if (date != null) {
            return date.parse(bytes, from, to);
        }
        double value = written.parse(bytes, from, to, comma);
        boolean sameUnit = written.unit.equals(unit) || (written.unit.isEmpty() && !unit.equals(WrittenNumber.PERCENT));
        return sameUnit && (grouped || !written.grouped) ? value : Double.NaN;
    }

    /** What the cells of the column look like, for errors. */
    public String example() {
        if (date != null) {
            return switch (date) {
                case ISO -> "a date as 2024-01-31";
                case DAY_FIRST -> "a date as 31/01/2024";
                case MONTH_FIRST -> "a date as 01/31/2024";
                case DOTS -> "a date as 31.01.2024";
            };
        }
        String number = (grouped ? (comma ? "1.234" : "1,234") : "1") + (comma ? ",5" : ".5");
        return "a number as " + (unit.equals(WrittenNumber.PERCENT) ? number + unit : unit + number);
    }

    /** The saved form, which {@link #load} reads. */
    public String saved() {
        return date != null ? date.name() : (comma ? "COMMA" : "POINT") + (grouped ? " GROUPED " : " ") + unit;
    }

    public static Notation load(String text) {
        for (DateForm form : DateForm.values()) {
            if (form.name().equals(text)) {
                return new Notation(false, false, "", form);
            }
        }
        String[] words = text.split(" ", -1);
        String unit = words[words.length - 1];
        Notation notation = new Notation(words[0].equals("COMMA"), words.length == 3, unit, null);
        if (!notation.saved().equals(text) || !(unit.isEmpty() || WrittenNumber.isUnit(unit))) {
            throw new BochnerException("columns: the saved form has the unknown notation '" + text + "'");
        }
        return notation;
    }
}
