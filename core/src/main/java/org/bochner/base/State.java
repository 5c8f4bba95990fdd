package org.bochner.base;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The saved form of a fitted object: the name of its type, short texts, and arrays. Fitted objects know nothing of files, and
 * the writer of the file knows only this form.
 *
 * <p>A part of a composite object has a prefix, so that one flat list of named tensors holds a whole model:
 * {@code map.0.frequencies}. A reader must not trust the content: {@link #array} checks the expected length.
 */
public final class State {
    private final String type;
    private final Map<String, String> texts = new LinkedHashMap<>();
    private final Map<String, Object> arrays = new LinkedHashMap<>();
    private final Map<String, List<Integer>> shapes = new LinkedHashMap<>();

    private State(String type) {
        this.type = type;
    }

    /** Creates an empty state of a type. */
    public static State of(String type) {
        return new State(type);
    }

    public String type() {
        return type;
    }

    public State with(String key, String text) {
        texts.put(key, text);
        return this;
    }

    public State with(String key, double number) {
        return with(key, Double.toString(number));
    }

    public State with(String key, int number) {
        return with(key, Integer.toString(number));
    }

    public State with(String key, long number) {
        return with(key, Long.toString(number));
    }

    /** Adds whole numbers of 64 bits, as a text. */
    public State with(String key, long[] numbers) {
        return with(key, Arrays.stream(numbers).mapToObj(Long::toString).collect(Collectors.joining(" ")));
    }

    public State with(String key, double[] values) {
        return put(key, values.clone(), List.of(values.length));
    }

    /** Adds a row-major matrix. */
    public State with(String key, double[] values, int rows, int columns) {
        Require.sameSize(type, "length of " + key, values.length, Math.multiplyExact(rows, columns));
        return put(key, values.clone(), List.of(rows, columns));
    }

    public State with(String key, int[] values) {
        return put(key, values.clone(), List.of(values.length));
    }

    private State put(String key, Object values, List<Integer> shape) {
        arrays.put(key, values);
        shapes.put(key, shape);
        return this;
    }

    /** Adds a part under a prefix; {@link #part} returns it. */
    public State with(String prefix, State part) {
        with(prefix + ".type", part.type);
        part.texts.forEach((key, text) -> texts.put(prefix + "." + key, text));
        part.arrays.forEach((key, values) -> put(prefix + "." + key, values, part.shape(key)));
        return this;
    }

    /** Returns the part with a prefix. */
    public State part(String prefix) {
        State part = new State(text(prefix + ".type"));
        String start = prefix + ".";
        texts.forEach((key, text) -> {
            if (key.startsWith(start) && !key.equals(start + "type")) {
                part.texts.put(key.substring(start.length()), text);
            }
        });
        arrays.forEach((key, values) -> {
            if (key.startsWith(start)) {
                part.put(key.substring(start.length()), values, shape(key));
            }
        });
        return part;
    }

    public boolean has(String key) {
        return texts.containsKey(key) || arrays.containsKey(key);
    }

    public String text(String key) {
        String text = texts.get(key);
        if (text == null) {
            throw new BochnerException(type + ": the saved form lacks '" + key + "'");
        }
        return text;
    }

    public double number(String key) {
        try {
            return Double.parseDouble(text(key));
        } catch (NumberFormatException e) {
            throw new BochnerException(type + ": '" + key + "' must be a number, got '" + text(key) + "'", e);
        }
    }

    /** Returns a whole number that is at least 0. */
    public int count(String key) {
        double number = number(key);
        if (!(number >= 0 && number <= Integer.MAX_VALUE && number == Math.rint(number))) {
            throw new BochnerException(type + ": '" + key + "' must be a count, got '" + text(key) + "'");
        }
        return (int) number;
    }

    /** Returns a whole number of 64 bits. */
    public long whole(String key) {
        try {
            return Long.parseLong(text(key));
        } catch (NumberFormatException e) {
            throw new BochnerException(type + ": '" + key + "' must be a whole number, got '" + text(key) + "'", e);
        }
    }

    /** Returns whole numbers of 64 bits. */
    public long[] wholes(String key) {
        try {
            return Arrays.stream(text(key).split(" "))
                    .filter(number -> !number.isEmpty())
                    .mapToLong(Long::parseLong)
                    .toArray();
        } catch (NumberFormatException e) {
            throw new BochnerException(type + ": '" + key + "' must be whole numbers, got '" + text(key) + "'", e);
        }
    }

    /** Returns an array; fails if it has another length or a value that is not finite. */
    public double[] array(String key, int length) {
        double[] array = array(key, double[].class);
        checkLength(key, array.length, length);
        for (double value : array) {
            if (!(Math.abs(value) < Double.POSITIVE_INFINITY)) {
                throw new BochnerException(type + ": the array '" + key + "' holds " + value);
            }
        }
        return array.clone();
    }

    /** Returns an array of whole numbers; fails if it has another length. */
    public int[] integers(String key, int length) {
        int[] array = array(key, int[].class);
        checkLength(key, array.length, length);
        return array.clone();
    }

    private <T> T array(String key, Class<T> arrayType) {
        Object values = arrays.get(key);
        if (!arrayType.isInstance(values)) {
            throw new BochnerException(type + ": the saved form lacks the array '" + key + "'");
        }
        return arrayType.cast(values);
    }

    private void checkLength(String key, int got, int expected) {
        if (got != expected) {
            throw new BochnerException(
                    type + ": the array '" + key + "' must hold " + expected + " values, holds " + got);
        }
    }

    public Map<String, String> texts() {
        return Collections.unmodifiableMap(texts);
    }

    public Set<String> arrayNames() {
        return Collections.unmodifiableSet(arrays.keySet());
    }

    /** Returns the array itself, a {@code double[]} or an {@code int[]}, for the writer of the file. */
    public Object rawArray(String key) {
        return array(key, Object.class);
    }

    /** Returns the shape of an array: its length, or its rows and columns. */
    public List<Integer> shape(String key) {
        return Objects.requireNonNull(shapes.get(key), key);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof State that
                && type.equals(that.type)
                && texts.equals(that.texts)
                && shapes.equals(that.shapes)
                && arrays.keySet().equals(that.arrays.keySet())
                && arrays.entrySet().stream()
                        .allMatch(e -> Arrays.deepEquals(
                                new Object[] {e.getValue()}, new Object[] {that.arrays.get(e.getKey())}));
    }

    @Override
    public int hashCode() {
        return type.hashCode() * 31 + texts.hashCode();
    }

    @Override
    public String toString() {
        return type + texts + arrays.keySet();
    }
}
