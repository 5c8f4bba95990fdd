package org.bochner.data.format;

import java.util.List;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.cell.Categories;
import org.bochner.data.cell.CategoryFeatures;
import org.bochner.data.cell.Dictionary;

/** Chooses whether the categories of a column are one-hot encoded, hashed or encoded by means of the targets. */
record CategoryChoice(CategoryFeatures features, String name, String shownName, Notes notes) {
    /**
     * Returns the encoding of the column.
     *
     * @param overflown true if there are more categories than the dictionary holds
     * @param rows the number of rows with a category
     */
    ColumnEncoding encode(Dictionary known, boolean overflown, long rows) {
        List<String> sorted = known.sorted();
        int mode = 0;
        for (int i = 1; i < sorted.size(); i++) {
            mode = known.count(sorted.get(i)) > known.count(sorted.get(mode)) ? i : mode;
        }
        if (features instanceof CategoryFeatures.Means means && sorted.size() > means.above()) {
            noteMeans(sorted.size(), rows);
            return new ColumnEncoding(name, sorted, mode).withMeans(TargetMeans.of(means));
        }
        int buckets = features instanceof CategoryFeatures.Hash hash ? hash.buckets() : 0;
        if (!overflown && (buckets == 0 || sorted.size() <= buckets)) {
            return new ColumnEncoding(name, sorted, mode);
        }
        noteHashing(sorted, overflown, buckets);
        return ColumnEncoding.ofHashed(name, buckets, Categories.bucket(sorted.get(mode), buckets));
    }

    /** Returns the number of categories, in words. */
    static String inWords(int size, boolean overflown) {
        return overflown ? "more than " + Dictionary.LARGEST : Integer.toString(size);
    }

    /** Notes that categories are encoded by means, and that few rows share a category. */
    private void noteMeans(int size, long rows) {
        notes.data(
                "column " + shownName + " has " + size
                        + " categories, each of which becomes the mean of the target over" + " its rows",
                Remedy.set(Setting.CATEGORY_FEATURES, "one-hot", "makes a column of each"));
        if (2L * size > rows) {
            notes.data(
                    "column " + shownName + " has fewer than two rows per category; means of such categories say little"
                            + " about other rows",
                    Remedy.set(Setting.IGNORED, name, "leaves the column out"));
        }
    }

    /**
     * Notes that categories are hashed. With n categories in B columns, n(n − 1)/(2B) pairs are expected to share a column,
     * with about the root of this number as standard deviation; far more mean that the names defeat the hash.
     */
    private void noteHashing(List<String> names, boolean overflown, int buckets) {
        long[] counts = new long[buckets];
        names.forEach(category -> counts[Categories.bucket(category, buckets)]++);
        double pairs = 0;
        for (long own : counts) {
            pairs += own * (own - 1) / 2.0;
        }
        double expected = names.size() * (names.size() - 1.0) / 2 / buckets;
        notes.data(
                "column " + shownName + " has " + inWords(names.size(), overflown)
                        + " categories, which a hash assigns to " + buckets + " columns",
                Remedy.set(Setting.CATEGORY_FEATURES, "one-hot", "makes a column of each"));
        if (pairs > expected + 6 * Math.sqrt(expected) + 6) {
            notes.data(
                    "the hash assigns " + Math.round(pairs) + " pairs of categories of column " + shownName
                            + " to the same column, and " + Math.round(expected) + " would be usual",
                    Remedy.set(
                            Setting.CATEGORY_FEATURES, "hash(buckets=" + (buckets + 1) + ")", "hashes in another way"));
        }
    }
}
