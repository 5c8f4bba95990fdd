package org.bochner.model;

import java.util.List;
import org.bochner.kernel.Kernel;
import org.bochner.learn.RidgeFit;

/**
 * What training did, for people and for JSON.
 *
 * @param rows rows read
 * @param kernel the kernel, with every bandwidth that was taken from the data
 * @param map the spelling of the map's recipe
 * @param ridge the penalty chosen, and why
 * @param notes sentences on choices the run made by itself, such as a bandwidth or a precision
 * @param prepareSeconds wall time before that: fitting scalings, measuring scales, choosing, designing or drawing the map
 * @param fitSeconds wall time of reading, mapping, Gram matrices and solving
 * @param mapSeconds time spent in the feature map, averaged over the threads
 * @param gramSeconds time spent in statistics, averaged over the threads
 * @param solveSeconds wall time of the ridge solution
 * @param bytesNeeded memory for the statistics, as checked before the run
 */
public record TrainingReport(
        long rows,
        Kernel kernel,
        String map,
        RidgeFit ridge,
        List<String> notes,
        double prepareSeconds,
        double fitSeconds,
        double mapSeconds,
        double gramSeconds,
        double solveSeconds,
        long bytesNeeded) {
    public TrainingReport {
        notes = List.copyOf(notes);
    }
}
