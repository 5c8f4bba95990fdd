package org.bochner.design;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecentTest {
    private static Recent<Integer, String> upTo(int most, int count) {
        Recent<Integer, String> recent = new Recent<>(most);
        for (int i = 0; i < count; i++) {
            assertEquals("v" + i, recent.keep(i, "v" + i));
        }
        return recent;
    }

    @Test
    void forgetsOneValueAtATimeTheOldestFirst() {
        Recent<Integer, String> recent = upTo(3, 3);
        assertEquals("v3", recent.keep(3, "v3"));
        assertEquals(3, recent.size());
        assertNull(recent.get(0));
        assertEquals("v1", recent.get(1));
        assertEquals("v2", recent.get(2));
    }

    @Test
    void aUseKeepsAValueFromBeingForgotten() {
        Recent<Integer, String> recent = upTo(3, 3);
        assertEquals("v0", recent.get(0));
        assertEquals("v1", recent.keep(1, "another"));
        recent.keep(3, "v3");
        assertNull(recent.get(2));
        assertEquals("v0", recent.get(0));
        assertEquals("v1", recent.get(1));
    }

    @Test
    void theValueThatWasKeptFirstStays() {
        Recent<String, Object> recent = new Recent<>(2);
        Object first = new Object();
        assertSame(first, recent.keep("key", first));
        assertSame(first, recent.keep("key", new Object()));
        assertSame(first, recent.get("key"));
    }

    @Test
    void threadsDoNotDisturbEachOther() {
        Recent<Integer, String> recent = new Recent<>(50);
        boolean right = IntStream.range(0, 20_000).parallel().allMatch(i -> {
            int key = i % 97;
            String known = recent.get(key);
            return ("v" + key).equals(known == null ? recent.keep(key, "v" + key) : known) && recent.size() <= 50;
        });
        assertTrue(right);
        assertEquals(50, recent.size());
    }
}
