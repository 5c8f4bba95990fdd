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
 * A number of threads to work with. It holds no threads between calls; each call starts what it needs and ends it.
 *
 * <p>Whatever is computed through it is the same for every number of threads, as long as the work of one item depends
 * on that item alone: results are taken over in the order of the items.
 *
 * <p>The first failure, wherever it happens, ends the call: no further item is begun, and the failure is thrown in the
 * calling thread once all threads have come to rest. Interrupting the calling thread is such a failure; its interrupt
 * status stays set. What a call wrote before it returned is visible to the caller.
 */
public record Workers(int threads) {
    public Workers {
        Require.atLeast("Workers", "threads", threads, 1);
    }

    /** One worker for each processor. */
    public static Workers all() {
        return new Workers(Runtime.getRuntime().availableProcessors());
    }

    /** Runs the task for 0, …, count−1, in any order, on all threads; each index is handled once. */
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
     * A conveyor: slots are filled one after the other by the calling thread, worked on in parallel, and handed on in
     * the order in which they were filled.
     *
     * @param slot makes a slot, the carrier of one item; threads + 1 are in use, and they are reused
     * @param fill fills a slot with the next item; returns false when there is none
     * @param bench makes what one worker needs for itself: scratch space that must not be shared
     * @param work works on a slot; runs in parallel
     * @param inTurn takes the slot's result over; runs for one slot at a time, in the order of filling
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

    /** Runs one part on the calling thread and another on helpers beside it; returns when all have ended. */
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

    /** Waits for a thread's end even when interrupted: it may be using arrays that the caller will reuse. */
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

    /** The first thing that went wrong in a call, on whichever thread. */
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

        /** Wakes whoever waits for something that will not come now. */
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
     * The threaded conveyor: slots go round from free to filled to handed on. All its state is guarded by its monitor,
     * which also makes a slot's contents visible to the thread that takes it. There are few slots, and each carries
     * milliseconds of work, so that one monitor is enough.
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

        /** The calling thread's part. */
        void feed(Predicate<S> fill) {
            long next = 0;
            for (S slot = takeFree(); slot != null && fill.test(slot); slot = takeFree()) {
                putFilled(new Item<>(next++, slot));
            }
            end();
        }

        /** A worker's part. */
        <B> void work(B bench, BiConsumer<S, B> work, BiConsumer<S, B> inTurn) {
            for (Item<S> item = takeFilled(); item != null; item = takeFilled()) {
                work.accept(item.slot, bench);
                if (!awaitTurn(item.turn)) {
                    return;
                }
                inTurn.accept(item.slot, bench);
                handOn(item.slot);
            }
        }

        /** A slot to fill, or null after a failure. */
        private synchronized @Nullable S takeFree() {
            failIfInterrupted();
            return await(() -> !free.isEmpty()) ? free.remove(free.size() - 1) : null;
        }

        private synchronized void putFilled(Item<S> item) {
            filled.add(item);
            notifyAll();
        }

        private synchronized void end() {
            ended = true;
            notifyAll();
        }

        /** The oldest slot to work on, or null when there will be none. */
        private synchronized @Nullable Item<S> takeFilled() {
            return await(() -> ended || !filled.isEmpty()) && !filled.isEmpty() ? filled.remove(0) : null;
        }

        /** Whether the turn has come; false after a failure. */
        private synchronized boolean awaitTurn(long wanted) {
            return await(() -> turn == wanted);
        }

        private synchronized void handOn(S slot) {
            turn++;
            free.add(slot);
            notifyAll();
        }

        @Override
        synchronized void announce() {
            notifyAll();
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
