package org.bochner.data.cell;

import org.bochner.base.BochnerException;
import org.bochner.data.DataOptions;
import org.jspecify.annotations.Nullable;

/**
 * The notation of the numbers of a column. The notation of the training data applies to later files, so a cell has the
 * same value in training and in prediction.
 *
 * @param comma true if the decimal sign is a comma; false for a point
 * @param grouped true if numbers may have groups of thousands
 * @param unit {@code %}, which every number must have; a currency sign, which numbers may have; or empty
 * @param date the format of dates; null for numbers
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

    /** Returns the notation for a file whose decimal sign the user gives. */
    public Notation in(DataOptions.Decimal decimal) {
        return decimal == DataOptions.Decimal.AUTO || date != null
                ? this
                : new Notation(decimal == DataOptions.Decimal.COMMA, grouped, unit, null);
    }

    /** Returns the number in a cell; NaN if it holds no number in this notation. */
    public double parse(byte[] bytes, int from, int to, WrittenNumber written) {
        if (date != null) {
            return date.parse(bytes, from, to);
        }
        if (plain()) {
            return written.decimal.parse(bytes, from, to);
        }
        double value = written.parse(bytes, from, to, comma);
        boolean sameUnit = written.unit.equals(unit) || (written.unit.isEmpty() && !unit.equals(WrittenNumber.PERCENT));
        return sameUnit && (grouped || !written.grouped) ? value : Double.NaN;
    }

    /** Returns an example of a cell, for messages. */
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

    /** Returns what a cell must be, for messages. */
    public String expected() {
        return plain() ? "a number" : example() + ", as in training";
    }

    /** Returns the saved form, which {@link #load} reads. */
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
