package org.bochner.cli;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.bochner.base.Note;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.map.MapStudy;

/**
 * The results of the error command.
 *
 * @param map as it was spelled
 * @param where where the rows are from
 * @param entries the map in one size or several
 * @param comparison all maps of an additive kernel in the same sizes
 * @param wanted the error that was asked for, if any
 */
record ErrorFindings(
        Kernel kernel,
        String map,
        RowSample rows,
        String where,
        List<Note> notes,
        List<MapStudy.Entry> entries,
        List<MapStudy.Entry> comparison,
        Optional<Wanted> wanted) {
    /** An error that was asked for, and the map that is suggested for it. */
    record Wanted(ErrorMeasure measure, double error, MapStudy.Suggestion suggestion) {
        /** Returns the flags that make the suggested map. */
        String flags() {
            String features = suggestion.features().isPresent()
                    ? " --features " + suggestion.features().getAsInt()
                    : "";
            return "--map " + quoted(suggestion.recipe().toString()) + features;
        }

        private static String quoted(String spelling) {
            return spelling.matches("[a-z0-9-]+") ? spelling : "'" + spelling + "'";
        }

        String measureName() {
            return measure.name().toLowerCase(Locale.ROOT);
        }
    }
}
