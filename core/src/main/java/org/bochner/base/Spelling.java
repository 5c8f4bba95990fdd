package org.bochner.base;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.bochner.base.text.Digits;
import org.bochner.base.text.Escape;
import org.bochner.base.text.Suggestion;
import org.jspecify.annotations.Nullable;

/**
 * The textual form of kernels, maps, scalings and learners: {@code name} or {@code name(flag, key=value)}, for example
 * {@code gaussian(sigma=0.5)} or {@code fourier(phase)}. What is printed parses back to an equal object.
 *
 * <p>Values may hold balanced brackets: {@code gaussian(sigma=[0:64=2, 64:364=3])}.
 */
public final class Spelling {
    private final String name;
    private final Map<String, String> arguments;

    private Spelling(String name, Map<String, String> arguments) {
        this.name = name;
        this.arguments = arguments;
    }

    /**
     * Parses one spelling.
     *
     * @param what the kind of object, for error messages: "kernel", "map", ...
     */
    public static Spelling parse(String what, String text) {
        String trimmed = text.strip();
        int open = trimmed.indexOf('(');
        String name = (open < 0 ? trimmed : trimmed.substring(0, open)).strip();
        if (name.isEmpty() || !name.matches("[A-Za-z][A-Za-z0-9-]*")) {
            throw new SpellingException(what + " '" + text + "': expected name or name(key=value, ...)");
        }
        Map<String, String> arguments = new LinkedHashMap<>();
        if (open >= 0) {
            if (!trimmed.endsWith(")")) {
                throw new SpellingException(what + " '" + text + "': the parenthesis is not closed");
            }
            String inside = trimmed.substring(open + 1, trimmed.length() - 1).strip();
            for (String part : inside.isEmpty() ? List.<String>of() : splitTopLevel(what, inside, ',')) {
                int equals = part.indexOf('=');
                String key = (equals < 0 ? part : part.substring(0, equals)).strip();
                String value = equals < 0 ? "" : part.substring(equals + 1).strip();
                if (key.isEmpty() || (equals >= 0 && value.isEmpty())) {
                    throw new SpellingException(
                            what + " '" + text + "': expected key=value, got '" + part.strip() + "'");
                }
                if (arguments.put(key, value) != null) {
                    throw new SpellingException(what + " '" + text + "': " + key + " is given twice");
                }
            }
        }
        return new Spelling(name, arguments);
    }

