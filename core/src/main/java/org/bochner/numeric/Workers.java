package org.bochner.numeric;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.jspecify.annotations.Nullable;

/**
 * A number of threads. No threads exist between calls; each call starts its threads and ends them.
 *
 * <p>Results do not depend on the number of threads if the work of an item depends on the item alone, because results
 * are merged in the order of the items.
 *
 * <p>The first failure on any thread ends the call: no further item is started, and the failure is thrown on the
 * calling thread when all threads have ended. An interrupt of the calling thread is a failure; its interrupt status
 * stays set. All writes of a call are visible to the caller when it returns.
 */
public record Workers(int threads) {
    public Workers {
        Require.atLeast("Workers", "threads", threads, 1);
    }

    /** Returns one worker per processor. */
    public static Workers all() {
        return new Workers(Runtime.getRuntime().availableProcessors());
    }

    /** Runs the task once for each index 0, …, count−1, in any order, on all threads. */
    public void each(int count, IntConsumer task) {
        AtomicInteger next = new AtomicInteger();
        Failure failure = new Failure();
        Runnable takeItems = () -> {
            while (!failure.happened()) {
                int i = next.getAndIncrement();
                if (i >= count) {
                    return;
                }
                failIfInterrupted();
                task.accept(i);
            }
        };
        runTogether(Math.min(threads, count) - 1, takeItems, takeItems, failure);
    }

    /**
     * Runs a conveyor: the calling thread fills slots one after the other, workers process them in parallel, and
     * results are merged in the order of filling.
     *
     * @param slot makes a slot, the carrier of one item; threads + 1 slots are in use and are reused
     * @param fill fills a slot with the next item; returns false when there is none
     * @param bench makes the scratch space of one worker, which is not shared
     * @param work processes a slot; runs in parallel
     * @param inTurn merges the result of a slot; runs for one slot at a time, in the order of filling
     */
    public <S, B> void conveyor(
            Supplier<S> slot, Predicate<S> fill, Supplier<B> bench, BiConsumer<S, B> work, BiConsumer<S, B> inTurn) {
        if (threads > 1) {
            Conveyor<S> conveyor = new Conveyor<>(threads + 1, slot);
            runTogether(threads, () -> conveyor.work(bench.get(), work, inTurn), () -> conveyor.feed(fill), conveyor);
            return;
        }
        S only = slot.get();
        B own = bench.get();
        failIfInterrupted();
        while (fill.test(only)) {
            work.accept(only, own);
            inTurn.accept(only, own);
            failIfInterrupted();
        }
    }

    private static void failIfInterrupted() {
        if (Thread.currentThread().isInterrupted()) {
            throw new BochnerException("interrupted before the work was done");
        }
    }

    /** Runs one part on the calling thread and another on helper threads; returns when all have ended. */
    private static void runTogether(int helpers, Runnable helperPart, Runnable ownPart, Failure failure) {
        List<Thread> started = new ArrayList<>();
        failure.guard(() -> {
            for (int i = 1; i <= helpers; i++) {
                Thread thread = new Thread(() -> failure.guard(helperPart), "bochner-worker-" + i);
                thread.setDaemon(true);
                thread.start();
                started.add(thread);
            }
            ownPart.run();
        });
        started.forEach(Workers::join);
        failure.rethrow();
    }

    /** Waits for the end of a thread even when interrupted, because it may use arrays that the caller reuses. */
    private static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The first failure of a call, on any thread. */
    private static class Failure {
        private final AtomicReference<@Nullable Throwable> first = new AtomicReference<>();

        final void guard(Runnable part) {
            try {
                part.run();
            } catch (Throwable t) {
                first.compareAndSet(null, t);
                announce();
            }
        }

        final boolean happened() {
            return first.get() != null;
        }

        /** Wakes the threads that wait for an event that no longer comes. */
        void announce() {}

        final void rethrow() {
            Throwable failure = first.get();
            if (failure instanceof RuntimeException e) {
                throw e;
            }
            if (failure instanceof Error e) {
                throw e;
            }
            if (failure != null) {
                throw new IllegalStateException(failure);
            }
        }
    }

    /**
     * The conveyor with threads: slots pass from free to filled to merged. All its state is guarded by its monitor,
     * which also makes a slot's contents visible to the thread that takes it. One monitor is enough, because there are
     * few slots and each carries milliseconds of work.
     */
    private static final class Conveyor<S> extends Failure {
        private record Item<S>(long turn, S slot) {}

        private final List<S> free = new ArrayList<>();
        private final List<Item<S>> filled = new ArrayList<>();
        private boolean ended;
        private long turn;

        Conveyor(int slots, Supplier<S> slot) {
            for (int i = 0; i < slots; i++) {
                free.add(slot.get());
            }
        }

        /** Runs the part of the calling thread. */
        void feed(Predicate<S> fill) {
            long next = 0;
            for (S slot = takeFree(); slot != null && fill.test(slot); slot = takeFree()) {
                Item<S> item = new Item<>(next++, slot);
                change(() -> filled.add(item));
            }
            change(() -> ended = true);
        }

        /** Runs the part of a worker. */
        <B> void work(B bench, BiConsumer<S, B> work, BiConsumer<S, B> inTurn) {
            for (Item<S> item = takeFilled(); item != null; item = takeFilled()) {
                S slot = item.slot;
                long own = item.turn;
                work.accept(slot, bench);
                if (!await(() -> turn == own)) {
                    return;
                }
                inTurn.accept(slot, bench);
                change(() -> {
                    turn++;
                    free.add(slot);
                });
            }
        }

        /** Returns a slot to fill, or null after a failure. */
        private synchronized @Nullable S takeFree() {
            failIfInterrupted();
            return await(() -> !free.isEmpty()) ? free.remove(free.size() - 1) : null;
        }

        /** Returns the oldest filled slot, or null if there will be none. */
        private synchronized @Nullable Item<S> takeFilled() {
            return await(() -> ended || !filled.isEmpty()) && !filled.isEmpty() ? filled.remove(0) : null;
        }

        /** Changes the state and wakes the threads that wait for the change. */
        private synchronized void change(Runnable change) {
            change.run();
            notifyAll();
        }

        @Override
        void announce() {
            change(() -> {});
        }

        /** Waits until the condition holds; returns false if there was a failure instead. */
        private synchronized boolean await(BooleanSupplier condition) {
            while (!condition.getAsBoolean() && !happened()) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    failIfInterrupted();
                }
            }
            return !happened();
        }
    }
}
