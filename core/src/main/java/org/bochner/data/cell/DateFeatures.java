package org.bochner.data.cell;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.bochner.base.Spelling;
import org.bochner.base.text.Suggestion;

/** How dates become columns. {@code toString} returns the spelling. */
@SuppressWarnings("ImmutableEnumChecker") // the lists are unmodifiable
public enum DateFeatures {
    /** One column of days since 1970-01-01. */
    DAYS(List.of(), List.of()),

    /** Parts as numbers: year, month, day of the week, day of the year and, for dates with times, hour. */
    PARTS(List.of(DatePart.YEAR, DatePart.MONTH, DatePart.WEEKDAY, DatePart.YEARDAY), List.of(DatePart.HOUR)),

    /** Days, and the sines and cosines of the times of the year, of the week and, for dates with times, of the day. */
    CYCLIC(
            List.of(DatePart.DAYS, DatePart.YEAR_SINE, DatePart.YEAR_COSINE, DatePart.WEEK_SINE, DatePart.WEEK_COSINE),
            List.of(DatePart.DAY_SINE, DatePart.DAY_COSINE));

    private final List<DatePart> ofDay;
    private final List<DatePart> ofTime;

    DateFeatures(List<DatePart> ofDay, List<DatePart> ofTime) {
        this.ofDay = ofDay;
        this.ofTime = ofTime;
    }

    /** Reads a spelling: {@code days}, {@code parts} or {@code cyclic}. */
    public static DateFeatures parse(String text) {
        String name = text.strip();
        List<String> names = Arrays.stream(values()).map(DateFeatures::toString).toList();
        int index = names.indexOf(name);
        if (index < 0) {
            throw Spelling.unknown(
                    "date features",
                    name,
                    names,
                    Suggestion.aliases(Map.of(
                            "parts",
                            "split calendar components",
                            "cyclic",
                            "cyclical sincos periodic",
                            "days",
                            "number none")));
        }
        return values()[index];
    }

    /**
     * Returns the columns of a date; none for one column of days.
     *
     * @param timed true if the dates have times
     */
    public List<DatePart> parts(boolean timed) {
        return timed ? Stream.concat(ofDay.stream(), ofTime.stream()).toList() : ofDay;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
