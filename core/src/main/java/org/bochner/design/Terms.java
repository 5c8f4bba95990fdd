package org.bochner.design;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The terms of an approximation Σⱼ αⱼ·termⱼ(z): frequencies and spectral weights.
 *
 * @param frequencies the frequencies, {@code columns} numbers per term
 */
@SuppressWarnings("ArrayRecordComponent") // inside this package, whose searches share the arrays
record Terms(Form form, int columns, double[] frequencies, double[] weights) {
    int count() {
        return weights.length;
    }

    /** Creates terms with weights 0, to be fitted. */
    static Terms of(Form form, int columns, double[] frequencies) {
        return new Terms(form, columns, frequencies, new double[frequencies.length / columns]);
    }

    /** Creates terms from one array per term: its frequencies, followed by its weight. */
    static Terms of(Form form, int columns, List<double[]> terms) {
        double[] frequencies = new double[terms.size() * columns];
        double[] weights = new double[terms.size()];
        for (int j = 0; j < weights.length; j++) {
            System.arraycopy(terms.get(j), 0, frequencies, j * columns, columns);
            weights[j] = terms.get(j)[columns];
        }
        return new Terms(form, columns, frequencies, weights);
    }

    /** Returns the frequencies of a term, followed by its weight; a new array. */
    double[] term(int j) {
        double[] term = Arrays.copyOfRange(frequencies, j * columns, (j + 1) * columns + 1);
        term[columns] = weights[j];
        return term;
    }

    int dimension(int term) {
        return form.dimension(frequencies, term * columns, columns);
    }

    int dimension() {
        return IntStream.range(0, count()).map(this::dimension).sum();
    }

    double at(double[] z, int from) {
        double sum = 0;
        for (int j = 0; j < weights.length; j++) {
            sum += weights[j] * form.value(frequencies, j * columns, z, from, columns);
        }
        return sum;
    }

    /** Returns some of the terms, in the given order. */
    Terms some(List<Integer> kept) {
        return of(form, columns, kept.stream().map(this::term).toList());
    }

    /** Returns the terms whose weight is above a share of the sum of all weights. */
    Terms weighing(double share) {
        double least = share * Arrays.stream(weights).sum();
        IntStream kept = IntStream.range(0, count()).filter(j -> weights[j] > least);
        return some(kept.boxed().toList());
    }
}
