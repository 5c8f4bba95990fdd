package org.bochner.scale;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.RowSource;
import org.bochner.numeric.Workers;
import org.bochner.scale.fit.ColumnAccumulator;
import org.bochner.scale.fit.ScaledView;

/**
 * Scales column ranges in different ways: {@code unit-l1[0:20] + standard[20:60]}. Each column belongs to at most one term;
 * columns of no term are not changed.
 *
 * <p>Cost: fitting takes one pass over the rows if any term learns from them, else none, and one more for the second steps of
 * {@linkplain ChainScaling chains}, and so on. Sparse rows stay sparse if all terms
 * keep zeros.
 *
 * @param terms in the order of the spelling, which need not be the order of the columns
 */
record ChannelScaling(List<Term> terms) implements Scaling {
    /** The scaling of the columns from (inclusive) to (exclusive). */
    record Term(Scaling scaling, int from, int to) {
        Term {
            Require.that(
                    from >= 0 && from < to,
                    scaling.toString() + ": the columns " + range(from, to)
                            + " are empty; write [from:to] with from < to, where 'to' itself is left out");
            Require.that(
                    ChainScaling.stepsOf(scaling).stream().noneMatch(LinearScaling.class::isInstance),
                    scaling.toString() + ": a matrix multiplies whole rows, not a range of columns");
            Require.that(
                    !(scaling instanceof ChannelScaling),
                    scaling.toString() + ": has columns already; give every term of a sum its own");
        }

        String range() {
            return range(from, to);
        }

        private static String range(int from, int to) {
            return "[" + from + ":" + to + "]";
        }

        @Override
        public String toString() {
            return scaling + range();
        }
    }

    ChannelScaling {
        terms = List.copyOf(terms);
        Require.that(!terms.isEmpty(), "scaling", "a sum needs at least one term");
        List<Term> ordered =
                terms.stream().sorted(Comparator.comparingInt(Term::from)).toList();
        for (int t = 1; t < ordered.size(); t++) {
            Term left = ordered.get(t - 1);
            Term right = ordered.get(t);
            Require.that(
                    left.to <= right.from,
                    "scaling: " + left + " and " + right + " share the columns "
                            + Term.range(right.from, Math.min(left.to, right.to))
                            + "; a column is scaled once: let one range end where the other starts");
        }
    }

    @Override
    public boolean hasRanges() {
        return true;
    }

    @Override
    public Scaler fit(RowSource rows, Workers workers) {
        for (Term term : terms) {
            if (term.to > rows.columns()) {
                throw DataException.in(
                        rows.name(),
                        "has " + rows.columns() + " columns; the scaling " + term + " needs " + term.to
                                + " columns; name columns within " + Term.range(0, rows.columns())
                                + ", which count from 0 and leave 'to' out");
            }
        }
        List<Scaler> parts = new ArrayList<>();
        List<List<Scaler>> fitted = fitSteps(rows, workers);
        for (Term term : terms) {
            List<Scaler> steps = fitted.get(parts.size());
            parts.add(
                    term.scaling instanceof ChainScaling chain
                            ? new ChainScaler(chain, term.to - term.from, steps)
                            : steps.get(0));
        }
        return new ChannelScaler(this, rows.columns(), parts).requireNarrowIfDense(rows);
    }

    /** Fits the first steps of all terms in one pass, then the second steps of all chains, and so on. */
    private List<List<Scaler>> fitSteps(RowSource rows, Workers workers) {
        List<List<Scaler>> fitted = new ArrayList<>();
        terms.forEach(term -> fitted.add(new ArrayList<>()));
        RowSource view = rows;
        for (int round = 0; ; round++) {
            int at = round;
            List<Term> steps = terms.stream()
                    .filter(term -> at < ChainScaling.stepsOf(term.scaling).size())
                    .map(term -> new Term(ChainScaling.stepsOf(term.scaling).get(at), term.from, term.to))
                    .toList();
            if (steps.isEmpty()) {
                return fitted;
            }
            ColumnAccumulator seen = statistics(steps, view, workers);
            List<Scaler> parts = new ArrayList<>();
            for (Term step : steps) {
                parts.add(
                        step.scaling instanceof LearnedScaling learned
                                ? learned.scaler(seen, step.from, step.to)
                                : ((FixedScaling) step.scaling).scaler(step.to - step.from));
            }
            int next = 0;
            for (int t = 0; t < terms.size(); t++) {
                if (round < ChainScaling.stepsOf(terms.get(t).scaling).size()) {
                    fitted.get(t).add(parts.get(next++));
                }
            }
            view = new ScaledView(
                    view,
                    new ChannelScaler(new ChannelScaling(steps), rows.columns(), parts).requireNarrowIfDense(view));
        }
    }

    private static ColumnAccumulator statistics(List<Term> steps, RowSource rows, Workers workers) {
        boolean learns = false;
        BitSet sketched = new BitSet();
        for (Term step : steps) {
            if (step.scaling instanceof LearnedScaling learned) {
                learns = true;
                sketched.set(step.from, learned.needsQuantiles() ? step.to : step.from);
            }
        }
        return learns ? ColumnAccumulator.of(rows, sketched, workers) : new ColumnAccumulator(0);
    }

    @Override
    public boolean normalises() {
        return terms.stream().anyMatch(term -> term.scaling.normalises());
    }

    @Override
    public Scaler load(State state) {
        int columns = state.count("columns");
        List<Scaler> parts = new ArrayList<>();
        for (Term term : terms) {
            Scaler part = term.scaling.load(state.part(ChannelScaler.partName(parts.size())));
            if (part.columns() != term.to - term.from || term.to > columns) {
                throw new BochnerException("the saved scaler of " + columns + " columns does not fit its part " + term
                        + ", saved for " + part.columns());
            }
            parts.add(part);
        }
        return new ChannelScaler(this, columns, parts);
    }

    @Override
    public String toString() {
        return terms.stream().map(Term::toString).collect(Collectors.joining(" + "));
    }
}