    /** Splits at a separator that stands outside all brackets and quotation marks. */
    public static List<String> splitTopLevel(String what, String text, char separator) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < text.length(); i = next(text, i)) {
            char c = text.charAt(i);
            if (c == '(' || c == '[') {
                depth++;
            } else if (c == ')' || c == ']') {
                depth--;
            } else if (c == separator && depth == 0) {
                parts.add(text.substring(start, i));
                start = i + 1;
            }
            if (depth < 0) {
                throw new SpellingException(what + " '" + text + "': unbalanced bracket at position " + (i + 1));
            }
        }
        if (depth != 0) {
            throw new SpellingException(what + " '" + text + "': a bracket is not closed");
        }
        parts.add(text.substring(start));
        return parts;
    }

    /** Returns the index after the character at an index, or after the quoted text that starts there. */
    public static int next(String text, int i) {
        char c = text.charAt(i);
        int close = c == '\'' || c == '"' ? text.indexOf(c, i + 1) : -1;
        return (close < 0 ? i : close) + 1;
    }

    public String name() {
        return name;
    }

    /** Fails, with a suggestion, if an argument is given that is not among the allowed ones. */
    public Spelling allow(String... keys) {
        Set<String> allowed = Set.of(keys);
        for (String key : arguments.keySet()) {
            if (!allowed.contains(key)) {
                throw new SpellingException(
                        keys.length == 0
                                ? name + " takes no parameters, got '" + key + "'"
                                : name + " has no parameter '" + key + "'" + Suggestion.hint(key, List.of(keys)));
            }
        }
        return this;
    }

    /** Returns true if the flag or key is present. */
    public boolean has(String key) {
        return arguments.containsKey(key);
    }

    /** Returns the keys and flags, in their order. */
    public List<String> keys() {
        return List.copyOf(arguments.keySet());
    }

    /** Returns the text of an argument, or null if it is absent. */
    public @Nullable String text(String key) {
        return arguments.get(key);
    }

    /** Returns the text of an argument; fails if it is absent. */
    public String textOf(String key) {
        String text = arguments.get(key);
        if (text == null) {
            throw new SpellingException(name + " needs " + key + ", as in " + name + "(" + key + "=1)");
        }
        return text;
    }

    /** Returns this spelling with an argument added or replaced. */
    public Spelling with(String key, String value) {
        Map<String, String> changed = new LinkedHashMap<>(arguments);
        changed.put(key, value);
        return new Spelling(name, changed);
    }

    /** Returns the number given for a key, or the default if it is absent. */
    public double number(String key, double absent) {
        String text = arguments.get(key);
        return text == null ? absent : toNumber(name, key, text);
    }

    /** Returns the number given for a key; fails if it is absent. */
    public double number(String key) {
        return toNumber(name, key, textOf(key));
    }

    /** Returns the whole number given for a key, or the default if it is absent. */
    public int integer(String key, int absent) {
        double value = number(key, absent);
        if (value != Math.rint(value) || Math.abs(value) > Integer.MAX_VALUE) {
            throw new SpellingException(name + ": " + key + " must be a whole number, got " + arguments.get(key));
        }
        return (int) value;
    }

    /** Parses a number that belongs to an argument. */
    public static double toNumber(String owner, String key, String text) {
        try {
            return Double.parseDouble(text.strip());
        } catch (NumberFormatException e) {
            throw new SpellingException(owner + ": " + key + " must be a number, got '" + text.strip() + "'");
        }
    }

    /**
     * Returns the share given for a key, as a number or a percentage ({@code 0.2}, {@code 20%}), or the default if it is
     * absent.
     */
    public double share(String key, double absent) {
        String text = arguments.get(key);
        return text == null ? absent : toShare(name + ": " + key, text);
    }

    /**
     * Parses a share, {@code 0.2} or {@code 20%}; both give the same bits. The caller checks the limits of the share.
     *
     * @param what the parameter or flag, for the message
     */
    public static double toShare(String what, String text) {
        String stripped = text.strip();
        try {
            if (!stripped.endsWith("%")) {
                return Double.parseDouble(stripped);
            }
            String percent = stripped.substring(0, stripped.length() - 1).strip();
            double value = Double.parseDouble(percent);
            // Decimal arithmetic, because 33.3 / 100 is not the double nearest to 0.333.
            return Double.isFinite(value)
                    ? new BigDecimal(percent).movePointLeft(2).doubleValue()
                    : value;
        } catch (NumberFormatException e) {
            throw new SpellingException(
                    what + " must be a number or a percentage, such as 0.2 or 20%, got '" + stripped + "'");
        }
    }

    /**
     * Runs a parser. An {@link IllegalArgumentException} of a constructor, for a number out of range, becomes a
     * {@link SpellingException}.
     *
     * @throws SpellingException if the text cannot be read
     */
    public static <T> T reading(Supplier<T> reader) {
        try {
            return reader.get();
        } catch (IllegalArgumentException e) {
            throw new SpellingException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Returns the value that a name spells, as its {@code toString} does.
     *
     * @param aliases as for {@link #unknown(String, String, Collection, Map)}
     */
    public static <T> T oneOf(String what, String name, T[] values, Map<String, String> aliases) {
        List<String> names = Arrays.stream(values).map(T::toString).toList();
        if (!names.contains(name)) {
            throw unknown(what, name, names, aliases);
        }
        return values[names.indexOf(name)];
    }

    /** Returns the failure for an unknown name. */
    public static SpellingException unknown(String what, String name, Collection<String> known) {
        return unknown(what, name, known, Map.of());
    }

    /**
     * Returns the failure for an unknown name, with a suggestion if another program uses this name.
     *
     * @param aliases from the name in another program to the name here; keys have lower-case letters and digits only,
     *     because case, hyphens, underscores and spaces do not count
     */
    public static SpellingException unknown(
            String what, String name, Collection<String> known, Map<String, String> aliases) {
        return new SpellingException("unknown " + what + " '" + name + "'" + Suggestion.hint(name, known, aliases));
    }

    /**
     * Returns a hint for a mistyped word, such as {@code "; did you mean 'gaussian'?"}, or the list of the allowed words
     * if none is similar.
     */
    public static String hint(String word, Collection<String> allowed) {
        return Suggestion.hint(word, allowed);
    }

    /** Returns a hint for a mistyped word; empty if none of the allowed words is similar. */
    public static String hintIfSimilar(String word, Collection<String> allowed) {
        return Suggestion.near(word, allowed);
    }

    /** Returns the shortest decimal that parses back to a number, without a trailing ".0". */
    public static String print(double value) {
        return withoutPointZero(Double.toString(value));
    }

    /** Returns the shortest decimal that parses back to a float32, without a trailing ".0". */
    public static String print(float value) {
        return withoutPointZero(Float.toString(value));
    }

    /** Returns a finite number with at most {@code digits} significant digits, rounded towards 0. */
    public static String roundedDown(double value, int digits) {
        return Digits.text(Digits.shortestDecimal(value)
                .round(new MathContext(digits, RoundingMode.DOWN))
                .stripTrailingZeros());
    }

    /** Returns a text that fits on one line: line ends and other control characters are escaped as in Java. */
    public static String line(String text) {
        return Escape.line(text);
    }

    private static String withoutPointZero(String text) {
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    /** Returns the arguments as they stand between the parentheses, such as {@code nu=1.5, sigma=2}. */
    public String arguments() {
        return arguments.entrySet().stream()
                .map(argument -> argument.getValue().isEmpty()
                        ? argument.getKey()
                        : argument.getKey() + "=" + argument.getValue())
                .collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return arguments.isEmpty() ? name : name + "(" + arguments() + ")";
    }
}
