package org.bochner.scale;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Note;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.Setting;
import org.bochner.base.Spelling;
import org.bochner.base.State;
import org.bochner.data.DenseRows;
import org.bochner.data.Encoding;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.jspecify.annotations.Nullable;

/**
 * The base of all scalers: it holds the recipe and the number of columns, checks rows against them and goes over the rows of
 * a block. A subclass changes single rows in place, which may be parts of longer rows.
 */
abstract non-sealed class AbstractScaler implements Scaler {
    /**
     * Sparse rows with more columns than this are not made dense, because a block of a few thousand rows would take
     * gigabytes.
     */
    private static final int WIDEST_DENSE = 1 << 17;

    private static final int MOST_NAMES = 3;

    private final Scaling scaling;
    private final int columns;

    AbstractScaler(Scaling scaling, int columns) {
        this.scaling = scaling;
        this.columns = columns;
    }

    /** Returns this scaler; fails if it would make very wide sparse rows dense. */
    final AbstractScaler requireNarrowIfDense(RowSource rows) {
        if (rows.sparse() && !keepsZeros() && rows.columns() > WIDEST_DENSE) {
            long kilobytes = rows.columns() * 4L / 1024;
            throw DataException.in(
                    rows.name(),
                    this + " would make sparse rows of " + rows.columns() + " columns dense, " + kilobytes
                            + " kB per row",
                    Remedy.advice("use standard(uncentred), unit-l1 or unit-l2, which keep zeros"));
        }
        return this;
    }

    @Override
    public final int columns() {
        return columns;
    }

    @Override
    public final Scaling scaling() {
        return scaling;
    }

    @Override
    public double unscaled(int column, double scaled) {
        return Double.NaN;
    }

    @Override
    public final List<Map<String, Object>> columnFacts(int column) {
        Require.that(
                column >= 0 && column < columns, scaling.toString(), "column " + column + " is not among " + columns);
        List<Map<String, Object>> steps = new ArrayList<>();
        addFacts(column, steps);
        return List.copyOf(steps);
    }

    /** Adds what each step does to a column; by default the spelling alone. */
    void addFacts(int column, List<Map<String, Object>> steps) {
        steps.add(step());
    }

    /**
     * Returns the facts of a step.
     *
     * @param facts names, each followed by its number
     */
    final Map<String, Object> step(Object... facts) {
        Map<String, Object> step = new LinkedHashMap<>();
        step.put("step", scaling.toString());
        for (int i = 0; i < facts.length; i += 2) {
            step.put(facts[i].toString(), facts[i + 1]);
        }
        return step;
    }

    @Override
    public final UnaryOperator<RowBlock> forBlocks() {
        ScalingBuffer buffer = new ScalingBuffer();
        return rows -> {
            Require.sameSize(scaling.toString(), "columns", rows.columns(), columns);
            return scale(rows, buffer);
        };
    }

    @Override
    public boolean keepsZeros() {
        return true;
    }

    /**
     * Returns true if the values of a column around an origin far from 0 keep their differences when they are scaled and
     * rounded to float32, because the scaling subtracts about as much.
     */
    boolean keepsResolution(int column, double origin) {
        return false;
    }

    @Override
    public final List<Note> notes(RowSource source) {
        Encoding encoding = source.encoding();
        double[] origin = encoding == null ? null : encoding.origin();
        if (encoding == null || origin == null) {
            return List.of();
        }
        int[] lost = IntStream.range(0, origin.length)
                .filter(j -> origin[j] != 0 && !keepsResolution(j, origin[j]))
                .toArray();
        if (lost.length == 0) {
            return List.of();
        }
        String columnList = Arrays.stream(lost)
                .limit(MOST_NAMES)
                .mapToObj(j -> "column '" + encoding.columnNames().get(j) + "' (values around "
                        + String.format(Locale.ROOT, "%.4g", origin[j]) + ") to steps of "
                        + Spelling.print(Math.ulp((float) origin[j])))
                .collect(Collectors.joining(", "));
        String more = lost.length > MOST_NAMES ? " and " + (lost.length - MOST_NAMES) + " more" : "";
        return List.of(new Note(
                Note.Kind.DATA,
                "float32 rounds " + columnList + more,
                Remedy.set(Setting.SCALING, "standard", "keeps the full resolution"),
                Remedy.set(Setting.SCALING, "centre", "keeps it for kernels of differences")));
    }

    @Override
    public double @Nullable [] origin() {
        return null;
    }

    @Override
    public State state() {
        return State.of("scaler").with("scaling", scaling.toString()).with("columns", columns);
    }

    /**
     * Returns the scaler for rows whose values are relative to an origin.
     *
     * @param origin one number per column of this scaler
     */
    AbstractScaler relativeTo(double[] origin) {
        return new FromOrigin(this, origin);
    }

    /** Scales a row in place: the values from the start on, as many as there are columns. */
    abstract void scaleRow(float[] values, int start);

    /** Scales rows in place that follow each other from the start of an array. */
    void scaleRows(float[] values, int rows) {
        for (int i = 0; i < rows; i++) {
            scaleRow(values, i * columns);
        }
    }

    /**
     * Scales a sparse row in place: the entries from start (inclusive) to end (exclusive), of the columns
     * {@code indices[e] - first}. Called only for scalers that keep zeros.
     */
    abstract void scaleEntries(float[] values, int[] indices, int first, int start, int end);

    RowBlock scale(RowBlock rows, ScalingBuffer buffer) {
        if (rows instanceof SparseRows sparse && keepsZeros()) {
            int[] starts = sparse.starts();
            float[] values = buffer.atLeast(starts[sparse.rows()]);
            System.arraycopy(sparse.values(), 0, values, 0, starts[sparse.rows()]);
            for (int i = 0; i < sparse.rows(); i++) {
                scaleEntries(values, sparse.indices(), 0, starts[i], starts[i + 1]);
            }
            return sparse.withValues(values);
        }
        float[] values =
                rows instanceof SparseRows sparse ? fillRows(sparse, buffer) : copyRows((DenseRows) rows, buffer);
        double[] origin = rows instanceof DenseRows dense ? dense.origin() : null;
        AbstractScaler scaler = origin == null ? this : relativeTo(origin);
        scaler.scaleRows(values, rows.rows());
        return DenseRows.like(rows, columns, values);
    }

    /** Copies the rows of a dense block to the buffer, without gaps. */
    private static float[] copyRows(DenseRows rows, ScalingBuffer buffer) {
        int columns = rows.columns();
        float[] values = buffer.atLeast(Math.multiplyExact(rows.rows(), columns));
        for (int i = 0; i < rows.rows(); i++) {
            System.arraycopy(rows.values(), rows.offset() + i * rows.stride(), values, i * columns, columns);
        }
        return values;
    }

    /** Copies the rows of a sparse block, with their zeros, to the buffer. */
    private float[] fillRows(SparseRows rows, ScalingBuffer buffer) {
        long needed = (long) rows.rows() * columns;
        if (needed > Integer.MAX_VALUE - 8) {
            throw new BochnerException(scaling + ": " + rows.rows() + " sparse rows of " + columns
                    + " columns do not fit in memory as dense ones; take fewer rows at a time, or standard(uncentred)");
        }
        float[] values = buffer.atLeast((int) needed);
        rows.copyDense(0, rows.rows(), values);
        return values;
    }

    /** Returns the spelling of the recipe. */
    @Override
    public final String toString() {
        return scaling.toString();
    }
}
