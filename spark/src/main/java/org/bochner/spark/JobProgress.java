package org.bochner.spark;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.bochner.model.Progress;

/** Shows on the progress line which job runs and how many of its tasks have ended. */
final class JobProgress extends SparkListener {
    private static final String OURS = "bochner: ";

    private final Map<Integer, String> names = new HashMap<>();
    private final Map<Integer, int[]> counts = new HashMap<>();
    private volatile Progress progress = Progress.NONE;

    void show(Progress shown) {
        progress = shown;
    }

    @Override
    public synchronized void onStageSubmitted(SparkListenerStageSubmitted event) {
        String name = event.stageInfo().name();
        if (name.startsWith(OURS)) {
            names.put(event.stageInfo().stageId(), name.substring(OURS.length()));
            counts.put(
                    event.stageInfo().stageId(), new int[] {0, event.stageInfo().numTasks()});
        }
    }

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd event) {
        int[] count = counts.get(event.stageId());
        if (count != null && count[1] > 1) {
            count[0]++;
            progress.report(String.valueOf(names.get(event.stageId())), 0, Math.min(1, (double) count[0] / count[1]));
        }
    }

    @Override
    public synchronized void onStageCompleted(SparkListenerStageCompleted event) {
        names.remove(event.stageInfo().stageId());
        counts.remove(event.stageInfo().stageId());
    }
}
