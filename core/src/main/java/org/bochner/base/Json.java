package org.bochner.base;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bochner.base.text.Digits;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes JSON as plain values: maps, lists, texts, numbers ({@code Long}, {@code Double}, or {@code BigDecimal} with
 * all its digits), booleans and null. Keys keep their order, so equal values give equal texts.
 */
public final class Json {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(32)
                    .maxStringLength(16 << 20)
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private Json() {}

    /** Returns one line of JSON. Numbers that are not finite become null, because JSON has none. */
    public static String write(@Nullable Object value) {
        return write(value, false);
    }

    /** Returns indented JSON. */
    public static String writePretty(@Nullable Object value) {
        return write(value, true);
    }

    private static String write(@Nullable Object value, boolean pretty) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = FACTORY.createGenerator(text)) {
            if (pretty) {
                out.setPrettyPrinter(new DefaultPrettyPrinter());
            }
            writeValue(out, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void writeValue(JsonGenerator out, @Nullable Object value) throws IOException {
        if (value == null) {
            out.writeNull();
        } else if (value instanceof Map<?, ?> map) {
            out.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.writeFieldName(String.valueOf(entry.getKey()));
                writeValue(out, entry.getValue());
            }
            out.writeEndObject();
        } else if (value instanceof Iterable<?> list) {
            out.writeStartArray();
            for (Object element : list) {
                writeValue(out, element);
            }
            out.writeEndArray();
        } else if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            if (Double.isFinite(number)) {
                out.writeNumber(number);
            } else {
                out.writeNull();
            }
        } else if (value instanceof BigDecimal decimal) {
            out.writeNumber(Digits.text(decimal));
        } else if (value instanceof Number number) {
            out.writeNumber(number.longValue());
        } else if (value instanceof Boolean flag) {
            out.writeBoolean(flag);
        } else {
            out.writeString(value.toString());
        }
    }

    /** Parses one value; throws an {@link IOException} if the text is not JSON. */
    public static @Nullable Object read(byte[] text, int offset, int length) throws IOException {
        try (JsonParser in = FACTORY.createParser(text, offset, length)) {
            Object value = readValue(in, in.nextToken());
            if (in.nextToken() != null) {
                throw new IOException("text after the end of the JSON value");
            }
            return value;
        }
    }

    private static @Nullable Object readValue(JsonParser in, @Nullable JsonToken token) throws IOException {
        if (token == null) {
            throw new IOException("the JSON value is missing");
        }
        switch (token) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> map = new LinkedHashMap<>();
                while (in.nextToken() != JsonToken.END_OBJECT) {
                    String key = in.currentName();
                    map.put(key, readValue(in, in.nextToken()));
                }
                return map;
            }
            case START_ARRAY -> {
                List<@Nullable Object> list = new ArrayList<>();
                for (JsonToken next = in.nextToken(); next != JsonToken.END_ARRAY; next = in.nextToken()) {
                    list.add(readValue(in, next));
                }
                return list;
            }
            case VALUE_STRING -> {
                return in.getText();
            }
            case VALUE_NUMBER_INT -> {
                return in.getLongValue();
            }
            case VALUE_NUMBER_FLOAT -> {
                return in.getDoubleValue();
            }
            case VALUE_TRUE, VALUE_FALSE -> {
                return in.getBooleanValue();
            }
            case VALUE_NULL -> {
                return null;
            }
            default -> throw new IOException("unexpected " + token);
        }
    }
}
