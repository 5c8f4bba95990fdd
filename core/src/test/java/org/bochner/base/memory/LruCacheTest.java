package org.bochner.base.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LruCacheTest {
    private static LruCache<Integer, String> upTo(int most, int count) {
        LruCache<Integer, String> recent = new LruCache<>(most);
        for (int i = 0; i < count; i++) {
            assertEquals("v" + i, recent.keep(i, "v" + i));
        }
        return recent;
    }

    @Test
    void forgetsOneValueAtATimeTheOldestFirst() {
        LruCache<Integer, String> recent = upTo(3, 3);
        assertEquals("v3", recent.keep(3, "v3"));
        assertNull(recent.known(0));
        assertEquals("v1", recent.known(1));
        assertEquals("v2", recent.known(2));
    }

    @Test
    void aUseKeepsAValueFromBeingForgotten() {
        LruCache<Integer, String> recent = upTo(3, 3);
        assertEquals("v0", recent.known(0));
        assertEquals("v1", recent.keep(1, "another"));
        recent.keep(3, "v3");
        assertNull(recent.known(2));
        assertEquals("v0", recent.known(0));
        assertEquals("v1", recent.known(1));
    }

    @Test
    void theValueThatWasKeptFirstStays() {
        LruCache<String, Object> recent = new LruCache<>(2);
        Object first = new Object();
        assertSame(first, recent.keep("key", first));
        assertSame(first, recent.keep("key", new Object()));
        assertSame(first, recent.known("key"));
    }

    @Test
    void threadsDoNotDisturbEachOther() {
        LruCache<Integer, String> recent = new LruCache<>(50);
        boolean right = IntStream.range(0, 20_000).parallel().allMatch(i -> {
            int key = i % 97;
            return ("v" + key).equals(recent.get(key, () -> "v" + key));
        });
        assertTrue(right);
        assertEquals(
                50,
                IntStream.range(0, 97).filter(key -> recent.known(key) != null).count());
    }
}
