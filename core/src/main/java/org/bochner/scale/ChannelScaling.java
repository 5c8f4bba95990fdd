package org.bochner.scale;

import java.util.ArrayList;
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

/**
 * Scales column ranges in different ways: {@code unit-l1[0:20] + standard[20:60]}. Each column belongs to at most one term;
 * columns of no term are not changed.
 *
 * <p>Cost: fitting takes one pass over the rows if any term learns from them, else none. Sparse rows stay sparse if all terms
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
        boolean learns = terms.stream().anyMatch(term -> term.scaling instanceof ColumnScaling);
        ColumnAccumulator seen = learns ? ColumnAccumulator.of(rows, workers) : new ColumnAccumulator(0);
        List<Scaler> parts = new ArrayList<>();
        for (Term term : terms) {
            parts.add(
                    term.scaling instanceof ColumnScaling learned
                            ? learned.scaler(seen, term.from, term.to)
                            : ((FixedScaling) term.scaling).scaler(term.to - term.from));
        }
        return new ChannelScaler(this, rows.columns(), parts).requireNarrowIfDense(rows);
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
