package org.bochner.data.format;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Note;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.text.Suggestion;
import org.bochner.data.DataOptions;
import org.bochner.data.Task;
import org.bochner.data.cell.Cell;
import org.bochner.data.cell.Cells;
import org.bochner.data.cell.Decimal;
import org.bochner.data.cell.DecimalRule;
import org.bochner.data.cell.Dictionary;
import org.bochner.data.cell.Notation;
import org.bochner.data.cell.NotationSurvey;
import org.bochner.data.cell.WrittenNumber;
import org.jspecify.annotations.Nullable;

/** Reads all labels and decides whether they are classes or numbers; counts the rows of each class. */
public final class LabelSurvey {
    private static final Remedy CLASSIFY =
            Remedy.set(Setting.TASK, Task.CLASSIFY, "makes every different label a class");
    private static final Remedy AS_TEXT = Remedy.set(Setting.TEXT, "counts the words of a column of texts");
    private static final Remedy OTHER_LABEL = Remedy.set(Setting.LABEL, "names another column");

    private final Task task;
    private final @Nullable String positive;
    private final Decimal decimal = new Decimal();
    private List<String> names = List.of();
    private @Nullable Dictionary dictionary;
    private final WrittenNumber written = new WrittenNumber();
    private List<Written> notations = List.of();
    private DecimalRule signs = new DecimalRule(DataOptions.Decimal.AUTO, true, false, false);
    private boolean text;
    private long dates;
    /** True if the user did not say which column is the label. */
    private final boolean guessed;

    private boolean fraction;
    private boolean table;
    private long count;

    /** The notation of the numbers of one label column. */
    private static final class Written {
        final NotationSurvey survey;
        String column = "";
        long plain;
        boolean points;
        boolean signs;

        Written(WrittenNumber written) {
            survey = new NotationSurvey(written);
        }
    }

    public LabelSurvey(DataSettings options) {
        String asked = options.positive;
        this.positive = asked == null ? null : Cells.canonical(asked);
        if (positive != null && options.task == Task.REGRESS) {
            throw new BochnerException("a positive class is given, but the task is to predict numbers");
        }
        this.task = positive == null ? options.task : Task.CLASSIFY;
        this.guessed = LabelChoice.of(options) == LabelChoice.Word.AUTO && options.labelsFile == null;
    }

    /** Sets the names of the label columns; called once, for the file that has them. */
    void begin(String file, List<String> labelNames) {
        names = List.copyOf(labelNames);
        if (names.size() > 1 && task == Task.CLASSIFY) {
            throw DataException.in(
                    file, names.size() + " label columns are numbers to predict; classes need a single one");
        }
        dictionary = names.size() == 1 && task != Task.REGRESS ? new Dictionary() : null;
        notations = names.stream().map(name -> new Written(written)).toList();
    }

    /** Adds label j of a row of a CSV file, whose numbers may have signs and decimal commas. */
    void add(Cell cell, int j) {
        byte[] bytes = cell.feed().bytes;
        Written writing = notations.get(j);
        writing.column = cell.column();
        table = true;
        double value = decimal.parse(bytes, cell.from(), cell.to());
        if (!Double.isNaN(value)) {
            writing.plain++;
            writing.points |= decimal.pointed;
            add(cell, true, value != Math.rint(value), Double.isInfinite(value));
        } else if (!cell.missing() && writing.survey.addNumber(bytes, cell.from(), cell.to())) {
            writing.signs = true;
            boolean mixed = writing.survey.mixesUnits()
                    || writing.survey.mixesSigns()
                    || (writing.points && writing.survey.sureOfComma());
            if (mixed && dictionary == null) {
                throw cell.problem("'" + cell.shown() + "' is written with other signs than the labels before it");
            }
            add(cell, !mixed, !NotationSurvey.isWhole(bytes, cell.from(), cell.to(), written), false);
        } else {
            dates += NotationSurvey.isDate(bytes, cell.from(), cell.to()) ? 1 : 0;
            add(cell, false, false, cell.infinite());
        }
    }

    /** Adds a label of a LIBSVM file: a plain number or a word. */
    void addWord(Cell cell) {
        double value = decimal.parse(cell.feed().bytes, cell.from(), cell.to());
        boolean number = !Double.isNaN(value);
        add(cell, number, number && value != Math.rint(value), number ? Double.isInfinite(value) : cell.infinite());
    }

    private void add(Cell cell, boolean number, boolean parted, boolean endless) {
        count++;
        byte[] bytes = cell.feed().bytes;
        if (!number && cell.missing()) {
            throw cell.problem("the label is missing");
        }
        if (endless || Cells.notANumber(bytes, cell.from(), cell.to())) {
            throw cell.problem("the label must be finite, got '" + cell.shown() + "'");
        }
        Dictionary known = dictionary;
        if (known == null) {
            if (!number) {
                throw task == Task.AUTO && names.size() == 1
                        ? cell.problem(
                                "the labels before are numbers, but this one is '" + cell.shown() + "'", CLASSIFY)
                        : cell.problem("the label must be a number, got '" + cell.shown() + "'");
            }
            return;
        }
        text |= !number;
        fraction |= parted;
        if (!known.add(bytes, cell.from(), cell.to())) {
            cell.requireText();
        }
        settle(cell.feed().name());
    }

