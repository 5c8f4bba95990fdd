package org.bochner.base.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LruCacheTest {
    private static LruCache<Integer, String> upTo(int most, int count) {
        LruCache<Integer, String> cache = new LruCache<>(most);
        for (int i = 0; i < count; i++) {
            assertEquals("v" + i, cache.keep(i, "v" + i));
        }
        return cache;
    }

    @Test
    void forgetsOneValueAtATimeTheOldestFirst() {
        LruCache<Integer, String> cache = upTo(3, 3);
        assertEquals("v3", cache.keep(3, "v3"));
        assertNull(cache.known(0));
        assertEquals("v1", cache.known(1));
        assertEquals("v2", cache.known(2));
    }

    @Test
    void aUseKeepsAValueFromBeingForgotten() {
        LruCache<Integer, String> cache = upTo(3, 3);
        assertEquals("v0", cache.known(0));
        assertEquals("v1", cache.keep(1, "another"));
        cache.keep(3, "v3");
        assertNull(cache.known(2));
        assertEquals("v0", cache.known(0));
        assertEquals("v1", cache.known(1));
    }

    @Test
    void theValueThatWasKeptFirstStays() {
        LruCache<String, Object> cache = new LruCache<>(2);
        Object first = new Object();
        assertSame(first, cache.keep("key", first));
        assertSame(first, cache.keep("key", new Object()));
        assertSame(first, cache.known("key"));
    }

    @Test
    void threadsDoNotDisturbEachOther() {
        LruCache<Integer, String> cache = new LruCache<>(50);
        boolean right = IntStream.range(0, 20_000).parallel().allMatch(i -> {
            int key = i % 97;
            return ("v" + key).equals(cache.get(key, () -> "v" + key));
        });
        assertTrue(right);
        assertEquals(
                50,
                IntStream.range(0, 97).filter(key -> cache.known(key) != null).count());
    }
}
