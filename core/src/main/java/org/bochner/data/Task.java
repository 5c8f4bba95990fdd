package org.bochner.data;

/** The meaning of labels: classes or numbers. */
public enum Task {
    /**
     * Decides by the labels. Classes are texts, exactly two values, up to 10 distinct whole numbers, or up to 100 whole
     * numbers that count from 0 or 1 without a gap and have classes of similar size; all else is numbers. Up to 30
     * classes are of similar size if each has a fifth to five times the median number of rows; 31 to 100 are if the
     * largest has at most 1.5 times the rows of the smallest. {@link FileSource#taskReason} gives the decision and its
     * reason.
     */
    AUTO,
    /** Every distinct label is a class. */
    CLASSIFY,
    /** Labels are numbers to predict. */
    REGRESS
}