    /** Sets the rule for the decimal sign; called once, after the last row. */
    void decide(DecimalRule found) {
        signs = found;
    }

    /** Returns true if a label can only have a decimal comma. */
    boolean sureOfComma() {
        return !text && notations.stream().anyMatch(writing -> writing.survey.sureOfComma());
    }

    /** Returns true if a label can only have a decimal point. */
    boolean sureOfPoint() {
        return !text && notations.stream().anyMatch(writing -> writing.points || writing.survey.sureOfPoint());
    }

    /** Adds a label that is a number in a binary file. */
    void add(double value, String file, long row) {
        count++;
        if (!(Math.abs(value) < Double.POSITIVE_INFINITY)) {
            throw LabelDecoder.infinite(value, file, row);
        }
        if (dictionary != null) {
            fraction |= value != Math.rint(value);
            dictionary.add(Cells.canonical(value));
            settle(file);
        }
    }

    /** Drops the dictionary as soon as the labels cannot be classes, so it stays small on regression data. */
    private void settle(String file) {
        Dictionary known = dictionary;
        if (known == null) {
            return;
        }
        int size = known.size();
        if (task == Task.AUTO && !text && (size > LabelRule.MOST_WHOLE_CLASSES || (fraction && size > 2))) {
            dictionary = null;
        } else if (size > Dictionary.LARGEST) {
            throw DataException.in(
                    file,
                    "more than " + Dictionary.LARGEST + " different labels; is this the label column?",
                    Remedy.set(Setting.TASK, Task.REGRESS, "takes labels for numbers"));
        }
    }

    /** Returns the encoding of the labels; called once, after the last row. */
    public LabelEncoding finish(String file) {
        if (names.isEmpty()) {
            if (positive != null) {
                throw DataException.in(file, "there are no labels, so none can be of the class '" + positive + "'");
            }
            return LabelEncoding.NONE;
        }
        if (task == Task.AUTO && !text && dictionary != null && !rule().classes(counts(dictionary))) {
            dictionary = null;
        }
        if (dictionary == null) {
            return LabelEncoding.numbers(names, notations(file));
        }
        if (task == Task.AUTO) {
            requireClasses(file, dictionary);
        }
        if (positive == null) {
            return LabelEncoding.classes(dictionary.sorted());
        }
        if (!dictionary.contains(positive)) {
            List<String> known = dictionary.sorted();
            throw DataException.in(
                    file,
                    "no class '" + positive + "'"
                            + Suggestion.hint(positive, known.subList(0, Math.min(50, known.size()))));
        }
        if (dictionary.size() == 1) {
            throw DataException.in(
                    file, "all rows are of the class '" + positive + "'; there is nothing to tell apart");
        }
        return LabelEncoding.against(positive);
    }

    private List<Notation> notations(String file) {
        return notations.stream()
                .map(writing -> writing.signs
                        ? writing.survey.decide(signs, writing.plain, writing.points, file, writing.column, CLASSIFY)
                        : signs.ofPlain(writing.points))
                .toList();
    }

    /**
     * Fails if the label is a column that was chosen only because it is the last, and holds dates, identifiers or free
     * text.
     */
    private void requireClasses(String file, Dictionary known) {
        if (!text || known.size() <= 2 || !guessed) {
            return;
        }
        if (dates == count) {
            throw DataException.in(file, "the labels are dates; is this the label column?", OTHER_LABEL, CLASSIFY);
        }
        if (table && known.size() > ColumnSurvey.MOST_CATEGORIES_OF_FEW_ROWS && 2L * known.size() > count) {
            String texts = known.size() + " different texts in " + count + " rows";
            throw DataException.in(
                    file, "the labels are " + texts + "; is this the label column?", OTHER_LABEL, AS_TEXT, CLASSIFY);
        }
    }

    private LabelRule rule() {
        return new LabelRule(task, positive, names.size(), text, fraction);
    }

    private static Map<String, Long> counts(Dictionary known) {
        Map<String, Long> counts = new HashMap<>();
        known.sorted().forEach(name -> counts.put(name, known.count(name)));
        return counts;
    }

    /** Returns the number of rows of each class of the encoding; empty if labels are numbers. */
    public long[] counts() {
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

    /** Returns a note that says why the labels are classes or numbers, and how to change the choice. */
    public Note reason() {
        if (names.isEmpty()) {
            return LabelRule.noLabels();
        }
        return dictionary == null ? rule().whyNumbers() : rule().whyClasses(dictionary.size());
    }
}
