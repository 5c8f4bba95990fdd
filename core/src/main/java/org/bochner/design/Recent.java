package org.bochner.design;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values by key, at most so many. When there are more, the one whose last use is the longest ago is forgotten.
 *
 * <p>Values are not computed under the lock, so that no thread waits for the search of another. Two threads may compute the
 * value of one key; both then use the one that was kept first.
 *
 * <p>Threads: safe.
 */
final class Recent<K, V> {
    private final Map<K, V> values;

    /** Creates an empty store for at most {@code most} values. */
    Recent(int most) {
        // In the order of their last use.
        values = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > most;
            }
        };
    }

    /** Returns the value of a key, which is a use of it; null where there is none. */
    synchronized @Nullable V get(K key) {
        return values.get(key);
    }

    /** Keeps a value unless the key has one already, and returns the one that is kept. */
    synchronized V keep(K key, V value) {
        V known = values.putIfAbsent(key, value);
        return known == null ? value : known;
    }

    /** How many values there are. */
    synchronized int size() {
        return values.size();
    }
}
