package org.bochner.data.format;

import java.util.List;
import java.util.Map;
import org.bochner.base.Note;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.Task;
import org.bochner.data.cell.Cells;
import org.bochner.data.cell.Decimal;
import org.jspecify.annotations.Nullable;

/**
 * The rule that decides whether labels are classes or numbers, for readers of files and of tables.
 *
 * @param task the task that was asked for
 * @param positive the class that is told from all others; null if there is none
 * @param columns the number of label columns
 * @param text true if a label is no number
 * @param fraction true if a label is a number that is not whole
 */
public record LabelRule(Task task, @Nullable String positive, int columns, boolean text, boolean fraction) {
    /** Up to this number of distinct whole numbers are always classes. */
    private static final int FEW_WHOLE_CLASSES = 10;

    /**
     * Up to this number of whole numbers are classes if they count from 0 or 1 without a gap and each has between a
     * fifth and five times the median number of rows. Letters and newsgroups have such sizes, counts of things do not.
     */
    private static final int SOME_WHOLE_CLASSES = 30;

    private static final int LARGEST_FACTOR = 5;

    /**
     * Up to this number of whole numbers are classes if, besides, the most frequent has at most 1.5 times the rows of
     * the rarest. Ages and scores have as many values, but less equal sizes.
     */
    public static final int MOST_WHOLE_CLASSES = 100;

    private static final double BALANCED_FACTOR = 1.5;

    /**
     * Returns true if labels are taken for classes.
     *
     * @param counts the number of rows per label in its canonical spelling; may be empty if there are more than {@value
     *     #MOST_WHOLE_CLASSES} different numbers
     */
    public boolean classes(Map<String, Long> counts) {
        return switch (task) {
            case CLASSIFY -> true;
            case REGRESS -> false;
            case AUTO -> columns == 1 && (text || (!counts.isEmpty() && looksLikeClasses(counts)));
        };
    }

    /** Returns true if labels that are all numbers are taken for classes. */
    private boolean looksLikeClasses(Map<String, Long> counts) {
        if (fraction) {
            return counts.size() == 2;
        }
        if (counts.size() <= FEW_WHOLE_CLASSES) {
            return true;
        }
        List<String> ascending = counts.keySet().stream().sorted(Cells.ORDER).toList();
        double first = Decimal.of(ascending.get(0));
        double last = Decimal.of(ascending.get(ascending.size() - 1));
        return (first == 0 || first == 1) && last - first == ascending.size() - 1 && similar(counts);
    }

    /** Returns true if many classes have similar numbers of rows, and more than one. */
    private static boolean similar(Map<String, Long> classes) {
        long[] counts =
                classes.values().stream().mapToLong(Long::longValue).sorted().toArray();
        long least = counts[0];
        long most = counts[counts.length - 1];
        long median = counts[counts.length / 2];
        if (median < 2 || counts.length > MOST_WHOLE_CLASSES) {
            return false;
        }
        return counts.length <= SOME_WHOLE_CLASSES
                ? most <= LARGEST_FACTOR * median && median <= LARGEST_FACTOR * least
                : most <= BALANCED_FACTOR * least;
    }

    /** Returns a note that says why the labels are numbers, and how to change the choice. */
    public Note whyNumbers() {
        String numbers = "numbers to predict, ";
        if (task == Task.REGRESS) {
            return note(numbers + "as asked for");
        }
        if (columns > 1) {
            return note(numbers + "because there are " + columns + " label columns");
        }
        String found = fraction ? "have fractions" : "are more than " + FEW_WHOLE_CLASSES + " different integers";
        Remedy classify = Remedy.set(Setting.TASK, Task.CLASSIFY, "makes classes of them");
        return note(numbers + "because the labels " + found, classify);
    }

    /**
     * Returns a note that says why the labels are classes, and how to change the choice.
     *
     * @param size the number of classes
     */
    public Note whyClasses(int size) {
        String classes = size == 1 ? "1 class" : size + " classes";
        if (positive != null) {
            return note("2 classes: '" + positive + "' against the rest, as asked for");
        }
        if (task == Task.CLASSIFY) {
            return note(classes + ", as asked for");
        }
        if (text) {
            return note(classes + ", because labels are text", Remedy.set(Setting.TASK, Task.REGRESS, "needs numbers"));
        }
        String few =
                size <= FEW_WHOLE_CLASSES ? "few whole numbers" : "whole numbers that count classes of similar size";
        return note(
                classes + ", because labels " + (size == 2 ? "take two values" : "are " + few),
                Remedy.set(Setting.TASK, Task.REGRESS, "predicts numbers"));
    }

    /** Returns the note for data without labels. */
    public static Note noLabels() {
        return note("there are no labels");
    }

    private static Note note(String text, Remedy... remedies) {
        return new Note(Note.Kind.CHOICE, text, remedies);
    }
}
