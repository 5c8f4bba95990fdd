package org.bochner.learn.solve;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.PrincipalComponentsMap;
import org.bochner.map.layout.FeatureGroups;

/** The groups of features of a group penalty. */
public sealed interface Grouping {
    /** Returns the groups of a map's features. */
    FeatureGroups of(FeatureMap map);

    /** One group per unit of features computed together, as the cosine and sine of a frequency: {@code pairs}. */
    record Pairs() implements Grouping {
        @Override
        public FeatureGroups of(FeatureMap map) {
            requireFeatures(map);
            return FeatureGroups.unitsOf(map);
        }

        @Override
        public String toString() {
            return "pairs";
        }
    }

    /** One group per term of the kernel: {@code channels}. */
    record Channels() implements Grouping {
        @Override
        public FeatureGroups of(FeatureMap map) {
            return FeatureGroups.of(map.terms());
        }

        @Override
        public String toString() {
            return "channels";
        }
    }

    /** Given ranges of features: {@code [0:10, 10:30]}. */
    record Given(List<Range> ranges) implements Grouping {
        record Range(int from, int to) {
            @Override
            public String toString() {
                return from + ":" + to;
            }
        }

        public Given {
            ranges = List.copyOf(ranges);
        }

        @Override
        public FeatureGroups of(FeatureMap map) {
            requireFeatures(map);
            return FeatureGroups.of(
                    map.outputDimension(),
                    ranges.stream()
                            .map(range -> IntStream.range(range.from, range.to).toArray())
                            .toList());
        }

        @Override
        public String toString() {
            return ranges.stream().map(Range::toString).collect(Collectors.joining(", ", "[", "]"));
        }
    }

    /** Fails for principal components, each of which is a sum of all features. */
    private static void requireFeatures(FeatureMap map) {
        if (map instanceof PrincipalComponentsMap) {
            throw new BochnerException(
                    "a penalty on groups of features needs the features, and principal components mix them",
                    Remedy.set(Setting.LEARNER, "", "with groups=channels, or without that penalty"),
                    Remedy.set(Setting.COMPONENTS, "", "is left out"));
        }
    }

    /** Reads {@code pairs}, {@code channels} or {@code [0:10, 10:30]}. */
    static Grouping parse(String text) {
        return switch (text) {
            case "pairs" -> new Pairs();
            case "channels" -> new Channels();
            default -> given(text);
        };
    }

    private static Given given(String text) {
        if (!text.startsWith("[") || !text.endsWith("]")) {
            throw new SpellingException(
                    "groups must be pairs, channels, or ranges of features such as [0:10, 10:30], got '" + text + "'");
        }
        List<Given.Range> ranges = new ArrayList<>();
        for (String part : Spelling.splitTopLevel("groups", text.substring(1, text.length() - 1), ',')) {
            String[] ends = part.strip().split(":", -1);
            if (ends.length != 2 || !ends[0].matches("\\d{1,9}") || !ends[1].matches("\\d{1,9}")) {
                throw new SpellingException("groups: expected a range such as 0:10, got '" + part.strip() + "'");
            }
            Given.Range range = new Given.Range(Integer.parseInt(ends[0]), Integer.parseInt(ends[1]));
            if (range.from >= range.to) {
                throw new SpellingException("groups: the range " + part.strip() + " holds no features");
            }
            ranges.add(range);
        }
        return new Given(ranges);
    }
}
