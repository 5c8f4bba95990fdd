package org.bochner.scale;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.bochner.base.Spelling;
import org.bochner.data.Encoding;
import org.bochner.data.RowSource;

/** Finds columns whose differences are lost in float32, because they lie far from 0 and the scaling leaves them there. */
public final class Resolution {
    private static final int MOST_NAMES = 3;

    private Resolution() {}

    /** A sentence that names the columns and what keeps their resolution; empty where there are none. */
    public static List<String> notes(RowSource source, Scaler scaler) {
        Encoding encoding = source.encoding();
        double[] origin = encoding == null ? null : encoding.origin();
        if (encoding == null || origin == null) {
            return List.of();
        }
        List<String> lost = new ArrayList<>();
        int more = 0;
        for (int j = 0; j < origin.length; j++) {
            if (origin[j] == 0 || scaler.keepsResolution(j, origin[j])) {
                continue;
            }
            if (lost.size() == MOST_NAMES) {
                more++;
            } else {
                lost.add("column '" + encoding.columnNames().get(j) + "' (values around "
                        + String.format(Locale.ROOT, "%.4g", origin[j]) + ") to steps of "
                        + Spelling.print(Math.ulp((float) origin[j])));
            }
        }
        return lost.isEmpty()
                ? List.of()
                : List.of("float32 rounds " + String.join(", ", lost) + (more > 0 ? " and " + more + " more" : "")
                        + "; --scale standard, or centre for kernels of differences, keeps the full resolution");
    }
}
