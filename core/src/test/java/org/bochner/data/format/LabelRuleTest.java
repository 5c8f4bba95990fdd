package org.bochner.data.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.bochner.data.Task;
import org.junit.jupiter.api.Test;

class LabelRuleTest {
    private static LabelRule auto(boolean text, boolean fraction) {
        return new LabelRule(Task.AUTO, null, 1, text, fraction);
    }

    private static Map<String, Long> whole(int first, int count, long rows) {
        Map<String, Long> counts = new HashMap<>();
        IntStream.range(first, first + count).forEach(label -> counts.put(Integer.toString(label), rows));
        return counts;
    }

    @Test
    void takesTextsAndFewWholeNumbersForClasses() {
        assertTrue(auto(true, false).classes(Map.of("a", 1L)));
        assertTrue(auto(false, false).classes(whole(5, 10, 1)));
        assertFalse(auto(false, false).classes(whole(5, 11, 9)));
        assertTrue(auto(false, true).classes(Map.of("0.5", 2L, "1", 3L)));
        assertFalse(auto(false, true).classes(Map.of("0.5", 2L, "1", 3L, "2", 1L)));
    }

    @Test
    void takesMoreWholeNumbersForClassesIfTheyCountFromZeroOrOneInSimilarSizes() {
        assertTrue(auto(false, false).classes(whole(0, 100, 5)));
        assertFalse(auto(false, false).classes(whole(0, 101, 5)));
        Map<String, Long> uneven = whole(1, 31, 10);
        uneven.put("3", 16L);
        assertFalse(auto(false, false).classes(uneven));
        uneven.remove("31");
        assertTrue(auto(false, false).classes(uneven));
    }

    @Test
    void takesLabelsForNumbersIfThereWereTooManyToCount() {
        assertFalse(auto(false, false).classes(Map.of()));
    }

    @Test
    void followsTheTaskThatIsAskedFor() {
        assertTrue(new LabelRule(Task.CLASSIFY, null, 1, false, true).classes(Map.of()));
        assertFalse(new LabelRule(Task.REGRESS, null, 1, false, false).classes(whole(0, 2, 5)));
        assertFalse(new LabelRule(Task.AUTO, null, 2, false, false).classes(whole(0, 2, 5)));
        assertEquals(
                "numbers to predict, because there are 2 label columns",
                new LabelRule(Task.AUTO, null, 2, false, false).whyNumbers().text());
    }
}
