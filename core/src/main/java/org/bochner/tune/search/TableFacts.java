package org.bochner.tune.search;

/**
 * What the choice of candidates depends on.
 *
 * @param rows the number of rows to learn from
 * @param sparse true if rows are sparse
 * @param nonNegative true if no value of a sample of the rows is negative
 * @param classes true if the labels are classes
 * @param sets true if each row is a set of local rows
 */
public record TableFacts(long rows, int columns, boolean sparse, boolean nonNegative, boolean classes, boolean sets) {
    /** The most rows of candidates without features, whose time grows with the cube of the rows. */
    private static final long MOST_EXACT_ROWS = 10_000;

    /** An evaluation of the objective of learned scales, with derivatives, takes longer than a training on these rows. */
    private static final long MOST_ROWS_OF_DERIVATIVES = 2500;

    private static final int LANDMARKS = 2000;

    /** The most columns for which one length-scale per column is learned. */
    private static final int MOST_LEARNED_COLUMNS = 1000;

    /** Each derivative of the objective costs work per column; average gradients do not. */
    private static final int MOST_DERIVATIVES = 200;

    /** The most columns of a matrix that is learned. */
    private static final int MOST_MATRIX_COLUMNS = 300;

    private static final int MOST_GRID_COLUMNS = 200;

    /** Histograms have many bins. */
    private static final int LEAST_BINS = 16;

    boolean learnsColumns() {
        return !sparse && !sets && columns > 1 && columns <= MOST_LEARNED_COLUMNS;
    }

    boolean learnsByDerivatives() {
        return learnsColumns() && columns <= MOST_DERIVATIVES;
    }

    boolean learnsMatrix() {
        return learnsColumns() && columns <= MOST_MATRIX_COLUMNS;
    }

    boolean takesGrids() {
        return !sparse && !sets && columns <= MOST_GRID_COLUMNS;
    }

    boolean mayBeHistograms() {
        return nonNegative && columns >= LEAST_BINS;
    }

    /** Returns true if scales can be learned by derivatives of the kernel values between all rows. */
    boolean fewRows() {
        return rows <= MOST_ROWS_OF_DERIVATIVES;
    }

    boolean exact() {
        return !sets && rows <= MOST_EXACT_ROWS;
    }

    /** Returns a candidate with kernel values in place of random features: of all rows, or of landmarks if rows are many. */
    Candidate withKernelValues(String kernel) {
        return exact() ? Candidate.of(kernel, Candidate.EXACT) : Candidate.of(kernel, landmarks(LANDMARKS));
    }

    static String landmarks(int count) {
        return "landmarks(" + count + ")";
    }
}
