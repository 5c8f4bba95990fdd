package org.bochner.base.text;

import java.util.LinkedHashMap;
import java.util.Map;
import org.bochner.base.Require;
import org.jspecify.annotations.Nullable;

/** Builds the fields of a JSON object. */
public final class JsonFields {
    private JsonFields() {}

    /**
     * Returns a changeable map from names to values, in the given order: name, value, name, value, and so on. Fields
     * without a value (null) are left out.
     */
    public static Map<String, Object> of(@Nullable Object... namesAndValues) {
        Require.that(namesAndValues.length % 2 == 0, "JSON", "a name has no value");
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            Object value = namesAndValues[i + 1];
            if (value != null) {
                fields.put(String.valueOf(namesAndValues[i]), value);
            }
        }
        return fields;
    }
}
