package org.bochner.data.sample;

import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.RowSource;

/** Refuses rows with set ids where sets cannot be used. */
public final class NoSets {
    private NoSets() {}

    /**
     * Throws if the rows of a source have set ids, or if each row is a set.
     *
     * @param task what cannot be done with sets, in the plural, as the subject of a sentence
     */
    public static void require(RowSource source, String task) {
        if (source.inSets() || source.ofSets()) {
            throw new BochnerException(
                    source.name() + ": " + task + " take single rows, not sets of rows",
                    Remedy.set(Setting.SET, "must be left out"));
        }
    }
}
