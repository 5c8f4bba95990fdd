package org.bochner.data;

/** What labels are taken for. */
public enum Task {
    /**
     * Text, exactly two values, or at most 32 different whole numbers are classes; all else is numbers. {@link
     * FileSource#taskReason} says which it was and why.
     */
    AUTO,
    /** Every different label is a class. */
    CLASSIFY,
    /** Labels are numbers to be predicted. */
    REGRESS
}
