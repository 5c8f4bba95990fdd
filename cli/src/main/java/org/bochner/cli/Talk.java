package org.bochner.cli;

import java.io.PrintWriter;
import java.util.List;
import org.bochner.base.Note;
import org.bochner.data.Labels;
import org.bochner.data.SurveyedSource;
import org.bochner.model.Progress;

/** Prints to stderr: notes, and a progress line if stderr is a terminal. */
final class Talk implements Progress {
    private static final long REDRAW_NANOS = 100_000_000;
    private static final int BAR_WIDTH = 30;
    /** Less memory is not worth a line. */
    private static final double LARGE_BYTES = 1e9;

    private static final int MOST_NAMES = 6;
    private static final String CLEAR_LINE = "\r\u001b[K";

    // The launcher knows whether stderr is a terminal; Java does not.
    private static final boolean TERMINAL = Boolean.getBoolean("bochner.terminal");

    private final boolean quiet;
    private final PrintWriter err;
    private boolean costTold;
    private long lastDrawn;
    private boolean drawn;
    /** The lines of the board above the progress line; 0 if there is none to update. */
    private int boardLines;

    Talk(boolean quiet, PrintWriter err) {
        this.quiet = quiet;
        this.err = err;
    }

    /** Prints why a command failed, in place of the progress line; also with --quiet. */
    static void complain(PrintWriter err, String message) {
        err.println((TERMINAL ? CLEAR_LINE : "") + "bochner: " + message);
    }

    /** Prints a line. */
    synchronized void say(String line) {
        if (!quiet) {
            clear();
            boardLines = 0;
            err.println(line);
        }
    }

    /** Returns true if {@link #board} shows lines that are updated in place. */
    boolean drawsBoards() {
        return TERMINAL && !quiet;
    }

    /** Shows lines in place of those of the last call, above the progress line. */
    synchronized void board(List<String> lines) {
        if (drawsBoards()) {
            clear();
            StringBuilder text = new StringBuilder();
            if (boardLines > 0) {
                text.append("\u001b[").append(boardLines).append("A\u001b[J");
            }
            lines.forEach(line -> text.append(line).append(System.lineSeparator()));
            boardLines = lines.size();
            err.print(text);
            err.flush();
        }
    }

    /** Prints notes of the library, one per line. */
    void say(List<Note> notes) {
        notes.forEach(note -> say("note: " + SettingFlags.text(note)));
    }

    /** Prints the size and the task of a source, then its notes. */
    void say(SurveyedSource source) {
        List<String> names = source.labels() instanceof Labels.Classes classes
                ? classes.names()
                : source.labels() instanceof Labels.Numbers numbers
                        ? numbers.names().stream().map(Text::column).toList()
                        : List.of();
        boolean cut = source.labels() instanceof Labels.Classes && names.size() > MOST_NAMES;
        say(Text.of(
                "%s: %s, %s; %s%s%s%s",
                source.name(),
                Text.count(source.rows(), "row"),
                Text.count(source.columns(), source.sparse() ? "sparse column" : "column"),
                SettingFlags.aside(source.taskReason()),
                source.labels().targets() == 0 ? "" : ": ",
                String.join(", ", cut ? names.subList(0, MOST_NAMES) : names),
                cut ? ", ..." : ""));
        say(source.notes());
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
            line.append(Text.of("%3d%%", Math.round(100 * Math.min(1, fraction))));
        }
        if (rows > 0) {
            line.append(Text.of(" %,d rows", rows));
        }
        err.print(line.append("\u001b[K"));
        err.flush();
        drawn = true;
    }

    /** Prints what determines the time, once: folds of the same run cost about the same. */
    @Override
    public void cost(String text) {
        if (!costTold) {
            costTold = true;
            say(text);
        }
    }

    @Override
    public void memory(String owner, double bytes) {
        if (bytes >= LARGE_BYTES) {
            say(Text.of("memory: %s take %.1f GB", owner, bytes * 1e-9));
        }
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
