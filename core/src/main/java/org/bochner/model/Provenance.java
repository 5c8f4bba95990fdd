package org.bochner.model;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.bochner.base.State;

/**
 * How a model came to be: data, parameters, seed, version, date. Names and values are plain texts, in a stable order.
 *
 * <p>Only what determines the model is recorded, not the number of threads or the time it took, and the date is a day
 * (UTC): the same command gives the same bytes. The environment variable {@code SOURCE_DATE_EPOCH}, where set, fixes the
 * day as well.
 */
public final class Provenance {
    private final Map<String, String> entries;

    private Provenance(Map<String, String> entries) {
        this.entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }

    public static Provenance of(Map<String, String> entries) {
        return new Provenance(entries);
    }

    public Map<String, String> entries() {
        return entries;
    }

    State state() {
        State state = State.of("provenance");
        entries.forEach(state::with);
        return state;
    }

    static Provenance load(State state) {
        return new Provenance(state.texts());
    }

    /** Today, or the day that {@code SOURCE_DATE_EPOCH} names. */
    static String today() {
        String epoch = System.getenv("SOURCE_DATE_EPOCH");
        if (epoch != null && epoch.matches("\\d{1,11}")) {
            return Instant.ofEpochSecond(Long.parseLong(epoch))
                    .atZone(ZoneOffset.UTC)
                    .toLocalDate()
                    .toString();
        }
        return LocalDate.now(ZoneOffset.UTC).toString();
    }

    /** The version of this library, as its build recorded it. */
    public static String version() {
        try (InputStream in = Provenance.class.getResourceAsStream("/org/bochner/version.properties")) {
            Properties properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return properties.getProperty("version", "unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
