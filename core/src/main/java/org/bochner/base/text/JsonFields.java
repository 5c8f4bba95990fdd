package org.bochner.base.text;

import java.util.LinkedHashMap;
import java.util.Map;
import org.bochner.base.Require;

/** Builds the fields of a JSON object. */
public final class JsonFields {
    private JsonFields() {}

    /** Returns a changeable map from names to values, in the given order: name, value, name, value, and so on. */
    public static Map<String, Object> of(Object... namesAndValues) {
        Require.that(namesAndValues.length % 2 == 0, "JSON", "a name has no value");
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }
}
