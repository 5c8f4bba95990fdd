package org.bochner.stats;

import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.bochner.base.Require;
import org.bochner.data.Labels;
import org.bochner.numeric.optimise.Vectors;

/** The concatenated rows of two sources with equal features and labels. */
public record JoinedFeatures(FeatureSource first, FeatureSource second) implements FeatureSource {
    public JoinedFeatures {
        Require.sameSize("JoinedFeatures", "features", second.features(), first.features());
        Require.that(first.labels().equals(second.labels()), "JoinedFeatures", "the labels differ");
    }

    /** Returns the share of the second source in the total row weight. */
    private double share() {
        return second.totalRowWeight() / totalRowWeight();
    }

    @Override
    public int features() {
        return first.features();
    }

    @Override
    public boolean sparse() {
        return first.sparse() && second.sparse();
    }

    @Override
    public long entries() {
        return first.entries() + second.entries();
    }

    @Override
    public Labels labels() {
        return first.labels();
    }

    @Override
    public OptionalLong knownRows() {
        OptionalLong one = first.knownRows();
        OptionalLong other = second.knownRows();
        return one.isPresent() && other.isPresent()
                ? OptionalLong.of(one.getAsLong() + other.getAsLong())
                : OptionalLong.empty();
    }

    @Override
    public boolean estimated() {
        return first.estimated() || second.estimated();
    }

    @Override
    public double totalRowWeight() {
        return first.totalRowWeight() + second.totalRowWeight();
    }

    @Override
    public double[] mean() {
        double[] mean = first.mean();
        Vectors.add(share(), Vectors.difference(second.mean(), mean), mean);
        return mean;
    }

    /** Returns the sum of both scatters plus w₁w₂/(w₁ + w₂) times the squared distance of the means (merge formula). */
    @Override
    public double scatterTrace() {
        double[] apart = Vectors.difference(second.mean(), first.mean());
        double squared = Vectors.dot(apart, apart);
        return first.scatterTrace() + second.scatterTrace() + first.totalRowWeight() * share() * squared;
    }

    @Override
    public double targetMean(int target) {
        return first.targetMean(target) + share() * (second.targetMean(target) - first.targetMean(target));
    }

    @Override
    public <B> B sum(FeatureTask<B> task) {
        B total = first.sum(task);
        task.move(second.sum(task.after(first.rows())), total);
        return total;
    }

    @Override
    public <B> void pass(Supplier<B> bench, BiConsumer<FeatureTile, B> work, Consumer<B> inTurn) {
        first.pass(bench, work, inTurn);
        second.pass(bench, (tile, own) -> work.accept(tile.after(first.rows()), own), inTurn);
    }

    @Override
    public boolean inOrderWhile(Predicate<FeatureTile> sink) {
        return first.inOrderWhile(sink) && second.inOrderWhile(tile -> sink.test(tile.after(first.rows())));
    }
}
