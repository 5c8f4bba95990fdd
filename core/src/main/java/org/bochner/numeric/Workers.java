package org.bochner.numeric;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.bochner.base.Require;
import org.jspecify.annotations.Nullable;

/**
 * A number of threads to work with. It holds no threads between calls; each call starts what it needs and ends it.
 *
 * <p>Whatever is computed through it is the same for every number of threads, as long as the work of one item depends
 * on that item alone: results are taken over in the order of the items.
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
        if (threads == 1 || count <= 1) {
            for (int i = 0; i < count; i++) {
                task.accept(i);
            }
            return;
        }
        java.util.concurrent.atomic.AtomicInteger next = new java.util.concurrent.atomic.AtomicInteger();
        runOnAll(Math.min(threads, count), () -> {
            for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                task.accept(i);
            }
        });
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
        if (threads == 1) {
            S only = slot.get();
            B own = bench.get();
            while (fill.test(only)) {
                work.accept(only, own);
                inTurn.accept(only, own);
            }
            return;
        }
        new Conveyor<>(threads, slot, fill, bench, work, inTurn).run();
    }

    private static void runOnAll(int count, Runnable task) {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        List<Thread> others = new ArrayList<>();
        Runnable guarded = () -> {
            try {
                task.run();
            } catch (Throwable t) {
                failure.compareAndSet(null, t);
            }
        };
        for (int i = 1; i < count; i++) {
            Thread thread = new Thread(guarded, "bochner-worker-" + i);
            thread.setDaemon(true);
            thread.start();
            others.add(thread);
        }
        guarded.run();
        for (Thread thread : others) {
            joinUninterruptibly(thread);
        }
        rethrow(failure.get());
    }

    private static void joinUninterruptibly(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void rethrow(@Nullable Throwable failure) {
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

    /** The threaded conveyor. Slots carry their turn; a worker waits for it before it hands its slot on. */
    private static final class Conveyor<S, B> {
        private record Item<S>(long turn, @Nullable S slot) {}

        private final int threads;
        private final Predicate<S> fill;
        private final Supplier<B> bench;
        private final BiConsumer<S, B> work;
        private final BiConsumer<S, B> inTurn;
        private final BlockingQueue<S> free;
        private final BlockingQueue<Item<S>> filled;
        private final Object turnLock = new Object();
        private long turn;
        private volatile @Nullable Throwable failure;

        Conveyor(
                int threads,
                Supplier<S> slot,
                Predicate<S> fill,
                Supplier<B> bench,
                BiConsumer<S, B> work,
                BiConsumer<S, B> inTurn) {
            this.threads = threads;
            this.fill = fill;
            this.bench = bench;
            this.work = work;
            this.inTurn = inTurn;
            free = new ArrayBlockingQueue<>(threads + 1);
            filled = new ArrayBlockingQueue<>(2 * threads + 1);
            for (int i = 0; i <= threads; i++) {
                free.add(slot.get());
            }
        }

        void run() {
            List<Thread> workers = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                Thread thread = new Thread(this::drain, "bochner-worker-" + i);
                thread.setDaemon(true);
                thread.start();
                workers.add(thread);
            }
            try {
                feed();
            } catch (InterruptedException e) {
                fail(new IllegalStateException("interrupted", e));
                Thread.currentThread().interrupt();
            } catch (Throwable t) {
                fail(t);
            }
            for (Thread thread : workers) {
                joinUninterruptibly(thread);
            }
            rethrow(failure);
        }

        private void feed() throws InterruptedException {
            long next = 0;
            while (failure == null) {
                S slot = free.poll(50, java.util.concurrent.TimeUnit.MILLISECONDS);
                if (slot == null) {
                    continue;
                }
                if (!fill.test(slot)) {
                    break;
                }
                filled.put(new Item<>(next++, slot));
            }
            for (int i = 0; i < threads; i++) {
                filled.put(new Item<>(-1, null));
            }
        }

        private void drain() {
            try {
                B own = bench.get();
                while (failure == null) {
                    Item<S> item = filled.poll(50, java.util.concurrent.TimeUnit.MILLISECONDS);
                    if (item == null) {
                        continue;
                    }
                    S slot = item.slot();
                    if (slot == null) {
                        return;
                    }
                    work.accept(slot, own);
                    synchronized (turnLock) {
                        while (turn != item.turn() && failure == null) {
                            turnLock.wait();
                        }
                    }
                    if (failure != null) {
                        return;
                    }
                    inTurn.accept(slot, own);
                    synchronized (turnLock) {
                        turn++;
                        turnLock.notifyAll();
                    }
                    free.put(slot);
                }
            } catch (InterruptedException e) {
                fail(new IllegalStateException("interrupted", e));
            } catch (Throwable t) {
                fail(t);
            }
        }

        private void fail(Throwable t) {
            synchronized (turnLock) {
                if (failure == null) {
                    failure = t;
                }
                turnLock.notifyAll();
            }
        }
    }
}
