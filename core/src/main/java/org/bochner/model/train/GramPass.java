package org.bochner.model.train;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
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
    private int parts = 1;
    private RowSorter.@Nullable PartOf partOf;
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

    /** Sums up each part of the rows by itself. */
    public GramPass setParts(int count, RowSorter.PartOf of) {
        parts = count;
        partOf = of;
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
        RowSorter.PartOf part = (rows, row) -> Math.min(parts - 1, folds.fold(rows, row));
        int heldOut = parts < folds.count() ? 1 : parts;
        HeldOutLandmarks landmarks = HeldOutLandmarks.of(map);
        List<Supplier<double[]>> constraints = List.of();
        if (landmarks != null) {
            landmarks.add(source, scaler, part);
            constraints = IntStream.range(0, heldOut)
                    .<Supplier<double[]>>mapToObj(fold -> () -> landmarks.vectors(fold))
                    .toList();
        }
        List<GramAccumulator> sums = setParts(parts, part).accumulateParts(weights, precision, progress);
        return FoldedStatistics.of(sums, heldOut, source.labels(), Penalty.of(map), constraints);
    }

    /** Returns the sums of one map. */
    GramAccumulator accumulate(ClassWeights weights, Precision precision, Progress progress) {
        return accumulateParts(weights, precision, progress).get(0);
    }

    /** Returns the sums of one map for each part. */
    public List<GramAccumulator> accumulateParts(ClassWeights weights, Precision precision, Progress progress) {
        return accumulateEach(weights, precision, progress).stream()
                .map(totals -> totals.get(0))
                .toList();
    }

    /** Returns the sums for each part and each map. */
    private List<List<GramAccumulator>> accumulateEach(ClassWeights weights, Precision precision, Progress progress) {
        List<List<GramAccumulator>> totals = new ArrayList<>();
        for (int p = 0; p < parts; p++) {
            totals.add(maps.stream()
                    .map(map -> new GramAccumulator(map.outputDimension(), source.labels()))
                    .toList());
        }
        int tiles = GramAccumulator.tilesPerBlock(
                maps.stream().mapToInt(FeatureMap::outputDimension).max().orElse(1));
        FeaturePass pass = new FeaturePass(source, scaler, maps, precision, false, workers).setTiles(tiles);
        if (partOf != null) {
            pass.setParts(parts, partOf, new RowWeights(source.labels(), weights));
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
        if (!(totals.stream().mapToDouble(part -> part.get(0).totalRowWeight()).sum() > 0)) {
            throw new BochnerException(source.name() + ": holds no rows, or none with a row weight above 0");
        }
        return totals;
    }
}
