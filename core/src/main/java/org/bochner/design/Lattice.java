package org.bochner.design;

import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.ToDoubleFunction;

/**
 * A fine product grid of differences on which errors are measured row by row. The cosines of each axis are tabulated,
 * so a point costs two multiplications per term.
 */
@SuppressWarnings("ArrayRecordComponent") // inside this package, which does not change it
record Lattice(Target target, Form form, Norm norm, double[][] nodes) {
    /** Points per axis of a cell; a grid receives at most one point per cell. */
    private static final int CELL = 8;

    Lattice(Target target, Form form, Norm norm, int perAxis) {
        this(target, form, norm, Grid.nodes(target, form, norm, perAxis));
    }

    /** Returns the norm of the weighted errors of the terms. */
    double norm(Terms terms) {
        return norm(tabulated(terms));
    }

    /** Returns the norm of the weighted errors of any approximation. */
    double norm(ToDoubleFunction<double[]> other) {
        return norm((places, values) -> {
            for (int i = 0; i < values.length; i++) {
                values[i] = other.applyAsDouble(point(places, i));
            }
        });
    }

    private double norm(BiConsumer<int[], double[]> estimate) {
        double[] result = new double[2];
        visit(estimate, (places, errors) -> {
            for (double e : errors) {
                result[0] = norm == Norm.LARGEST ? Math.max(result[0], Math.abs(e)) : result[0] + Math.abs(e);
            }
            result[1] += errors.length;
        });
        return norm == Norm.LARGEST ? result[0] : result[0] / result[1];
    }

    /**
     * Adds to the grid the worst point of each cell whose error is above a threshold, the largest errors first; returns
     * the number of points added.
     */
    int addWorst(Terms terms, double threshold, int most, Grid grid) {
        int columns = nodes.length;
        int[] cells =
                Arrays.stream(nodes).mapToInt(n -> (n.length + CELL - 1) / CELL).toArray();
        int total = Arrays.stream(cells).reduce(1, Math::multiplyExact);
        double[] worst = new double[total];
        double[] where = new double[total * columns];
        visit(tabulated(terms), (places, errors) -> {
            int cell = 0;
            for (int l = 0; l < columns - 1; l++) {
                cell = cell * cells[l] + places[l] / CELL;
            }
            cell *= cells[columns - 1];
            for (int i = 0; i < errors.length; i++) {
                int c = cell + i / CELL;
                if (Math.abs(errors[i]) > Math.max(threshold, worst[c])) {
                    worst[c] = Math.abs(errors[i]);
                    for (int l = 0; l < columns - 1; l++) {
                        where[c * columns + l] = nodes[l][places[l]];
                    }
                    where[c * columns + columns - 1] = nodes[columns - 1][i];
                }
            }
        });
        double[] sorted = worst.clone();
        Arrays.sort(sorted);
        double enough = Math.max(sorted[Math.max(0, total - most)], Double.MIN_NORMAL);
        int added = 0;
        for (int c = 0; c < total; c++) {
            if (worst[c] >= enough) {
                grid.add(where, c * columns);
                added++;
            }
        }
        return added;
    }

    /** Returns a function that fills in the values of the terms along the last axis, for places on the other axes. */
    private BiConsumer<int[], double[]> tabulated(Terms terms) {
        int columns = nodes.length;
        int last = columns - 1;
        double[][][] cosines = new double[columns][terms.count()][];
        double[][][] sines = new double[columns][terms.count()][];
        for (int l = 0; l < columns; l++) {
            for (int j = 0; j < terms.count(); j++) {
                double w = terms.frequencies()[j * columns + l];
                cosines[l][j] =
                        Arrays.stream(nodes[l]).map(z -> StrictMath.cos(w * z)).toArray();
                sines[l][j] =
                        Arrays.stream(nodes[l]).map(z -> StrictMath.sin(w * z)).toArray();
            }
        }
        return (places, values) -> {
            Arrays.fill(values, 0);
            for (int j = 0; j < terms.count(); j++) {
                double c = terms.weights()[j];
                double s = 0;
                for (int l = 0; l < last; l++) {
                    double cosine = cosines[l][j][places[l]];
                    double sine = form == Form.MODULATION ? 0 : sines[l][j][places[l]];
                    double next = c * cosine - s * sine;
                    s = s * cosine + c * sine;
                    c = next;
                }
                double[] cosine = cosines[last][j];
                double[] sine = sines[last][j];
                for (int i = 0; i < values.length; i++) {
                    values[i] += c * cosine[i] - s * sine[i];
                }
            }
        };
    }

    /**
     * Visits the weighted errors of an approximation, row by row.
     *
     * @param estimate fills in the approximation along the last axis, for places on the other axes
     * @param visitor receives these places and the errors along the last axis
     */
    private void visit(BiConsumer<int[], double[]> estimate, BiConsumer<int[], double[]> visitor) {
        int last = nodes.length - 1;
        int[] places = new int[last];
        double[] errors = new double[nodes[last].length];
        do {
            estimate.accept(places, errors);
            for (int i = 0; i < errors.length; i++) {
                double[] z = point(places, i);
                double value = target.signature().applyAsDouble(z.clone());
                errors[i] = target.weight().applyAsDouble(z) * (value - errors[i]);
            }
            visitor.accept(places, errors);
        } while (next(places));
    }

    private double[] point(int[] places, int lastPlace) {
        double[] z = new double[nodes.length];
        for (int l = 0; l < places.length; l++) {
            z[l] = nodes[l][places[l]];
        }
        z[places.length] = nodes[places.length][lastPlace];
        return z;
    }

    private boolean next(int[] places) {
        for (int l = places.length - 1; l >= 0; l--) {
            if (++places[l] < nodes[l].length) {
                return true;
            }
            places[l] = 0;
        }
        return false;
    }
}
