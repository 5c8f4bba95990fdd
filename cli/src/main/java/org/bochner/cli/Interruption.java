package org.bochner.cli;

import java.util.concurrent.CountDownLatch;
import org.bochner.base.AtomicFile;

/**
 * Ctrl-C, while a solver runs: the solver is asked to end with what it has, and the process waits until the command has
 * written it. Before the first iteration there is nothing to keep, and the process ends at once.
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
        talk.say("interrupted: ending with the best model so far");
        try {
            finished.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** There is something to keep from now on. */
    void solving() {
        solving = true;
    }

    /** Whether the user has pressed Ctrl-C. */
    boolean requested() {
        return requested;
    }

    /** All is written: the process may end. */
    @Override
    public void close() {
        release.run();
        finished.countDown();
    }
}
