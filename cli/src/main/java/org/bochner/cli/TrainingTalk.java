package org.bochner.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.bochner.base.Json;
import org.bochner.learn.Iteration;
import org.bochner.model.Progress;

/** Prints the progress of training, with one line per iteration if asked for. */
final class TrainingTalk implements Progress {
    /** The place where iterations are printed. */
    enum Lines {
        /** Only on the progress line of a terminal. */
        NONE,
        /** One line of text per iteration, on stderr. */
        TEXT,
        /** One JSON object per line, on stdout. */
        JSON
    }

    private final Talk talk;
    private final Lines lines;
    private final PrintWriter out;
    private final Interruption interruption;
    private final long start = System.nanoTime();

    TrainingTalk(Talk talk, Lines lines, PrintWriter out, Interruption interruption) {
        this.talk = talk;
        this.lines = lines;
        this.out = out;
        this.interruption = interruption;
    }

    @Override
    public void report(String stage, long rows, double fraction) {
        talk.report(stage, rows, fraction);
    }

    @Override
    public void cost(String text) {
        talk.cost(text);
    }

    @Override
    public void memory(String owner, double bytes) {
        talk.memory(owner, bytes);
    }

    @Override
    public void iteration(String learner, Iteration iteration, double validationError) {
        interruption.solving();
        String validation = Double.isNaN(validationError)
                ? ""
                : String.format(Locale.ROOT, ", validation error %.4g", validationError);
        String line = String.format(
                Locale.ROOT,
                "%s iteration %d: objective %.8g, %s %.2g%s",
                learner,
                iteration.number(),
                iteration.objective(),
                iteration.measure(),
                iteration.residual(),
                validation);
        switch (lines) {
            case TEXT -> talk.say(line);
            case JSON -> {
                out.println(Json.write(toMap(learner, iteration, validationError)));
                out.flush();
            }
            case NONE -> talk.report(line, 0, Double.NaN);
        }
    }

    private Map<String, Object> toMap(String learner, Iteration iteration, double validationError) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("learner", learner);
        map.put("iteration", iteration.number());
        map.put("objective", iteration.objective());
        map.put("measure", iteration.measure());
        map.put("residual", iteration.residual());
        map.put("nonZeroFeatures", iteration.nonZeros());
        map.put("validationError", Double.isNaN(validationError) ? null : validationError);
        map.put("seconds", (System.nanoTime() - start) * 1e-9);
        return map;
    }

    @Override
    public boolean stopRequested() {
        return interruption.requested();
    }
}
