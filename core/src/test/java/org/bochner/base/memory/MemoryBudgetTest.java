package org.bochner.base.memory;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Objects;
import java.util.OptionalLong;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
    private final MemoryBudget thousand = new MemoryBudget(1000);

    @Test
    void holdsAllBytesOfTheBudgetAndNoMore() {
        assertTrue(thousand.holds(1000));
        assertFalse(thousand.holds(1001));
        assertFalse(thousand.holds(Double.NaN));
    }

    @Test
    void failureStatesBytesNeededAndAllowed() {
        assertDoesNotThrow(() -> thousand.require(1000, "features"));
        MemoryException e = assertThrows(MemoryException.class, () -> thousand.require(2500, "features"));
        assertEquals(2500, e.needed());
        assertEquals(1000, e.allowed());
    }

    @Test
    void failureAdvisesAHeapThatIsLargeEnough() {
        double heap = Runtime.getRuntime().maxMemory();
        MemoryException e =
                assertThrows(MemoryException.class, () -> MemoryBudget.whole().require(3 * heap, "features"));
        Remedy remedy = e.remedies().get(0);
        assertEquals(Setting.HEAP, remedy.setting());
        double advised = ((Long) Objects.requireNonNull(remedy.value())).doubleValue() * (1 << 20);
        assertTrue(advised * 0.95 >= 3 * heap && advised < 4 * heap, remedy.toString());
        assertTrue(
                String.valueOf(e.getMessage()).contains("the JVM option -Xmx" + remedy.value() + "m "), e.getMessage());
        assertEquals(
                0,
                assertThrows(MemoryException.class, () -> thousand.require(1e30, "features"))
                        .remedies()
                        .size());
    }

    @Test
    void findsTheLargestNumberThatFits() {
        assertEquals(10, thousand.mostBelow(50, n -> 10.0 * n * n));
        assertEquals(4, thousand.mostBelow(5, n -> 10.0 * n * n));
        assertEquals(0, thousand.mostBelow(50, n -> 2000.0));
    }

    @Test
    void sharesOfTheHeapAscend() {
        assertTrue(MemoryBudget.spare().bytes() < MemoryBudget.kept().bytes());
        assertTrue(MemoryBudget.kept().bytes() < MemoryBudget.whole().bytes());
        assertTrue(MemoryBudget.whole().bytes() < Runtime.getRuntime().maxMemory());
    }

    @Test
    void askedBytesReplaceTheShareOfTheHeap() {
        assertEquals(123, MemoryBudget.kept(OptionalLong.of(123), 1 << 20).bytes());
        assertEquals(
                MemoryBudget.kept().bytes() - 100,
                MemoryBudget.kept(OptionalLong.empty(), 100).bytes());
        assertEquals(0, MemoryBudget.kept(OptionalLong.empty(), Long.MAX_VALUE).bytes());
    }
}
