package org.bochner.data.cell;

import java.util.stream.Stream;
import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.DataOptions;
import org.jspecify.annotations.Nullable;

/**
 * Collects the numbers and dates of one column that are not plain, and decides their notation at the end. It sums the
 * values in every notation that is still possible.
 */
public final class NotationSurvey {
    private static final Remedy COMMA =
            Remedy.set(Setting.DECIMAL, DataOptions.Decimal.COMMA, "if the comma is the decimal sign");
    private static final Remedy POINT =
            Remedy.set(Setting.DECIMAL, DataOptions.Decimal.POINT, "if the point is the decimal sign");

    private final WrittenNumber written;

    private boolean point = true;
    private boolean comma = true;
    private boolean differ;
    private boolean pointSign;
    private boolean grouped;
    private boolean commaGrouped;
    private String unit = "";
    private long percents;
    private double pointSum;
    private double commaSum;
    private long numbers;

    private @Nullable DateForm dates;
    private boolean dayFirst = true;
    private boolean monthFirst = true;
    private double daySum;
    private double monthSum;
    private boolean timed;

    public NotationSurvey(WrittenNumber written) {
        this.written = written;
    }

    /** Adds a cell if it is a number in any notation; returns false if it is none. */
    public boolean addNumber(byte[] bytes, int from, int to) {
        double withComma = written.parse(bytes, from, to, true);
        boolean groups = written.grouped;
        double withPoint = written.parse(bytes, from, to, false);
        if (Double.isNaN(withPoint) && Double.isNaN(withComma)) {
            return false;
        }
        if (Double.isNaN(withPoint)) {
            // The second parse failed, perhaps before it reached the sign.
            written.parse(bytes, from, to, true);
        }
        numbers++;
        point &= !Double.isNaN(withPoint);
        comma &= !Double.isNaN(withComma);
        pointSign |= Double.isNaN(withComma);
        grouped |= !Double.isNaN(withPoint) && written.grouped;
        commaGrouped |= groups;
        pointSum += withPoint;
        commaSum += withComma;
        // A number has the same value in both notations unless it has a comma that three digits follow.
        differ |= point && comma && withPoint != withComma;
        percents += written.unit.equals(WrittenNumber.PERCENT) ? 1 : 0;
        if (unit.isEmpty()) {
            unit = written.unit;
        }
        return true;
    }

    /** Returns the largest value that the bytes have in a possible notation, for a check of the range. */
    public double largest(byte[] bytes, int from, int to) {
        double withComma = Math.abs(written.parse(bytes, from, to, true));
        double withPoint = Math.abs(written.parse(bytes, from, to, false));
        return Double.isNaN(withPoint)
                ? withComma
                : Double.isNaN(withComma) ? withPoint : Math.max(withComma, withPoint);
    }

    /** Returns true if the bytes are a number with a sign, a comma or groups. */
    public static boolean isNumber(byte[] bytes, int from, int to, WrittenNumber written) {
        return !Double.isNaN(written.parse(bytes, from, to, false))
                || !Double.isNaN(written.parse(bytes, from, to, true));
    }

    /** Returns true if the bytes are a whole number in every notation in which they are a number. */
    public static boolean isWhole(byte[] bytes, int from, int to, WrittenNumber written) {
        double withPoint = written.parse(bytes, from, to, false);
        double withComma = written.parse(bytes, from, to, true);
        return (Double.isNaN(withPoint) || withPoint == Math.rint(withPoint))
                && (Double.isNaN(withComma) || withComma == Math.rint(withComma));
    }

    /** Returns true if the bytes are a date in any format. */
    public static boolean isDate(byte[] bytes, int from, int to) {
        for (DateForm form : DateForm.values()) {
            if (!Double.isNaN(form.parse(bytes, from, to))) {
                return true;
            }
        }
        return false;
    }

