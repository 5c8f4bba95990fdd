package org.bochner.map.layout;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bochner.base.Require;
import org.bochner.map.FeatureMap;

/**
 * A partition of features into groups: those of one frequency, those of one channel.
 *
 * <p>Threads: safe; immutable.
 */
public final class FeatureGroups {
    private final int[] groupOf;
    private final int count;

    private FeatureGroups(int[] groupOf, int count) {
        this.groupOf = groupOf;
        this.count = count;
    }

    /** One group per feature. */
    public static FeatureGroups each(int features) {
        return new FeatureGroups(IntStream.range(0, features).toArray(), features);
    }

    /** Returns the units of a map. */
    public static FeatureGroups unitsOf(FeatureMap map) {
        return of(map.units());
    }

    /**
     * Returns the groups of features in two halves, where feature j of both halves is in group j: first all cosines,
     * then all sines.
     */
    public static int[] halves(int pairs) {
        return IntStream.range(0, Math.multiplyExact(2, pairs))
                .map(j -> j % pairs)
                .toArray();
    }

    /** Takes the group of every feature, counted from 0; every group must have a feature. */
    public static FeatureGroups of(int... groupOf) {
        BitSet present = new BitSet();
        for (int group : groupOf) {
            Require.that(group >= 0, "groups", "a group must be 0 or more, got " + group);
            present.set(group);
        }
        int missing = present.nextClearBit(0);
        Require.that(missing == present.length(), "groups", "group " + missing + " has no features");
        return new FeatureGroups(groupOf.clone(), missing);
    }

    /** Takes the features of every group; fails if groups overlap or miss a feature. */
    public static FeatureGroups of(int features, List<int[]> groups) {
        int[] groupOf = new int[features];
        Arrays.fill(groupOf, -1);
        for (int g = 0; g < groups.size(); g++) {
            Require.that(groups.get(g).length > 0, "groups", "group " + g + " has no features");
            for (int feature : groups.get(g)) {
                Require.that(
                        feature >= 0 && feature < features,
                        "groups: group " + g + " names feature " + feature + ", and there are 0 to " + (features - 1));
                Require.that(
                        groupOf[feature] < 0,
                        "groups: feature " + feature + " is in group " + groupOf[feature] + " and in group " + g
                                + "; groups must not overlap");
                groupOf[feature] = g;
            }
        }
        for (int feature = 0; feature < features; feature++) {
            Require.that(
                    groupOf[feature] >= 0,
                    "groups: feature " + feature + " is in no group; every one of the " + features + " must be in one");
        }
        return new FeatureGroups(groupOf, groups.size());
    }

    /** Returns the groups of several maps whose features stand side by side. */
    public static int[] concatenate(Stream<int[]> parts) {
        int[] first = {0};
        return parts.flatMapToInt(part -> {
                    int[] shifted =
                            Arrays.stream(part).map(group -> first[0] + group).toArray();
                    first[0] = Math.max(first[0], Arrays.stream(shifted).max().orElse(-1) + 1);
                    return Arrays.stream(shifted);
                })
                .toArray();
    }

    /** Returns the first feature of each of several maps whose features stand side by side, and the end of the last. */
    public static int[] starts(List<? extends FeatureMap> parts) {
        int[] starts = new int[parts.size() + 1];
        for (int t = 0; t < parts.size(); t++) {
            starts[t + 1] = Math.addExact(starts[t], parts.get(t).outputDimension());
        }
        return starts;
    }

    /** Returns the features of some groups, given in any order; ascending. */
    public int[] featuresOf(int... groups) {
        BitSet chosen = new BitSet(count);
        for (int group : groups) {
            Require.that(
                    group >= 0 && group < count, "groups", "there are 0 to " + (count - 1) + ", got group " + group);
            chosen.set(group);
        }
        return IntStream.range(0, groupOf.length)
                .filter(feature -> chosen.get(groupOf[feature]))
                .toArray();
    }

    /**
     * Returns the groups, ascending, whose features these are; fails unless they are ascending, at least one, and whole
     * groups.
     */
    public int[] groupsOf(int... features) {
        requireFeatures(features);
        int[] missing = sizes();
        for (int feature : features) {
            missing[groupOf[feature]]--;
        }
        for (int feature : features) {
            Require.that(
                    missing[groupOf[feature]] == 0,
                    "features: feature " + feature
                            + " goes with others, of which not all are kept; keep or leave all of them");
        }
        int[] sizes = sizes();
        return IntStream.range(0, count)
                .filter(group -> missing[group] < sizes[group])
                .toArray();
    }

    /**
     * Returns the groups of some features, ascending and at least one; counted from 0 without the groups that become
     * empty.
     */
    public int[] restrict(int... features) {
        requireFeatures(features);
        int[] renamed = new int[count];
        for (int feature : features) {
            renamed[groupOf[feature]] = 1;
        }
        int left = 0;
        for (int group = 0; group < count; group++) {
            left += renamed[group];
            renamed[group] = left - 1;
        }
        return Arrays.stream(features).map(feature -> renamed[groupOf[feature]]).toArray();
    }

    private void requireFeatures(int... features) {
        Require.that(features.length > 0, "features", "at least one must be kept");
        Require.ascending("features", "those kept", features, groupOf.length - 1);
    }

    /** Returns the number of features. */
    public int features() {
        return groupOf.length;
    }

    /** Returns the number of groups. */
    public int count() {
        return count;
    }

    /** Returns the group of a feature. */
    public int of(int feature) {
        return groupOf[feature];
    }

    /** Returns the number of features of each group; a new array. */
    public int[] sizes() {
        return sizes(groupOf, count);
    }

    private static int[] sizes(int[] groupOf, int count) {
        int[] sizes = new int[count];
        for (int group : groupOf) {
            sizes[group]++;
        }
        return sizes;
    }

    /** Returns the features of every group, ascending. */
    public List<int[]> members() {
        return List.of(members(groupOf, count));
    }

    /**
     * Returns the members of every group, ascending.
     *
     * @param groupOf the group of each member, counted from 0
     */
    public static int[][] members(int[] groupOf, int count) {
        int[] sizes = sizes(groupOf, count);
        int[][] members = new int[count][];
        Arrays.setAll(members, g -> new int[sizes[g]]);
        int[] next = new int[count];
        for (int i = 0; i < groupOf.length; i++) {
            int group = groupOf[i];
            members[group][next[group]++] = i;
        }
        return members;
    }
}
