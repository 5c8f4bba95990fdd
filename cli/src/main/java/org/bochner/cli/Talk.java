package org.bochner.cli;

import java.io.PrintWriter;
import java.util.Locale;
import org.bochner.base.Note;
import org.bochner.model.Progress;

/** What is said on stderr: remarks, and a progress line where stderr is a terminal. */
final class Talk implements Progress {
    private static final long REDRAW_NANOS = 100_000_000;
    private static final int BAR_WIDTH = 30;
    private static final String CLEAR_LINE = "\r\u001b[K";

    // The launcher knows whether stderr is a terminal; Java does not.
    private static final boolean TERMINAL = Boolean.getBoolean("bochner.terminal");

    private final boolean quiet;
    private final PrintWriter err;
    private long lastDrawn;
    private boolean drawn;

    Talk(boolean quiet, PrintWriter err) {
        this.quiet = quiet;
        this.err = err;
    }

    /** Says why a command failed, over the progress line if there is one; even where it was told to be quiet. */
    static void complain(PrintWriter err, String message) {
        err.println((TERMINAL ? CLEAR_LINE : "") + "bochner: " + message);
    }

    /** A remark on a line of its own. */
    synchronized void say(String line) {
        if (!quiet) {
            clear();
            err.println(line);
        }
    }

    /** Prints a note of the library on a line of its own. */
    void say(Note note) {
        say("note: " + SettingFlags.text(note));
    }

    @Override
    public synchronized void report(String stage, long rows, double fraction) {
        long now = System.nanoTime();
        if (quiet || !TERMINAL || (drawn && now - lastDrawn < REDRAW_NANOS)) {
            return;
        }
        lastDrawn = now;
        StringBuilder line = new StringBuilder("\r").append(stage);
        if (!Double.isNaN(fraction)) {
            int filled = (int) Math.round(Math.min(1, fraction) * BAR_WIDTH);
            line.append(" [")
                    .append("#".repeat(filled))
                    .append(".".repeat(BAR_WIDTH - filled))
                    .append("] ");
            line.append(String.format(Locale.ROOT, "%3d%%", Math.round(100 * Math.min(1, fraction))));
        }
        if (rows > 0) {
            line.append(String.format(Locale.ROOT, " %,d rows", rows));
        }
        err.print(line.append("\u001b[K"));
        err.flush();
        drawn = true;
    }

    /** Removes the progress line. */
    synchronized void clear() {
        if (drawn) {
            err.print(CLEAR_LINE);
            err.flush();
            drawn = false;
        }
    }
}
