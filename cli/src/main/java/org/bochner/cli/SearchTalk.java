package org.bochner.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bochner.tune.Tuning;
import org.bochner.tune.TuningResult;

/**
 * Prints the progress of a search: on a terminal a leaderboard that is updated in place, else one line per improvement. Asks
 * the search to stop after Ctrl-C.
 */
final class SearchTalk implements Tuning.Listener {
    private static final int MOST_LINES = 8;
    private static final int WIDEST = 100;

    private final Talk talk;
    private final boolean classes;
    private final Interruption interruption;
    private final long start = System.nanoTime();
    private String last = "";

    SearchTalk(Talk talk, boolean classes, Interruption interruption) {
        this.talk = talk;
        this.classes = classes;
        this.interruption = interruption;
    }

    @Override
    public void report(String stage, long rows, double fraction) {
        talk.report(stage, rows, fraction);
    }

    @Override
    public void memory(String owner, double bytes) {
        talk.memory(owner, bytes);
    }

    @Override
    public boolean stopRequested() {
        return interruption.requested();
    }

    @Override
    public void standings(List<TuningResult.Trial> leaderboard, int tested) {
        List<TuningResult.Trial> machines = leaderboard.stream()
                .filter(trial -> !trial.isConstant() && trial.failure() == null)
                .toList();
        // The linear model is the first to be tested on larger samples.
        Optional<TuningResult.Trial> best = machines.stream()
                .filter(trial -> !trial.isLinear())
                .findFirst()
                .or(() -> machines.stream().findFirst());
        if (best.isPresent()) {
            // From now on there is a machine to keep.
            interruption.solving();
        }
        if (talk.drawsBoards()) {
            List<String> lines = new ArrayList<>(List.of(
                    Text.of("%s tried, %.0f s", Text.count(tested, "machine"), (System.nanoTime() - start) * 1e-9)));
            leaderboard.stream()
                    .limit(MOST_LINES)
                    .map(trial -> shortened("  " + line(trial)))
                    .forEach(lines::add);
            talk.board(lines);
            return;
        }
        best.map(this::line).filter(line -> !line.equals(last)).ifPresent(line -> {
            last = line;
            talk.say("best so far: " + line);
        });
    }

    @Override
    public void training(TuningResult.Trial winner) {
        talk.say("training on all rows: " + TuneFindings.machine(winner));
    }

    private String line(TuningResult.Trial trial) {
        return Text.of(
                "%s on %s (%s): %s",
                TuneFindings.error(classes, trial),
                Text.count(trial.rows(), "row"),
                TuneFindings.name(trial),
                trial.failure() == null ? TuneFindings.machine(trial) : "failed");
    }

    /** Returns a line that does not wrap, because lines are counted when they are updated in place. */
    private static String shortened(String line) {
        return line.length() <= WIDEST ? line : line.substring(0, WIDEST - 3) + "...";
    }
}
