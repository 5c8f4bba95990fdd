package org.bochner.model.train;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.data.PartedRows;
import org.bochner.data.RowSource;
import org.bochner.data.sample.Folds;
import org.bochner.map.FeatureMap;
import org.bochner.map.layout.Penalty;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
import org.bochner.stats.BlockGram;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FeaturePass;
import org.bochner.stats.FoldedStatistics;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.GramPiece;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.RowSorter;
import org.bochner.stats.RowWeights;
import org.jspecify.annotations.Nullable;

/**
 * The pass for ridge regression in the primal: sums the products of features over the rows of a source, in memory
 * that does not depend on the number of rows.
 */
public final class GramPass {
    private final RowSource source;
    private final Scaler scaler;
    private final List<FeatureMap> maps;
    private final Workers workers;
    private int sums = 1;
    private @Nullable Folds folds;
    private PassTimes times = new PassTimes();

    public GramPass(RowSource source, Transformer transformer, Workers workers) {
        this(source, transformer.scaler(), List.of(transformer.map()), workers);
    }

    /** Creates one pass for several maps. */
    public GramPass(RowSource source, Scaler scaler, List<FeatureMap> maps, Workers workers) {
        this.source = source;
        this.scaler = scaler;
        this.maps = List.copyOf(maps);
        this.workers = workers;
    }

    /**
     * Sums up each fold of the rows by itself.
     *
     * @param count the number of sums; if it is less than that of folds, the last one takes all further folds
     */
    public GramPass setFolds(Folds of, int count) {
        folds = of;
        sums = count;
        return this;
    }

    /** Adds the times of the pass to others. */
    GramPass setTimes(PassTimes others) {
        times = others;
        return this;
    }

    /** Maps all rows and sums up the products of their features. */
    public GramStatistics run(ClassWeights weights, Precision precision, Progress progress) {
        return runEach(weights, precision, progress).get(0);
    }

    /**
     * Maps all rows by each map and sums the products of each map's features; products between maps are left out.
     */
    public List<GramStatistics> runEach(ClassWeights weights, Precision precision, Progress progress) {
        List<GramAccumulator> totals =
                accumulateEach(weights, precision, progress).get(0);
        return IntStream.range(0, maps.size())
                .mapToObj(m -> totals.get(m).freeze(Penalty.of(maps.get(m))))
                .toList();
    }

    /**
     * Returns the statistics of one map by folds of the rows. Landmarks that are held-out rows are left out with them.
     *
     * @param parts the number of folds if all are held out in turn; 2 if only the first one is held out, and the others need
     *     no statistics of their own
     */
    FoldedStatistics fold(Folds folds, int parts, ClassWeights weights, Precision precision, Progress progress) {
        FeatureMap map = maps.get(0);
        int heldOut = parts < folds.count() ? 1 : parts;
        HeldOutLandmarks landmarks = HeldOutLandmarks.of(map);
        List<Supplier<double[]>> constraints = List.of();
        if (landmarks != null) {
            landmarks.add(source, scaler, folds, parts - 1);
            constraints = IntStream.range(0, heldOut)
                    .<Supplier<double[]>>mapToObj(fold -> () -> landmarks.vectors(fold))
                    .toList();
        }
        List<GramAccumulator> totals = setFolds(folds, parts).accumulateParts(weights, precision, progress);
        return FoldedStatistics.of(totals, heldOut, source.labels(), Penalty.of(map), constraints);
    }

    private static RowSorter.PartOf partOf(Folds folds, int sums) {
        return (rows, row) -> Math.min(sums - 1, folds.fold(rows, row));
    }

    /** Returns the sums of one map. */
    GramAccumulator accumulate(ClassWeights weights, Precision precision, Progress progress) {
        return accumulateParts(weights, precision, progress).get(0);
    }

    /** Returns the sums of one map for each fold. */
    public List<GramAccumulator> accumulateParts(ClassWeights weights, Precision precision, Progress progress) {
        return accumulateEach(weights, precision, progress).stream()
                .map(totals -> totals.get(0))
                .toList();
    }

    /** Returns the sums for each fold and each map, of rows in this process or of rows that lie in parts. */
    private List<List<GramAccumulator>> accumulateEach(ClassWeights weights, Precision precision, Progress progress) {
        PartedRows parted = source.parted().orElse(null);
        List<List<GramAccumulator>> totals = parted == null
                ? read(weights, precision, progress)
                : merged(parted.run(new GramTask(scaler, maps, weights, precision, folds, sums)));
        if (!(totals.stream().mapToDouble(part -> part.get(0).totalRowWeight()).sum() > 0)) {
            throw new BochnerException(source.name() + ": holds no rows, or none with a row weight above 0");
        }
        return totals;
    }

    private List<List<GramAccumulator>> merged(List<GramPiece> pieces) {
        List<List<GramAccumulator>> totals = new ArrayList<>();
        int next = 0;
        for (int s = 0; s < sums; s++) {
            List<GramAccumulator> ofMaps = new ArrayList<>();
            for (FeatureMap map : maps) {
                int end = next + GramPiece.count(map.outputDimension());
                ofMaps.add(GramAccumulator.of(pieces.subList(next, end), source.labels()));
                next = end;
            }
            totals.add(ofMaps);
        }
        return totals;
    }

    /** Returns the sums for each fold and each map over rows that are read in this process, of which there may be none. */
    List<List<GramAccumulator>> read(ClassWeights weights, Precision precision, Progress progress) {
        List<List<GramAccumulator>> totals = new ArrayList<>();
        for (int s = 0; s < sums; s++) {
            totals.add(maps.stream()
                    .map(map -> new GramAccumulator(map.outputDimension(), source.labels()))
                    .toList());
        }
        int tiles = GramAccumulator.tilesPerBlock(
                maps.stream().mapToInt(FeatureMap::outputDimension).max().orElse(1));
        FeaturePass pass = new FeaturePass(source, scaler, maps, precision, false, workers).setTiles(tiles);
        if (folds != null) {
            pass.setParts(sums, partOf(folds, sums), new RowWeights(source.labels(), weights));
        }
        pass.run(
                () -> maps.stream()
                        .map(map -> new BlockGram(map.outputDimension(), source.labels(), weights))
                        .toList(),
                (rows, grams) -> {
                    for (int m = 0; m < grams.size(); m++) {
                        grams.get(m).add(rows, m);
                    }
                },
                (done, grams) -> {
                    for (int m = 0; m < grams.size(); m++) {
                        totals.get(done.part()).get(m).add(grams.get(m));
                        times.productNanos += grams.get(m).gramNanos();
                        grams.get(m).clear();
                    }
                    times.mapNanos += done.last().takeNanos();
                    progress.report("mapping", done.rows(), done.fraction());
                });
        return totals;
    }
}
