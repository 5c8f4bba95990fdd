package org.bochner.data.cell;

import java.util.stream.Stream;
import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.DataOptions;
import org.jspecify.annotations.Nullable;

/**
 * Gathers how the numbers or dates of one column are written where they are not plain, and decides at the end how they
 * are to be read. Values are summed up in every way of reading that is still possible.
 */
public final class NotationSurvey {
    private static final Remedy SIGN =
            Remedy.set(Setting.DECIMAL, "comma", "or point says which sign is the decimal one");

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

    public NotationSurvey(WrittenNumber written) {
        this.written = written;
    }

    /** Takes a cell in if it is a number in any notation; false where it is none. */
    public boolean addNumber(byte[] bytes, int from, int to) {
        double withComma = written.parse(bytes, from, to, true);
        boolean groups = written.grouped;
        double withPoint = written.parse(bytes, from, to, false);
        if (Double.isNaN(withPoint) && Double.isNaN(withComma)) {
            return false;
        }
        if (Double.isNaN(withPoint)) {
            // The second reading failed, perhaps before it came to the sign.
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
        // A number reads the same in both ways unless it has a comma that three digits follow.
        differ |= point && comma && withPoint != withComma;
        percents += written.unit.equals(WrittenNumber.PERCENT) ? 1 : 0;
        if (unit.isEmpty()) {
            unit = written.unit;
        }
        return true;
    }

    /** The larger of the values that the number added last may have, for a check of its range. */
    public double largest(byte[] bytes, int from, int to) {
        double withComma = Math.abs(written.parse(bytes, from, to, true));
        double withPoint = Math.abs(written.parse(bytes, from, to, false));
        return Double.isNaN(withPoint)
                ? withComma
                : Double.isNaN(withComma) ? withPoint : Math.max(withComma, withPoint);
    }

    /** Whether the bytes are a number with a sign, a comma or groups. */
    public static boolean isNumber(byte[] bytes, int from, int to, WrittenNumber written) {
        return !Double.isNaN(written.parse(bytes, from, to, false))
                || !Double.isNaN(written.parse(bytes, from, to, true));
    }

    /** Whether a number in any notation is whole, however its commas and points are read. */
    public static boolean isWhole(byte[] bytes, int from, int to, WrittenNumber written) {
        double withPoint = written.parse(bytes, from, to, false);
        double withComma = written.parse(bytes, from, to, true);
        return (Double.isNaN(withPoint) || withPoint == Math.rint(withPoint))
                && (Double.isNaN(withComma) || withComma == Math.rint(withComma));
    }

    /** Whether the bytes are a date in any form. */
    public static boolean isDate(byte[] bytes, int from, int to) {
        for (DateForm form : DateForm.values()) {
            if (!Double.isNaN(form.parse(bytes, from, to))) {
                return true;
            }
        }
        return false;
    }

    /** Takes a cell in if it is a date of the same form as those before; false where it is not. */
    public boolean addDate(byte[] bytes, int from, int to) {
        for (DateForm form : DateForm.values()) {
            double days = form.parse(bytes, from, to);
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

    /** Whether another sign than those before was added last: euros among dollars. */
    public boolean mixesUnits() {
        return !written.unit.isEmpty() && !written.unit.equals(unit);
    }

    /** Whether no decimal sign makes numbers of all cells. */
    public boolean mixesSigns() {
        return !point && !comma;
    }

    /** Whether a cell is a number with a decimal comma only. */
    public boolean sureOfComma() {
        return numbers > 0 && dates == null && !point;
    }

    /** Whether a cell is a number with a decimal point only. */
    public boolean sureOfPoint() {
        return pointSign;
    }

    /** The sum of the values in the notation that was decided on. */
    public double sum(Notation notation) {
        if (notation.date() != null) {
            return notation.date() == DateForm.MONTH_FIRST ? monthSum : daySum;
        }
        return notation.comma() ? commaSum : pointSum;
    }

    /**
     * Decides how the column is read.
     *
     * @param plain the number of plain numbers that the column has besides
     * @param plainPoints whether any of these has a decimal point
     * @param column the name of the column, for messages
     * @param remedies what else users can do with the column
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
        boolean mayBePoint = point && rule.asked() != DataOptions.Decimal.COMMA;
        boolean mayBeComma = comma && !plainPoints && rule.asked() != DataOptions.Decimal.POINT;
        if (!mayBePoint && !mayBeComma) {
            throw DataException.in(
                    file, owner + ": commas and points in its numbers contradict each other", more(SIGN, remedies));
        }
        boolean guessed = rule.asked() == DataOptions.Decimal.AUTO;
        if (guessed && !mayBePoint && rule.separatedByComma()) {
            throw DataException.in(
                    file,
                    owner + " has quoted numbers with a comma that does not set thousands apart",
                    more(Remedy.set(Setting.DECIMAL, "comma", "reads it as the decimal sign"), remedies));
        }
        boolean unclear = differ && mayBePoint && mayBeComma && !rule.separatedByComma();
        if (unclear && rule.commaSeen() == rule.pointSeen()) {
            throw DataException.in(
                    file,
                    owner + ": a comma may be the decimal sign of its numbers, or set thousands apart",
                    more(SIGN, remedies));
        }
        boolean asComma = !mayBePoint || (mayBeComma && rule.commaSeen() && !rule.separatedByComma());
        return new Notation(asComma, asComma ? commaGrouped : grouped, unit, null);
    }

    private static Remedy[] more(Remedy first, Remedy[] others) {
        return Stream.concat(Stream.of(first), Stream.of(others)).toArray(Remedy[]::new);
    }

    private Notation decideDate(String file, String column, Remedy... remedies) {
        if (dates == DateForm.DAY_FIRST && dayFirst && monthFirst) {
            throw DataException.in(
                    file,
                    "column " + column + " has dates in which day and month cannot be told apart, as 01/02/2024; write"
                            + " them as 2024-02-01",
                    remedies);
        }
        return new Notation(false, false, "", dates == DateForm.DAY_FIRST && !dayFirst ? DateForm.MONTH_FIRST : dates);
    }
}
