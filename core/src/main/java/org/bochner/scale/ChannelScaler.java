package org.bochner.scale;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.bochner.base.State;
import org.jspecify.annotations.Nullable;

/** One scaler per column range; other columns are not changed. */
final class ChannelScaler extends AbstractScaler {
    private final List<Part> parts;
    private final List<Part> ascending;
    private final boolean keepsZeros;

    /** A scaler and its columns. */
    private record Part(AbstractScaler scaler, int from, int to) {}

    /** Creates a scaler from one fitted scaler per term, each with the number of columns of its term. */
    ChannelScaler(ChannelScaling scaling, int columns, List<Scaler> scalers) {
        super(scaling, columns);
        List<Part> fitted = new ArrayList<>();
        for (ChannelScaling.Term term : scaling.terms()) {
            fitted.add(new Part((AbstractScaler) scalers.get(fitted.size()), term.from(), term.to()));
        }
        parts = List.copyOf(fitted);
        ascending = parts.stream().sorted(Comparator.comparingInt(Part::from)).toList();
        keepsZeros = scalers.stream().allMatch(Scaler::keepsZeros);
    }

    /** Returns the prefix of the saved form of a term. */
    static String partName(int term) {
        return Integer.toString(term);
    }

    @Override
    public State state() {
        State state = super.state();
        for (int p = 0; p < parts.size(); p++) {
            state.with(partName(p), parts.get(p).scaler.state());
        }
        return state;
    }

    @Override
    public double unscaled(int column, double scaled) {
        for (Part part : parts) {
            if (part.from <= column && column < part.to) {
                return part.scaler.unscaled(column - part.from, scaled);
            }
        }
        return scaled;
    }

    @Override
    void addFacts(int column, List<Map<String, Object>> steps) {
        for (Part part : parts) {
            if (part.from <= column && column < part.to) {
                part.scaler.addFacts(column - part.from, steps);
            }
        }
    }

    @Override
    public boolean keepsZeros() {
        return keepsZeros;
    }

    @Override
    boolean keepsResolution(int column, double origin) {
        return parts.stream()
                .anyMatch(part -> part.from <= column
                        && column < part.to
                        && part.scaler.keepsResolution(column - part.from, origin));
    }

    @Override
    public double @Nullable [] origin() {
        double[] origin = new double[columns()];
        boolean some = false;
        for (Part part : parts) {
            double[] own = part.scaler.origin();
            if (own != null) {
                System.arraycopy(own, 0, origin, part.from, own.length);
                some = true;
            }
        }
        return some ? origin : null;
    }

    @Override
    AbstractScaler relativeTo(double[] origin) {
        double[] outside = origin.clone();
        List<Scaler> moved = new ArrayList<>();
        for (Part part : parts) {
            moved.add(part.scaler.relativeTo(Arrays.copyOfRange(origin, part.from, part.to)));
            Arrays.fill(outside, part.from, part.to, 0);
        }
        // Columns outside all parts get their origins added back.
        return new FromOrigin(new ChannelScaler((ChannelScaling) scaling(), columns(), moved), outside);
    }

    @Override
    void scaleRow(float[] values, int start) {
        for (Part part : parts) {
            part.scaler.scaleRow(values, start + part.from);
        }
    }

    @Override
    void scaleEntries(float[] values, int[] indices, int first, int start, int end) {
        int from = start;
        // Entries and parts are in ascending order, so one walk along the row finds the entries of each part.
        for (Part part : ascending) {
            from = skip(indices, from, end, first + part.from);
            int to = skip(indices, from, end, first + part.to);
            part.scaler.scaleEntries(values, indices, first + part.from, from, to);
            from = to;
        }
    }

    /** Returns the first entry, from the given one on, whose column is at least the given one. */
    private static int skip(int[] indices, int entry, int end, int column) {
        int e = entry;
        while (e < end && indices[e] < column) {
            e++;
        }
        return e;
    }
}
