package org.bochner.model.train;

import java.util.Locale;
import java.util.function.Function;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.RowSource;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.solve.Formulation;
import org.bochner.learn.solve.Needs;
import org.bochner.learn.solve.PenaltyChoice;
import org.bochner.learn.solve.SolverKind;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.WhitenedMap;
import org.bochner.model.Transformer;
import org.bochner.model.file.ModelAccess;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.Components;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.PrincipalComponents;
import org.bochner.stats.Statistics;
import org.jspecify.annotations.Nullable;

/**
 * Fits the weights for a scaling and a map: chooses between statistics, rows and components, reads the source as
 * often as the learner needs, and counts time and memory.
 */
public final class WeightFit extends WeightRoute {
    /** Creates a fit, which adds its choices to the notes of the context. */
    public WeightFit(TrainingContext context, Transformer transformer, ClassWeights weights) {
        super(context, transformer, weights);
    }

    private WeightFit(WeightFit of, Transformer transformer) {
        super(of, transformer);
    }

    @Override
    public Learned run() {
        if (gaussian()) {
            StatisticsFit.requireGaussian(transformer.map());
        }
        Transformer trained = withoutRowsAside();
        restricted |= leavesRowsAside();
        if (leavesOut(trained, transformer)) {
            int kept = trained.map().outputDimension();
            notes.choice(String.format(
                    Locale.ROOT,
                    "%,d of %,d landmarks were left out, because they are %s set aside",
                    transformer.map().outputDimension() - kept,
                    transformer.map().outputDimension(),
                    objects()));
            WeightFit fit = new WeightFit(this, trained);
            fit.restricted = true;
            return counted(fit);
        }
        Components components = settings.components;
        if (components != null) {
            return fromComponents(components);
        }
        if (!(needs instanceof Needs.Statistics)) {
            return fromRows(transformer);
        }
        // Whitening sums of products would lose as many digits as their matrix is ill-conditioned; rows lose half of
        // them.
        return transformer.map().amplifiesRounding()
                ? whitened(transformer, this::fromStatistics)
                : fromStatistics(transformer);
    }

    /** Returns the scaling and the map without landmarks among the rows that stay aside, which are no training rows. */
    private Transformer withoutRowsAside() {
        return leavesRowsAside() && !restricted
                ? HeldOutLandmarks.without(transformer, source, heldOut().train())
                : transformer;
    }

    /** Returns true if rows are set aside, and the map may lose landmarks; weights to start from are those of all landmarks. */
    private boolean leavesRowsAside() {
        return setsAside() && settings.start == null;
    }

    /** Learns from principal components and unfolds the weights to the features. */
    private Learned fromComponents(Components components) {
        if (settings.start != null) {
            throw new BochnerException(
                    "a model to start from has weights of features, not of principal components",
                    Remedy.set(Setting.START, "must be left out"),
                    Remedy.set(Setting.COMPONENTS, "must be left out"));
        }
        FeatureMap map = transformer.map();
        int features = map.outputDimension();
        RowSource unlabelled = settings.unlabelled;
        PcaPass pca = new PcaPass(source, unlabelled, transformer, workers, times);
        int targets = Statistics.targets(source.labels());
        bytes = PcaPass.bytesNeeded(
                map, components.most(features), targets, workers.threads(), used, unlabelled != null);
        MemoryBudget.whole()
                .require(
                        (double) bytes,
                        "principal components of " + features + " features",
                        MemoryCheck.FEWER_FEATURES);
        PrincipalComponents found = pca.run(components, weights, used, progress);
        String counts = String.format(Locale.ROOT, "%,d principal components of %,d features", found.count(), features);
        String share = String.format(Locale.ROOT, "%.1f%%", 100 * found.share());
        String over = unlabelled == null ? "" : " over these rows and those of " + unlabelled.name();
        notes.choice("learned from " + counts + ", which have " + share + " of their variance" + over);
        Transformer reduced = new Transformer(transformer.scaler(), pca.map());
        Learned learned;
        if (!(needs instanceof Needs.Statistics)) {
            learned = fromRows(reduced);
        } else if (penaltyChoice != PenaltyChoice.GIVEN && penaltyChoice != PenaltyChoice.STATISTICS) {
            learned = fromStatistics(reduced);
        } else {
            GramStatistics statistics = pca.statistics(weights, used, progress);
            long solving = System.nanoTime();
            learned = learned(training(reduced, null).fit(statistics, used), statistics.rows(), solving);
        }
        return learned(pca.unfold(learned.fit().model()), learned);
    }

    /** Returns a fit with other linear functions, those of the features of the map. */
    private Learned learned(LinearModel model, Learned from) {
        return learned(from.fit().withModel(model), from.rows(), from.solving());
    }

    private Learned fromStatistics(Transformer from) {
        return counted(new StatisticsFit(this, from));
    }

    /** Learns from rows; from whitened features if the solver needs the plain penalty. */
    private Learned fromRows(Transformer from) {
        LinearModel start = start();
        if (takesPenalty(from.map())) {
            return counted(new FeatureFit(this, from, start));
        }
        WhitenedMap map = new WhitenedMap(from.map());
        LinearModel begin = start == null ? null : start.withWeights(map.whitened(start.weights(), start.outputs()));
        return whitened(from, whitened -> counted(new FeatureFit(this, whitened, begin)));
    }

    /** Learns from whitened features, whose penalty is the plain one, and returns the weights of the original ones. */
    private Learned whitened(Transformer from, Function<Transformer, Learned> fit) {
        WhitenedMap whitened = whitenedMap(from.map());
        Learned learned = fit.apply(new Transformer(from.scaler(), whitened));
        return learned(unwhitened(whitened, learned.fit().model()), learned);
    }

    WhitenedMap whitenedMap(FeatureMap map) {
        if (learner.sparse()) {
            throw new BochnerException(
                    learner + " makes weights zero, and the penalty of the map's features is not the plain one;"
                            + " use landmarks(raw), or piecewise without 'sparse'");
        }
        return new WhitenedMap(map);
    }

    /** Returns the linear functions of the original features. */
    static LinearModel unwhitened(WhitenedMap map, LinearModel model) {
        return model.withWeights(map.unwhitened(model.weights(), model.outputs()));
    }

    /** Returns true if the solver can use the features of a map as they are. */
    boolean takesPenalty(FeatureMap map) {
        SolverKind solver = Formulation.of(learner).solver();
        return map.hasPlainPenalty() || solver == SolverKind.CG || solver == SolverKind.NEWTON;
    }

    private @Nullable LinearModel start() {
        return settings.start == null ? null : ModelAccess.parts(settings.start).requireLinear();
    }

    /** Fits at several strengths of the penalty, from the strongest down, and maps the test rows. */
    PathFit.Fits path(RowSource testing, int count) {
        return new PathFit(this).run(testing, count);
    }
}
