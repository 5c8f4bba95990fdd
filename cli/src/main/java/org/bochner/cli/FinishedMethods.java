package org.bochner.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.bochner.base.AtomicFile;
import org.bochner.model.ComparedMethod;

/** The methods of a comparison that are finished. They are printed if Ctrl-C or SIGTERM ends the process before the others are. */
final class FinishedMethods implements AutoCloseable {
    private final List<ComparedMethod> methods = new ArrayList<>();
    private final Consumer<List<ComparedMethod>> print;
    private final Runnable release;
    private boolean printed;

    /**
     * Creates an empty list.
     *
     * @param print prints the methods of an interrupted comparison
     */
    FinishedMethods(Consumer<List<ComparedMethod>> print) {
        this.print = print;
        release = AtomicFile.beforeEnd(this::interrupted);
    }

    synchronized void add(ComparedMethod method) {
        methods.add(method);
    }

    /** Prints the finished methods, if there are any, because the process is ending. */
    synchronized void interrupted() {
        if (!printed && !methods.isEmpty()) {
            printed = true;
            print.accept(List.copyOf(methods));
        }
    }

    /** Prints the whole comparison, unless the process is ending and has printed the finished methods. */
    synchronized void printAll(Runnable all) {
        if (!printed) {
            printed = true;
            all.run();
        }
    }

    /** Ends the watch over the process. */
    @Override
    public void close() {
        release.run();
    }
}
