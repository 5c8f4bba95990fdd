package org.bochner.model.file;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.data.Encoding;
import org.bochner.data.Labels;
import org.jspecify.annotations.Nullable;

/** How several models, the members, make one model. All members have the columns, labels and encoding of the whole. */
public sealed interface CombinedParts permits CascadeParts, AverageParts, TreeParts {
    /** Returns the members, at least one. */
    List<ModelParts> members();

    /** Returns the member whose scaling, map and linear functions stand for the model where one of each is asked for. */
    ModelParts main();

    /** Returns what the model is, such as {@code a cascade of 3 stages}. */
    String description();

    /** Returns true if the model can be a member of an average. */
    default boolean canBeMember() {
        return false;
    }

    /**
     * Throws if a member does not fit another one: its labels, its columns, how it reads files, and rows or sets.
     *
     * @param name stands for the member in messages
     * @param otherName stands for the other one in messages
     */
    static void requireFit(String name, ModelParts member, String otherName, ModelParts other) {
        Remedy train = Remedy.advice("train all of them on the same data");
        String labels = difference(member.labels(), other.labels(), otherName);
        if (labels != null) {
            throw new BochnerException(name + " has other labels than " + otherName + ": " + labels, train);
        }
        requireFitOfRows(name, member, otherName, other, train);
    }

    /** Throws if a member does not take the rows of another one. */
    static void requireFitOfRows(String name, ModelParts member, String otherName, ModelParts other, Remedy train) {
        if (member.map().inputDimension() != other.map().inputDimension()) {
            throw new BochnerException(
                    name + " has " + member.map().inputDimension() + " columns, " + otherName + " has "
                            + other.map().inputDimension(),
                    train);
        }
        if (member.ofSets() != other.ofSets()) {
            throw new BochnerException(
                    name + " predicts " + (member.ofSets() ? "sets of rows" : "single rows") + ", " + otherName
                            + " does not",
                    train);
        }
        Encoding own = member.encoding();
        Encoding ofOther = other.encoding();
        String difference = own == null || ofOther == null ? null : own.differenceFrom(ofOther, true);
        if (difference != null || (own == null) != (ofOther == null)) {
            throw new BochnerException(
                    name + " reads files in another way than " + otherName
                            + (difference == null ? "" : ": " + difference),
                    train);
        }
    }

    /** Returns how labels differ, in words; null if they are equal. */
    static @Nullable String difference(Labels own, Labels known, String otherName) {
        if (own.equals(known)) {
            return null;
        }
        boolean classes = own instanceof Labels.Classes;
        if (classes != known instanceof Labels.Classes) {
            return "it predicts " + (classes ? "classes" : "numbers");
        }
        String kind = classes ? "class" : "number";
        Set<String> missing = new HashSet<>(known.names());
        for (String name : own.names()) {
            if (!missing.remove(name)) {
                return "'" + name + "' is not a " + kind + " of " + otherName;
            }
        }
        return missing.isEmpty()
                ? "they are in another order"
                : "'" + missing.iterator().next() + "' is missing";
    }
}
