package org.bochner.base.memory;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.bochner.base.Require;
import org.jspecify.annotations.Nullable;

/**
 * A cache of limited size. A new entry in a full cache replaces the least recently used entry.
 *
 * <p>Values are not computed under the lock, so no thread waits for the search of another. Two threads may compute the
 * value of one key; both then use the value that was kept first.
 *
 * <p>Threads: safe.
 */
public final class LruCache<K, V> {
    private final int most;
    /** The values in the order of their last use. */
    private final Map<K, V> values = new LinkedHashMap<>(16, 0.75f, true);

    /** Creates an empty cache for at most {@code most} values. */
    public LruCache(int most) {
        this.most = Require.atLeast("LruCache", "most", most, 1);
    }

    /** Returns the value of a key, which is computed if there is none, and marks it as used. */
    public V get(K key, Supplier<V> compute) {
        V known = known(key);
        return known == null ? keep(key, compute.get()) : known;
    }

    /** Returns the value of a key and marks it as used; null if there is none. */
    synchronized @Nullable V known(K key) {
        return values.get(key);
    }

    /** Keeps a value unless the key has one already; returns the kept value. */
    synchronized V keep(K key, V value) {
        V known = values.putIfAbsent(key, value);
        if (values.size() > most) {
            values.remove(values.keySet().iterator().next());
        }
        return known == null ? value : known;
    }
}
