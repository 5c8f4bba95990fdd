package org.bochner.map;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.kernel.Chi2;

/**
 * A map of the χ² kernel by the first terms of one of its {@link Series}: cₖ(s·x)/√s for k = 0, …, terms − 1, which is a map of
 * the same kernel for every scale s because that is homogeneous. Of degree g, times x^((g−1)/2).
 */
public final class SeriesMap extends AdditiveMap {
    static final String TYPE = "series";

    private final Chi2 kernel;
    private final Series series;
    private final int terms;
    private final double scale;

    SeriesMap(Chi2 kernel, int columns, Series series, int terms, double scale) {
        super(kernel, columns);
        this.kernel = kernel;
        this.series = series;
        this.terms = Require.atLeast(series.toString(), "terms", terms, 1);
        this.scale = Require.positive(series.toString(), "scale", scale);
    }

    static SeriesMap load(State state) {
        Series series = Arrays.stream(Series.values())
                .filter(s -> s.toString().equals(state.text("series")))
                .findFirst()
                .orElseThrow(() -> new BochnerException(TYPE + ": unknown series '" + state.text("series") + "'"));
        return new SeriesMap(
                kernel(state, Chi2.class), state.count("columns"), series, state.count("terms"), state.number("scale"));
    }

    /** What values are multiplied by. */
    public double scale() {
        return scale;
    }

    @Override
    public int width() {
        return terms;
    }

    @Override
    void map(double x, double[] out, int at) {
        double factor = Math.sqrt(1 / scale) * (kernel.degree() == 1 ? 1 : Math.pow(x, (kernel.degree() - 1) / 2));
        // Numbers at the ends of float64 must not become 0 or infinite, of which no series has terms.
        double scaled = Math.max(Double.MIN_VALUE, Math.min(Double.MAX_VALUE, scale * x));
        series.terms(scaled, terms, factor, out, at);
    }

    @Override
    public State state() {
        return State.of(TYPE)
                .with("kernel", kernel.toString())
                .with("columns", inputDimension())
                .with("series", series.toString())
                .with("terms", terms)
                .with("scale", scale);
    }

    @Override
    public String toString() {
        return "SeriesMap[" + series + ", " + kernel + ", " + inputDimension() + " columns, " + terms + " terms]";
    }
}
