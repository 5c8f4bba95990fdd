package org.bochner.cli;

import java.util.concurrent.CountDownLatch;
import org.bochner.base.AtomicFile;

/**
 * Handles Ctrl-C while a solver runs: asks the solver to stop with its best result, and keeps the process alive until the
 * command has written that result. Before the first iteration there is no result, and the process ends at once.
 */
final class Interruption implements AutoCloseable {
    private final CountDownLatch finished = new CountDownLatch(1);
    private final Runnable release;
    private final Talk talk;
    private volatile boolean solving;
    private volatile boolean requested;

    Interruption(Talk talk) {
        this.talk = talk;
        release = AtomicFile.beforeEnd(this::interrupted);
    }

    private void interrupted() {
        if (!solving) {
            return;
        }
        requested = true;
        talk.say("interrupted: stopping with the best model so far");
        try {
            finished.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Tells that there is a result to keep from now on. */
    void solving() {
        solving = true;
    }

    /** Returns true if the user has pressed Ctrl-C. */
    boolean requested() {
        return requested;
    }

    /** Lets the process end, after everything is written. */
    @Override
    public void close() {
        release.run();
        finished.countDown();
    }
}
