package org.bochner.model.train;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.bochner.base.State;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.RowSource;
import org.bochner.data.RowTask;
import org.bochner.data.sample.Folds;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.model.Progress;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scalings;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.GramPiece;
import org.jspecify.annotations.Nullable;

/**
 * The pass of {@link GramPass} over rows that lie in parts. The result has the pieces of the sums, for each fold, then for each
 * map.
 *
 * @param folds the folds that are summed apart; null if all rows are summed together
 * @param sums the number of sums per map: that of folds, or fewer if the last one takes several folds
 */
record GramTask(
        Scaler scaler,
        List<FeatureMap> maps,
        ClassWeights weights,
        Precision precision,
        @Nullable Folds folds,
        int sums)
        implements RowTask<GramPiece, List<GramPiece>> {
    static final String TYPE = "gram";

    /** Reads a task from its saved form. */
    static GramTask load(State state) {
        List<FeatureMap> maps = new ArrayList<>();
        for (int m = 0; m < state.count("maps"); m++) {
            maps.add(FeatureMaps.load(state.part("map." + m)));
        }
        return new GramTask(
                Scalings.load(state.part("scaler")),
                maps,
                ClassWeights.load(state.part("weights")),
                Precision.valueOf(state.text("precision")),
                state.has("folds.type") ? Folds.load(state.part("folds")) : null,
                state.count("sums"));
    }

    @Override
    public State state() {
        State state = State.of(TYPE)
                .with("scaler", scaler.state())
                .with("weights", weights.state())
                .with("precision", precision.name())
                .with("maps", maps.size())
                .with("sums", sums);
        for (int m = 0; m < maps.size(); m++) {
            state.with("map." + m, maps.get(m).state());
        }
        if (folds != null) {
            state.with("folds", folds.state());
        }
        return state;
    }

    @Override
    public int pieces() {
        return sums
                * maps.stream()
                        .mapToInt(map -> GramPiece.count(map.outputDimension()))
                        .sum();
    }

    @Override
    public IntFunction<GramPiece> run(RowSource part, Workers workers) {
        double squares = maps.stream()
                .mapToDouble(map -> (double) map.outputDimension() * map.outputDimension())
                .sum();
        // The sums of all folds, and the products of a block per thread.
        MemoryBudget.whole()
                .require(
                        8 * sums * squares + precision.bytes() * workers.threads() * squares,
                        "statistics of a part of the rows, in the process that has them",
                        "take fewer features",
                        "give the penalty of the learner",
                        "give these processes more memory");
        GramPass pass = new GramPass(part, scaler, maps, workers);
        if (folds != null) {
            pass.setFolds(folds, sums);
        }
        List<GramAccumulator> totals = pass.read(weights, precision, Progress.NONE).stream()
                .flatMap(List::stream)
                .toList();
        return piece -> {
            int left = piece;
            int total = 0;
            for (; left >= GramPiece.count(totals.get(total).features()); total++) {
                left -= GramPiece.count(totals.get(total).features());
            }
            return totals.get(total).piece(left);
        };
    }

    @Override
    public GramPiece merge(GramPiece first, GramPiece next) {
        return first.merge(next);
    }

    @Override
    public List<GramPiece> result(List<GramPiece> pieces) {
        return pieces;
    }

    @Override
    public void write(GramPiece piece, DataOutput to) throws IOException {
        piece.write(to);
    }

    @Override
    public GramPiece read(DataInput from) throws IOException {
        return GramPiece.read(from);
    }
}
