package org.bochner.design;

import java.util.LinkedHashMap;
import java.util.Map;
import org.bochner.base.Require;
import org.jspecify.annotations.Nullable;

/**
 * A cache of a limited size. When it is full, a new entry replaces the entry that was not used for the longest time.
 *
 * <p>Values are not computed under the lock, so that no thread waits for the search of another. Two threads may compute the
 * value of one key; both then use the one that was kept first.
 *
 * <p>Threads: safe.
 */
final class Recent<K, V> {
    private final int most;
    /** In the order of their last use. */
    private final Map<K, V> values = new LinkedHashMap<>(16, 0.75f, true);

    /** Creates an empty store for at most {@code most} values. */
    Recent(int most) {
        this.most = Require.atLeast("Recent", "most", most, 1);
    }

    /** Returns the value of a key, which is a use of it; null where there is none. */
    synchronized @Nullable V get(K key) {
        return values.get(key);
    }

    /** Keeps a value unless the key has one already, and returns the one that is kept. */
    synchronized V keep(K key, V value) {
        V known = values.putIfAbsent(key, value);
        if (values.size() > most) {
            values.remove(values.keySet().iterator().next());
        }
        return known == null ? value : known;
    }

    /** How many values there are. */
    synchronized int size() {
        return values.size();
    }
}
