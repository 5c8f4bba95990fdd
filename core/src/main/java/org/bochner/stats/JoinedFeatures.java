package org.bochner.stats;

import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bochner.base.Require;
import org.bochner.data.Labels;

/** The concatenated rows of two sources with equal features and labels. */
public final class JoinedFeatures implements FeatureSource {
    private final FeatureSource first;
    private final FeatureSource second;
    private final double share;

    public JoinedFeatures(FeatureSource first, FeatureSource second) {
        Require.sameSize("JoinedFeatures", "features", second.features(), first.features());
        Require.that(first.labels().equals(second.labels()), "JoinedFeatures", "the labels differ");
        this.first = first;
        this.second = second;
        share = second.totalRowWeight() / (first.totalRowWeight() + second.totalRowWeight());
    }

    @Override
    public int features() {
        return first.features();
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
        double[] other = second.mean();
        for (int j = 0; j < mean.length; j++) {
            mean[j] += share * (other[j] - mean[j]);
        }
        return mean;
    }

    /** Returns the sum of both scatters plus w₁w₂/(w₁ + w₂) times the squared distance of the means (merge formula). */
    @Override
    public double scatterTrace() {
        double[] mean = first.mean();
        double[] other = second.mean();
        double squared = 0;
        for (int j = 0; j < mean.length; j++) {
            squared += (other[j] - mean[j]) * (other[j] - mean[j]);
        }
        return first.scatterTrace() + second.scatterTrace() + first.totalRowWeight() * share * squared;
    }

    @Override
    public double targetMean(int target) {
        return first.targetMean(target) + share * (second.targetMean(target) - first.targetMean(target));
    }

    @Override
    public <B> void pass(Supplier<B> bench, BiConsumer<FeatureTile, B> work, Consumer<B> inTurn) {
        first.pass(bench, work, inTurn);
        second.pass(bench, (tile, own) -> work.accept(tile.after(first.rows()), own), inTurn);
    }

    @Override
    public void inOrder(Consumer<FeatureTile> sink) {
        first.inOrder(sink);
        second.inOrder(tile -> sink.accept(tile.after(first.rows())));
    }
}
