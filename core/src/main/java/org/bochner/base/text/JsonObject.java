package org.bochner.base.text;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.bochner.base.BochnerException;
import org.bochner.base.Json;

/**
 * The fields of a JSON object, read with the type that the caller expects. A field that is missing or has another type
 * causes a {@link BochnerException} that names the field.
 */
public record JsonObject(String path, Map<?, ?> fields) {
    /**
     * Parses an object.
     *
     * @param name the name of the object in error messages
     */
    public static JsonObject parse(String name, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try {
            if (Json.read(bytes, 0, bytes.length) instanceof Map<?, ?> fields) {
                return new JsonObject(name, fields);
            }
        } catch (IOException e) {
            throw new BochnerException(name + " must be a JSON object; its text cannot be parsed", e);
        }
        throw new BochnerException(name + " must be a JSON object");
    }

    /** Returns true if the field is present and not null. */
    public boolean has(String key) {
        return fields.get(key) != null;
    }

    public String text(String key) {
        return field(key, String.class, "a text");
    }

    public boolean flag(String key) {
        return field(key, Boolean.class, "true or false");
    }

    /** Returns a whole number of at least 0. */
    public long whole(String key) {
        if (fields.get(key) instanceof Long number && number >= 0) {
            return number;
        }
        throw wrong(key, "a whole number of at least 0");
    }

    /** Returns a whole number from 0 to the largest {@code int}. */
    public int count(String key) {
        if (fields.get(key) instanceof Long number && number >= 0 && number <= Integer.MAX_VALUE) {
            return number.intValue();
        }
        throw wrong(key, "a count");
    }

    /** Returns a whole number of any sign. */
    public long integer(String key) {
        return field(key, Long.class, "a whole number");
    }

    /** Returns a number; NaN if it is null, because JSON has no NaN. */
    public double number(String key) {
        if (fields.get(key) instanceof Number number) {
            return number.doubleValue();
        }
        if (fields.containsKey(key) && fields.get(key) == null) {
            return Double.NaN;
        }
        throw wrong(key, "a number");
    }

    /** Returns a constant of an enum, by its name in lower case. */
    public <E extends Enum<E>> E constant(String key, Class<E> type) {
        String text = text(key);
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> constant.name().toLowerCase(Locale.ROOT).equals(text))
                .findFirst()
                .orElseThrow(() -> wrong(key, "a " + type.getSimpleName()));
    }

    public JsonObject object(String key) {
        return new JsonObject(path + "." + key, field(key, Map.class, "an object"));
    }

    public List<JsonObject> objects(String key) {
        String expected = "a list of objects";
        List<JsonObject> objects = new ArrayList<>();
        for (Object element : field(key, List.class, expected)) {
            if (!(element instanceof Map<?, ?> object)) {
                throw wrong(key, expected);
            }
            objects.add(new JsonObject(path + "." + key, object));
        }
        return objects;
    }

    /** Returns all fields, which must be texts. */
    public Map<String, String> texts() {
        return all(this::text);
    }

    /** Returns all fields, which must be numbers. */
    public Map<String, Double> numbers() {
        return all(this::number);
    }

    private <T> Map<String, T> all(Function<String, T> read) {
        Map<String, T> values = new LinkedHashMap<>();
        fields.keySet().forEach(key -> values.put(String.valueOf(key), read.apply(String.valueOf(key))));
        return values;
    }

    private <T> T field(String key, Class<T> type, String expected) {
        Object value = fields.get(key);
        if (!type.isInstance(value)) {
            throw wrong(key, expected);
        }
        return type.cast(value);
    }

    private BochnerException wrong(String key, String expected) {
        return new BochnerException(path + "." + key + " must be " + expected
                + (has(key) ? ", got " + Json.write(fields.get(key)) : "; it is missing"));
    }
}
