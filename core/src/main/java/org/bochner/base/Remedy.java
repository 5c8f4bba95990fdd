package org.bochner.base;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bochner.base.text.Escape;
import org.jspecify.annotations.Nullable;

/**
 * What users can do about a failure or a note: a setting to change, or advice in words.
 *
 * @param setting the setting, or null for plain advice
 * @param value the value to give it: a Boolean, a number, a constant of an enumeration, or a text such as a spelling or the
 *     name of a column; null if users choose the value
 * @param words the effect of the setting ("reads it as a number"), its condition ("if line 1 is data"), or the advice
 */
public record Remedy(@Nullable Setting setting, @Nullable Object value, String words) {
    /** Returns a remedy that gives a setting a value. */
    public static Remedy set(Setting setting, Object value, String words) {
        return new Remedy(setting, value, words);
    }

    /** Returns a remedy that changes a setting to a value of the user's own choice. */
    public static Remedy set(Setting setting, String words) {
        return new Remedy(setting, null, words);
    }

    /** Returns a remedy in words, for something that is not a setting. */
    public static Remedy advice(String words) {
        return new Remedy(null, null, words);
    }

    /**
     * Returns the text followed by the remedies, on one line, for example {@code line 1 is a row; DataOptions.withHeader(true)
     * if it names the columns}.
     *
     * @param assignment prints a setting with its value in the language of the reader
     */
    static String append(String text, List<Remedy> remedies, Function<Remedy, String> assignment) {
        String advice = remedies.isEmpty()
                ? ""
                : remedies.stream()
                        .map(remedy -> remedy.sentence(assignment))
                        .collect(Collectors.joining(", or ", "; ", ""));
        // Names of classes and columns may have line ends.
        return Escape.message(text + advice);
    }

    private String sentence(Function<Remedy, String> assignment) {
        if (setting == null) {
            return words;
        }
        return assignment.apply(this) + (words.isEmpty() ? "" : " " + words);
    }

    /** Returns the setting and its value as Java code, for example {@code DataOptions.withHeader(true)}. */
    static String inJava(Remedy remedy) {
        return remedy.setting == null ? "" : remedy.setting.inJava(remedy.value);
    }
}