    /** Adds a cell if it is a date in a format that fits all dates before; returns false if it is not. */
    public boolean addDate(byte[] bytes, int from, int to) {
        for (DateForm form : DateForm.values()) {
            double days = form.parse(bytes, from, to);
            timed |= days != Math.rint(days) && !Double.isNaN(days);
            if (!Double.isNaN(days) && form != DateForm.MONTH_FIRST && form != DateForm.DAY_FIRST) {
                daySum += days;
                numbers++;
                boolean same = dates == null || dates == form;
                dates = form;
                return same;
            }
        }
        double day = DateForm.DAY_FIRST.parse(bytes, from, to);
        double month = DateForm.MONTH_FIRST.parse(bytes, from, to);
        if ((Double.isNaN(day) && Double.isNaN(month)) || (dates != null && dates != DateForm.DAY_FIRST)) {
            return false;
        }
        dates = DateForm.DAY_FIRST;
        numbers++;
        dayFirst &= !Double.isNaN(day);
        monthFirst &= !Double.isNaN(month);
        daySum += day;
        monthSum += month;
        return dayFirst || monthFirst;
    }

    /** Returns true if a date has a time of day other than midnight. */
    public boolean timed() {
        return timed;
    }

    /** Returns true if the column has two signs, such as euros and dollars. */
    public boolean mixesUnits() {
        return !written.unit.isEmpty() && !written.unit.equals(unit);
    }

    /** Returns true if no decimal sign makes numbers of all cells. */
    public boolean mixesSigns() {
        return !point && !comma;
    }

    /** Returns true if a cell is a number only with a decimal comma. */
    public boolean sureOfComma() {
        return numbers > 0 && dates == null && !point;
    }

    /** Returns true if a cell is a number only with a decimal point. */
    public boolean sureOfPoint() {
        return pointSign;
    }

    /** Returns the sum of the values in the notation that was decided. */
    public double sum(Notation notation) {
        if (notation.date() != null) {
            return notation.date() == DateForm.MONTH_FIRST ? monthSum : daySum;
        }
        return notation.comma() ? commaSum : pointSum;
    }

    /**
     * Returns the notation of the column.
     *
     * @param plain the number of plain numbers that the column has besides
     * @param plainPoints true if one of them has a decimal point
     * @param column the name of the column, for messages
     * @param remedies further remedies for the message
     */
    public Notation decide(
            DecimalRule rule, long plain, boolean plainPoints, String file, String column, Remedy... remedies) {
        if (dates != null) {
            return decideDate(file, column, remedies);
        }
        String owner = "column " + column;
        if (percents > 0 && percents < numbers + plain) {
            throw DataException.in(file, owner + ": some numbers have a percent sign and others have none", remedies);
        }
        Remedy[] both = more(remedies, COMMA, POINT);
        boolean mayBePoint = point && rule.asked() != DataOptions.Decimal.COMMA;
        boolean mayBeComma = comma && !plainPoints && rule.asked() != DataOptions.Decimal.POINT;
        if (!mayBePoint && !mayBeComma) {
            throw DataException.in(file, owner + ": commas and points in its numbers contradict each other", both);
        }
        boolean guessed = rule.asked() == DataOptions.Decimal.AUTO;
        if (guessed && !mayBePoint && rule.separatedByComma()) {
            String quoted = owner + " has quoted numbers with a comma that does not set thousands apart";
            throw DataException.in(file, quoted, more(remedies, COMMA));
        }
        boolean unclear = differ && mayBePoint && mayBeComma && !rule.separatedByComma();
        if (unclear && rule.commaSeen() == rule.pointSeen()) {
            String either = owner + ": a comma may be the decimal sign of its numbers, or set thousands apart";
            throw DataException.in(file, either, both);
        }
        boolean asComma = !mayBePoint || (mayBeComma && rule.commaSeen() && !rule.separatedByComma());
        return new Notation(asComma, asComma ? commaGrouped : grouped, unit, null);
    }

    private static Remedy[] more(Remedy[] others, Remedy... first) {
        return Stream.concat(Stream.of(first), Stream.of(others)).toArray(Remedy[]::new);
    }

    private Notation decideDate(String file, String column, Remedy... remedies) {
        if (dates == DateForm.DAY_FIRST && dayFirst && monthFirst) {
            String unclear =
                    " has dates in which day and month cannot be told apart, as 01/02/2024; write them as 2024-02-01";
            throw DataException.in(file, "column " + column + unclear, remedies);
        }
        return new Notation(false, false, "", dates == DateForm.DAY_FIRST && !dayFirst ? DateForm.MONTH_FIRST : dates);
    }
}
