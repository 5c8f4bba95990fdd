package org.bochner.data;

import java.util.function.LongPredicate;
import org.bochner.base.BochnerException;
import org.bochner.base.State;
import org.bochner.data.sample.Folds;
import org.bochner.random.Seed;

/**
 * A choice of some rows by a hash of a seed and a number of the row: its {@linkplain RowBlock#group group}, or its index. It
 * needs no memory, and does not depend on how the rows are read.
 */
public sealed interface RowChoice extends LongPredicate {
    /** Returns the saved form, which {@link #load} reads. */
    State state();

    @Override
    default RowChoice negate() {
        return new Others(this);
    }

    /** Rows whose hash, as a number from 0 to 1, is below a share. */
    record Share(Seed seed, double share) implements RowChoice {
        @Override
        public boolean test(long group) {
            return seed.derive(group).unit() < share;
        }

        @Override
        public State state() {
            return State.of("share").with("seed", seed.value()).with("share", share);
        }
    }

    /** Rows whose hash is at most a number. */
    record Smallest(Seed seed, long largest) implements RowChoice {
        @Override
        public boolean test(long group) {
            return seed.derive(group).value() <= largest;
        }

        @Override
        public State state() {
            return State.of("smallest").with("seed", seed.value()).with("largest", largest);
        }
    }

    /**
     * The rows of one of several folds.
     *
     * @param count the number of folds
     * @param fold the fold, from 0
     */
    record Fold(Seed seed, int count, int fold) implements RowChoice {
        @Override
        public boolean test(long group) {
            return new Folds(count, seed).fold(group) == fold;
        }

        @Override
        public State state() {
            return State.of("fold")
                    .with("seed", seed.value())
                    .with("count", count)
                    .with("fold", fold);
        }
    }

    /** The rows that another choice leaves out. */
    record Others(RowChoice of) implements RowChoice {
        @Override
        public boolean test(long group) {
            return !of.test(group);
        }

        @Override
        public State state() {
            return State.of("others").with("of", of.state());
        }
    }

    /** Reads a choice from its saved form. */
    static RowChoice load(State state) {
        return switch (state.type()) {
            case "share" -> new Share(new Seed(state.whole("seed")), state.number("share"));
            case "smallest" -> new Smallest(new Seed(state.whole("seed")), state.whole("largest"));
            case "fold" -> new Fold(new Seed(state.whole("seed")), state.count("count"), state.count("fold"));
            case "others" -> new Others(load(state.part("of")));
            default -> throw new BochnerException("'" + state.type() + "' is no choice of rows");
        };
    }
}
