package org.bochner.numeric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.bochner.base.BochnerException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The time limit is no measurement: it turns a hang into a failure. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WorkersTest {
    private static final class Broken extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void rejectsNoThreads() {
        assertThrows(IllegalArgumentException.class, () -> new Workers(0));
    }

    @Nested
    class Each {
        @ParameterizedTest
        @ValueSource(ints = {1, 2, 3, 16})
        void handlesEveryIndexOnce(int threads) {
            for (int count : new int[] {0, 1, 2, 15, 1000}) {
                AtomicIntegerArray times = new AtomicIntegerArray(count);
                new Workers(threads).each(count, times::incrementAndGet);
                for (int i = 0; i < count; i++) {
                    assertEquals(1, times.get(i));
                }
            }
        }

        /** Plain writes, no synchronisation in the task: the call itself must publish them. */
        @Test
        void whatTheTasksWroteIsVisibleAfterwards() {
            for (int repeat = 0; repeat < 200; repeat++) {
                int[] squares = new int[64];
                new Workers(4).each(64, i -> squares[i] = i * i);
                for (int i = 0; i < 64; i++) {
                    assertEquals(i * i, squares[i]);
                }
            }
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 4})
        void aFailureSurfacesAndEndsTheCall(int threads) {
            Broken broken = new Broken();
            AtomicInteger begun = new AtomicInteger();
            assertSame(
                    broken,
                    assertThrows(
                            Broken.class,
                            () -> new Workers(threads).each(1_000_000, i -> {
                                begun.incrementAndGet();
                                if (i == 10) {
                                    throw broken;
                                }
                                Thread.onSpinWait();
                            })));
            assertTrue(begun.get() < 1_000_000);
        }

        @Test
        void errorsSurfaceAsThemselves() {
            assertThrows(
                    StackOverflowError.class,
                    () -> new Workers(2).each(8, i -> {
                        throw new StackOverflowError();
                    }));
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        void anInterruptEndsTheCallAndStaysSet(int threads) {
            Thread.currentThread().interrupt();
            // The items take time: another thread must not finish them all before this one takes its first.
            assertThrows(
                    BochnerException.class,
                    () -> new Workers(threads).each(1_000_000, i -> LockSupport.parkNanos(1_000)));
            assertTrue(Thread.interrupted());
        }
    }

    @Nested
    class Conveyor {
        /** Counts up to a limit, then ends. */
        private static final class Counter {
            private final int limit;
            private int next;

            Counter(int limit) {
                this.limit = limit;
            }

            boolean fill(long[] slot) {
                slot[0] = next;
                return next++ < limit;
            }
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 3, 8})
        void handsOnInTheOrderOfFilling(int threads) {
            for (int count : new int[] {0, 1, 2, 5, 500}) {
                Counter counter = new Counter(count);
                List<Long> order = new ArrayList<>();
                new Workers(threads)
                        .conveyor(
                                () -> new long[2],
                                counter::fill,
                                () -> "bench",
                                (slot, bench) -> {
                                    // Uneven work: without turns, items would overtake each other.
                                    for (long spin = (slot[0] * 7919) % 1000; spin > 0; spin--) {
                                        Thread.onSpinWait();
                                    }
                                    slot[1] = slot[0] * slot[0];
                                },
                                (slot, bench) -> {
                                    assertEquals(slot[0] * slot[0], slot[1]);
                                    order.add(slot[0]);
                                });
                assertEquals(count, order.size());
                for (int i = 0; i < count; i++) {
                    assertEquals(i, order.get(i));
                }
            }
        }

        /** A sum of doubles changes with its order; the conveyor's must not change with the threads. */
        @Test
        void aRunningSumHasTheSameBitsForEveryNumberOfThreads() {
            double[] sums = new double[5];
            for (int threads = 1; threads <= 4; threads++) {
                Counter counter = new Counter(2000);
                double[] sum = new double[1];
                new Workers(threads)
                        .conveyor(
                                () -> new long[1],
                                counter::fill,
                                () -> new double[1],
                                (slot, own) -> own[0] = Math.sin((double) slot[0]) * Math.exp(slot[0] % 40.0),
                                (slot, own) -> sum[0] += own[0]);
                sums[threads] = sum[0];
            }
            assertTrue(sums[1] == sums[2] && sums[1] == sums[3] && sums[1] == sums[4], Arrays.toString(sums));
        }

        /** Slots are plain arrays, written by one thread and read by another, again and again. */
        @Test
        void slotContentsTravelWithTheSlot() {
            Counter counter = new Counter(3000);
            new Workers(4)
                    .conveyor(
                            () -> new long[256],
                            slot -> {
                                boolean more = counter.fill(slot);
                                Arrays.fill(slot, slot[0]);
                                return more;
                            },
                            () -> "",
                            (slot, own) -> {
                                for (int i = 0; i < slot.length; i++) {
                                    assertEquals(slot[0], slot[i]);
                                }
                                Arrays.fill(slot, -slot[0]);
                            },
                            (slot, own) -> {
                                for (int i = 0; i < slot.length; i++) {
                                    assertEquals(slot[0], slot[i]);
                                }
                            });
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 5})
        void usesOneMoreSlotThanThreadsAndOneBenchAThread(int threads) {
            Counter counter = new Counter(100);
            AtomicInteger slots = new AtomicInteger();
            AtomicInteger benches = new AtomicInteger();
            ConcurrentHashMap<Object, Thread> owners = new ConcurrentHashMap<>();
            new Workers(threads)
                    .conveyor(
                            () -> {
                                slots.incrementAndGet();
                                return new long[1];
                            },
                            counter::fill,
                            () -> {
                                benches.incrementAndGet();
                                return new Object();
                            },
                            (slot, own) -> {
                                Thread before = owners.putIfAbsent(own, Thread.currentThread());
                                assertTrue(before == null || before == Thread.currentThread());
                            },
                            (slot, own) -> {});
            assertEquals(threads == 1 ? 1 : threads + 1, slots.get());
            assertEquals(threads, benches.get());
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 5})
        void aFailureAnywhereSurfacesAndNothingHangs(int threads) {
            for (String place : List.of("slot", "fill", "bench", "work", "inTurn")) {
                Counter counter = new Counter(1000);
                Broken broken = new Broken();
                assertSame(
                        broken,
                        assertThrows(
                                Broken.class,
                                () -> new Workers(threads)
                                        .conveyor(
                                                () -> breakAt(place.equals("slot"), broken, new long[1]),
                                                slot -> breakAt(
                                                        place.equals("fill") && counter.next == 20,
                                                        broken,
                                                        counter.fill(slot)),
                                                () -> breakAt(place.equals("bench"), broken, ""),
                                                (slot, own) ->
                                                        breakAt(place.equals("work") && slot[0] == 20, broken, ""),
                                                (slot, own) ->
                                                        breakAt(place.equals("inTurn") && slot[0] == 20, broken, ""))));
                // One more slot than threads: the item that failed holds one, and the others were filled before.
                assertTrue(counter.next <= 22 + threads, place + ": " + counter.next + " items were filled");
            }
        }

        private static <T> T breakAt(boolean here, Broken broken, T otherwise) {
            if (here) {
                throw broken;
            }
            return otherwise;
        }

        @Test
        void nothingIsHandedOnAfterAFailure() {
            Counter counter = new Counter(1000);
            List<Long> order = new ArrayList<>();
            assertThrows(
                    Broken.class,
                    () -> new Workers(3)
                            .conveyor(() -> new long[1], counter::fill, () -> "", (slot, own) -> {}, (slot, own) -> {
                                order.add(slot[0]);
                                breakAt(slot[0] == 7, new Broken(), "");
                            }));
            assertEquals(List.of(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L), order);
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        void anInterruptEndsTheCallAndStaysSet(int threads) {
            assertThrows(
                    BochnerException.class,
                    () -> new Workers(threads)
                            .conveyor(
                                    () -> new long[1],
                                    slot -> {
                                        Thread.currentThread().interrupt();
                                        return true;
                                    },
                                    () -> "",
                                    (slot, own) -> {},
                                    (slot, own) -> {}));
            assertTrue(Thread.interrupted());
        }

        /** The calling thread is interrupted while it waits for a free slot, all of which are stuck in work. */
        @Test
        void anInterruptWhileWaitingIsNoticed() throws InterruptedException {
            CountDownLatch release = new CountDownLatch(1);
            CountDownLatch busy = new CountDownLatch(2);
            AtomicInteger outcome = new AtomicInteger();
            Thread caller = new Thread(() -> {
                try {
                    new Workers(2)
                            .conveyor(
                                    () -> new long[1],
                                    slot -> true,
                                    () -> "",
                                    (slot, own) -> {
                                        busy.countDown();
                                        awaitQuietly(release);
                                    },
                                    (slot, own) -> {});
                } catch (BochnerException e) {
                    outcome.set(Thread.currentThread().isInterrupted() ? 1 : 2);
                }
            });
            caller.start();
            busy.await();
            caller.interrupt();
            release.countDown();
            caller.join();
            assertEquals(1, outcome.get());
        }

        private static void awaitQuietly(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void noThreadOutlivesItsCall() {
        Set<Thread> used = ConcurrentHashMap.newKeySet();
        CountDownLatch four = new CountDownLatch(4);
        new Workers(4).each(4, i -> {
            used.add(Thread.currentThread());
            four.countDown();
            Conveyor.awaitQuietly(four);
        });
        Conveyor.Counter counter = new Conveyor.Counter(100);
        new Workers(4)
                .conveyor(
                        () -> new long[1],
                        counter::fill,
                        () -> "",
                        (slot, own) -> used.add(Thread.currentThread()),
                        (slot, own) -> {});
        used.remove(Thread.currentThread());
        assertTrue(used.size() >= 3, "threads " + used.size());
        assertTrue(used.stream().noneMatch(Thread::isAlive));
    }
}
