package org.bochner.data;

/** The meaning of labels: classes or numbers. */
public enum Task {
    /**
     * Text, exactly two values, up to 10 different whole numbers, or more that count classes of similar size from 0 or 1
     * without a gap are classes; all else is numbers. Sizes are similar if, of up to 30 classes, each has a fifth to five
     * times the median; of 31 to 100, if the largest has at most 1.5 times the rows of the smallest. {@link FileSource#taskReason} says which it was and why.
     */
    AUTO,
    /** Every different label is a class. */
    CLASSIFY,
    /** Labels are numbers to be predicted. */
    REGRESS
}
