package org.bochner.data;

import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Nearest;
import org.jspecify.annotations.Nullable;

/** Looks at all labels once and decides what they are: classes, which and how many of each, or numbers. */
final class LabelSurvey {
    /** So few different whole numbers are taken for classes whatever they are. */
    private static final int FEW_WHOLE_CLASSES = 10;

    /** So many are if they count the classes, from 0 or 1 on without a gap; other numbers are to be predicted. */
    private static final int MOST_WHOLE_CLASSES = 100;

    private final Task task;
    private final @Nullable String positive;
    private final Decimal decimal = new Decimal();
    private List<String> names = List.of();
    private @Nullable Dictionary dictionary;
    private boolean text;
    private boolean fraction;
    private long count;

    LabelSurvey(DataOptions options) {
        String asked = options.positive();
        this.positive = asked == null ? null : Cells.canonical(asked);
        if (positive != null && options.task() == Task.REGRESS) {
            throw new BochnerException("--positive names a class, but --task regress takes labels for numbers");
        }
        this.task = positive == null ? options.task() : Task.CLASSIFY;
    }

    /** Says which label columns there will be; called once, by the file that has them. */
    void begin(String file, List<String> labelNames) {
        names = List.copyOf(labelNames);
        if (names.size() > 1 && task == Task.CLASSIFY) {
            throw DataException.in(
                    file, names.size() + " label columns are numbers to predict; classes need a single one");
        }
        dictionary = names.size() == 1 && task != Task.REGRESS ? new Dictionary() : null;
    }

    void add(byte[] bytes, int from, int to, String file, long line, String column) {
        count++;
        double value = decimal.parse(bytes, from);
        boolean number = from < to && decimal.end == to;
        if (!number) {
            value = Double.NaN;
            if (Cells.missing(bytes, from, to)) {
                throw DataException.at(file, line, column, "the label is missing");
            }
        }
        boolean infinite = number ? Double.isInfinite(value) : Cells.infinite(bytes, from, to);
        if (infinite || Cells.notANumber(bytes, from, to)) {
            throw DataException.at(
                    file, line, column, "the label must be finite, got '" + Cells.shown(bytes, from, to) + "'");
        }
        if (dictionary == null) {
            if (!number) {
                throw notANumber(Cells.shown(bytes, from, to), file, line, column);
            }
            return;
        }
        note(number, value);
        dictionary.add(bytes, from, to);
        settle(file);
    }

    /** A label that a binary file holds as a number. */
    void add(double value, String file, long row) {
        count++;
        if (!(Math.abs(value) < Double.POSITIVE_INFINITY)) {
            throw LabelDecoder.infinite(value, file, row);
        }
        if (dictionary != null) {
            note(true, value);
            dictionary.add(Cells.canonical(value));
            settle(file);
        }
    }

    private void note(boolean number, double value) {
        text |= !number;
        fraction |= number && value != Math.rint(value);
    }

    /** Drops the dictionary as soon as the labels cannot be classes, so that it stays small on regression data. */
    private void settle(String file) {
        Dictionary known = dictionary;
        if (known == null) {
            return;
        }
        int size = known.size();
        if (task == Task.AUTO && !text && (size > MOST_WHOLE_CLASSES || (fraction && size > 2))) {
            dictionary = null;
        } else if (size > Dictionary.LARGEST) {
            throw DataException.in(
                    file,
                    "more than " + Dictionary.LARGEST + " different labels; is this the label column? --task regress"
                            + " takes labels for numbers");
        }
    }

    private DataException notANumber(String shown, String file, long line, String column) {
        String why = task == Task.AUTO && names.size() == 1
                ? "the labels before are numbers, but this one is '" + shown
                        + "'; --task classify makes every different label a class"
                : "the label must be a number, got '" + shown + "'";
        return DataException.at(file, line, column, why);
    }

    /** What was found; to be called once, after the last row. */
    LabelEncoding finish(String file) {
        if (names.isEmpty()) {
            if (positive != null) {
                throw DataException.in(file, "--positive " + positive + " needs labels, but there are none");
            }
            return LabelEncoding.NONE;
        }
        if (task == Task.AUTO && !text && dictionary != null && !looksLikeClasses(dictionary)) {
            dictionary = null;
        }
        if (dictionary == null) {
            return LabelEncoding.numbers(names);
        }
        if (positive == null) {
            return LabelEncoding.classes(dictionary.sorted());
        }
        if (!dictionary.contains(positive)) {
            List<String> known = dictionary.sorted();
            throw DataException.in(
                    file,
                    "no class '" + positive + "'"
                            + Nearest.hint(positive, known.subList(0, Math.min(50, known.size()))));
        }
        if (dictionary.size() == 1) {
            throw DataException.in(
                    file, "all rows are of the class '" + positive + "'; there is nothing to tell apart");
        }
        return LabelEncoding.against(positive);
    }

    /** Whether labels that are all numbers seem to name classes. */
    private boolean looksLikeClasses(Dictionary known) {
        if (fraction) {
            return known.size() == 2;
        }
        if (known.size() <= FEW_WHOLE_CLASSES) {
            return true;
        }
        List<String> ascending = known.sorted();
        double first = Double.parseDouble(ascending.get(0));
        double last = Double.parseDouble(ascending.get(ascending.size() - 1));
        return (first == 0 || first == 1) && last - first == ascending.size() - 1;
    }

    /** How many rows each class of the encoding has; empty where labels are no classes. */
    long[] counts() {
        Dictionary known = dictionary;
        if (known == null) {
            return new long[0];
        }
        if (positive != null) {
            long own = known.count(positive);
            return new long[] {count - own, own};
        }
        return known.sorted().stream().mapToLong(known::count).toArray();
    }

    /** Why the labels are what they are, in one sentence. */
    String reason() {
        if (names.isEmpty()) {
            return "there are no labels";
        }
        if (dictionary == null) {
            if (task == Task.REGRESS) {
                return "numbers to predict, as --task regress says";
            }
            if (names.size() > 1) {
                return "numbers to predict, because there are " + names.size() + " label columns";
            }
            return "numbers to predict, because labels "
                    + (fraction ? "have fractions" : "are many whole numbers that do not count classes from 0 or 1")
                    + " (--task classify makes classes of them)";
        }
        int size = dictionary.size();
        String classes = size == 1 ? "1 class" : size + " classes";
        if (positive != null) {
            return "2 classes: '" + positive + "' against the rest, as --positive says";
        }
        if (task == Task.CLASSIFY) {
            return classes + ", as --task classify says";
        }
        if (text) {
            return classes + ", because labels are text";
        }
        return classes
                + (size == 2
                        ? ", because labels take two values"
                        : ", because labels are " + (size <= FEW_WHOLE_CLASSES ? "few" : "counted") + " whole numbers")
                + " (--task regress predicts numbers)";
    }
}
