package org.bochner.learn.solve;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.ComponentMap;
import org.bochner.map.layout.FeatureGroups;

/**
 * The groups of features of a group penalty: {@code channels}, one group per term of the kernel; given ranges of
 * features such as {@code [0:10, 10:30]}; or {@code pairs}, one group per unit of features computed together, as the
 * cosine and sine of a frequency.
 *
 * @param channels true for {@code channels}
 * @param ranges the given ranges; empty for {@code channels} and {@code pairs}
 */
public record Grouping(boolean channels, List<Range> ranges) {
    /** One group per unit of features. */
    public static final Grouping PAIRS = new Grouping(false, List.of());

    /** One group per term of the kernel. */
    public static final Grouping CHANNELS = new Grouping(true, List.of());

    /** The features from one index to another, exclusive. */
    public record Range(int from, int to) {
        @Override
        public String toString() {
            return from + ":" + to;
        }
    }

    /** Returns the groups of a map's features. */
    public FeatureGroups of(FeatureMap map) {
        if (channels) {
            return FeatureGroups.of(map.terms());
        }
        requireFeatures(map);
        return ranges.isEmpty()
                ? FeatureGroups.unitsOf(map)
                : FeatureGroups.of(
                        map.outputDimension(),
                        ranges.stream()
                                .map(range ->
                                        IntStream.range(range.from, range.to).toArray())
                                .toList());
    }

    @Override
    public String toString() {
        return channels ? "channels" : ranges.isEmpty() ? "pairs" : ranges.toString();
    }

    /** Fails for principal components, each of which is a sum of all features. */
    private static void requireFeatures(FeatureMap map) {
        if (map instanceof ComponentMap) {
            throw new BochnerException(
                    "a penalty on groups of features needs the features, and principal components mix them",
                    Remedy.set(Setting.LEARNER, "with groups=channels, or without that penalty"),
                    Remedy.set(Setting.COMPONENTS, "is left out"));
        }
    }

    /** Reads {@code pairs}, {@code channels} or {@code [0:10, 10:30]}. */
    public static Grouping parse(String text) {
        return switch (text) {
            case "pairs" -> PAIRS;
            case "channels" -> CHANNELS;
            default -> new Grouping(false, ranges(text));
        };
    }

    private static List<Range> ranges(String text) {
        if (!text.startsWith("[") || !text.endsWith("]")) {
            throw new SpellingException(
                    "groups must be pairs, channels, or ranges of features such as [0:10, 10:30], got '" + text + "'");
        }
        List<Range> ranges = new ArrayList<>();
        for (String part : Spelling.splitTopLevel("groups", text.substring(1, text.length() - 1), ',')) {
            String[] ends = part.strip().split(":", -1);
            if (ends.length != 2 || !ends[0].matches("\\d{1,9}") || !ends[1].matches("\\d{1,9}")) {
                throw new SpellingException("groups: expected a range such as 0:10, got '" + part.strip() + "'");
            }
            Range range = new Range(Integer.parseInt(ends[0]), Integer.parseInt(ends[1]));
            if (range.from >= range.to) {
                throw new SpellingException("groups: the range " + part.strip() + " holds no features");
            }
            ranges.add(range);
        }
        return List.copyOf(ranges);
    }
}
