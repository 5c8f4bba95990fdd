package org.bochner.data;

/** What labels are taken for. */
public enum Task {
    /**
     * Text, exactly two values, up to 10 different whole numbers, or up to 100 that count from 0 or 1 without a gap are
     * classes; all else is numbers. {@link FileSource#taskReason} says which it was and why.
     */
    AUTO,
    /** Every different label is a class. */
    CLASSIFY,
    /** Labels are numbers to be predicted. */
    REGRESS
}
