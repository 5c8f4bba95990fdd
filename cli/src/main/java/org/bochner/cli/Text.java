package org.bochner.cli;

import java.util.Locale;

/** Formats numbers and words for people, independently of the locale. */
final class Text {
    private Text() {}

    /** Formats as {@link String#format} does, with a decimal point. */
    static String of(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** Returns a whole number with commas between thousands. */
    static String count(long number) {
        return of("%,d", number);
    }

    /** Returns a number and its noun, such as {@code 1 row} or {@code 2 rows}. */
    static String count(long number, String noun) {
        return count(number) + " " + noun + (number == 1 ? "" : "s");
    }

    /** Returns a number with four significant digits. */
    static String number(double value) {
        return of("%.4g", value);
    }

    /** Returns an error of classes as a percentage, or a root mean squared error. */
    static String error(boolean classes, double error) {
        return classes ? of("%.2f%%", 100 * error) : of("%.5g", error);
    }

    /** Returns the word for a constant: its name in lower case. */
    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** Returns a cell of a CSV file, in quotes if it has a comma, a quote or a line end. */
    static String csvCell(String text) {
        return text.matches("[^\",\r\n]*") ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }

    /** Quotes a word for a shell, if it needs quotes. */
    static String quoted(String word) {
        return word.matches("[\\w./:@%+,=-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** Returns the name of a column in a sentence: {@code column 11} for one that goes by its index. */
    static String column(String name) {
        return name.matches("[0-9]+") ? "column " + name : name;
    }
}
