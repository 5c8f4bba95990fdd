package org.bochner.model;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.data.ColumnRange;
import org.bochner.data.DataIdentity;
import org.bochner.kernel.KernelRecipe;
import org.bochner.learn.CalibrationRecipe;
import org.bochner.learn.Convergence;
import org.bochner.learn.Learner;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapRecipe;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.model.file.SavedRecord;
import org.bochner.random.Seed;
import org.bochner.stats.ClassWeighting;
import org.jspecify.annotations.Nullable;

/**
 * The record of everything that determined a model beyond its own parts (kernel with length-scales, scaling,
 * precision). It is saved with the model.
 *
 * <p>Threads and times are not recorded, and the date is a day (UTC), which makes model files reproducible. The
 * environment variable {@code SOURCE_DATE_EPOCH} fixes the day.
 *
 * @param data the training rows
 * @param rows the number of training rows
 * @param kernel the kernel as it was given, possibly without length-scales
 * @param map the map recipe that was used
 * @param learner the learner as it was given, possibly without a penalty; null if the model predicts nothing
 * @param lambda the penalty that was used, as the coefficient of the learner's penalty; NaN without a learner
 * @param refit the learner that learned the weights again after a sparse learner had chosen the features; null for none
 * @param balancedClasses true if all classes had equal total weight
 * @param classWeights the given factors of row weights, by class name
 * @param seed the seed of everything random
 * @param components the number of principal components, or their share of the variance, as a spelling; null if the
 *     model was learned from the features
 * @param unlabelled the unlabelled rows that were used to find the components; null for none
 * @param calibration the calibration of probabilities; null for none
 * @param kernelSearch how the kernel was learned, in words: the method, the objective and the scales; null if it was not
 * @param channels how the weights of several channels were learned; null for a single kernel
 * @param convergence how the solver ended; null if not recorded
 * @param pruning the reductions of the map, oldest first
 * @param version the version of this library
 * @param created the day
 */
public record TrainingRecord(
        DataIdentity data,
        long rows,
        KernelRecipe kernel,
        MapRecipe map,
        @Nullable Learner learner,
        double lambda,
        @Nullable Learner refit,
        boolean balancedClasses,
        Map<String, Double> classWeights,
        Seed seed,
        @Nullable String components,
        @Nullable DataIdentity unlabelled,
        @Nullable CalibrationRecipe calibration,
        @Nullable String kernelSearch,
        @Nullable ChannelWeighting channels,
        @Nullable Convergence convergence,
        List<PruningStep> pruning,
        String version,
        LocalDate created) {
    public TrainingRecord {
        Require.that(!(lambda < 0), "training", "lambda must be at least 0, got " + lambda);
        classWeights = new ClassWeighting(balancedClasses, classWeights).factors();
        pruning = List.copyOf(pruning);
    }

    /** The kinds of {@linkplain FeatureMap#units units} of maps. */
    public enum MapUnit {
        /** The features of one column. */
        COLUMNS,
        /** Single features. */
        FEATURES,
        /** A cosine and a sine each. */
        PROJECTIONS;

        /** Returns the kind of a map's units. */
        public static MapUnit of(FeatureMap map) {
            if (map.keepsSparsity()) {
                return COLUMNS;
            }
            FeatureGroups units = FeatureGroups.unitsOf(map);
            return units.count() == units.features() ? FEATURES : PROJECTIONS;
        }

        /** Returns the name in lower case, in the plural: {@code projections}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One reduction of a model's map.
     *
     * @param kept the number of units of the map that were kept
     * @param of the number of units before
     * @param unit the kind of the units
     * @param data the rows that the weights were fitted to again; {@link DataIdentity#UNKNOWN} if only units without
     *     weights were removed
     */
    public record PruningStep(int kept, int of, MapUnit unit, DataIdentity data) {
        public PruningStep {
            Require.that(0 <= kept && kept <= of, "pruning", "kept must be at most " + of + ", got " + kept);
        }
    }

    /**
     * How the weights of several channels were learned.
     *
     * @param norm the spelling of the norm over the channels
     * @param loss the spelling of the loss and the penalty that were asked for
     * @param lambda the penalty of the norm
     * @param folds the number of folds that the penalty was chosen with
     * @param plain true if the model is the solution of the objective, without a refit and a threshold for small weights;
     *     null if the model does not say
     * @param joint true if the scales of the kernels were learned together with the weights
     * @param scaleL2 the factor of the squared scales in the objective
     * @param scalePrior the factor of the squared logarithms of scales in the objective
     * @param initialKernel the kernels of all channels before their weights and joint scales were learned; null if the
     *     model does not say
     * @param features the number of features per channel that was asked for; null if it follows from maps and rows, or if
     *     the model does not say
     */
    public record ChannelWeighting(
            List<ColumnRange> channels,
            String norm,
            String loss,
            double lambda,
            int folds,
            @Nullable Boolean plain,
            boolean joint,
            double scaleL2,
            double scalePrior,
            @Nullable KernelRecipe initialKernel,
            @Nullable Integer features) {
        public ChannelWeighting {
            channels = List.copyOf(channels);
        }
    }

    /** Returns the learner as it was given; throws if the model predicts nothing. */
    public Learner requireLearner() {
        if (learner == null) {
            throw new BochnerException("the model predicts nothing, and has no learner");
        }
        return learner;
    }

    /** Returns the learner with the penalty that was used; throws if the model predicts nothing. */
    public Learner fittedLearner() {
        return requireLearner().withLambda(lambda);
    }

    /** Returns the record with a further reduction of the map, to which the weights were not fitted again. */
    public TrainingRecord withPruning(PruningStep step) {
        return pruned(step, requireLearner(), lambda, refit, components, unlabelled, convergence);
    }

    /**
     * Returns the record with a further reduction of the map, after which all weights were fitted to the features
     * again.
     *
     * @param learner the learner of the weights
     * @param lambda its penalty
     * @param convergence how its solver ended
     */
    public TrainingRecord withPruning(PruningStep step, Learner learner, double lambda, Convergence convergence) {
        return pruned(step, learner, lambda, null, null, null, convergence);
    }

    private TrainingRecord pruned(
            PruningStep step,
            Learner by,
            double penalty,
            @Nullable Learner again,
            @Nullable String componentCount,
            @Nullable DataIdentity unlabelledRows,
            @Nullable Convergence end) {
        List<PruningStep> steps = new ArrayList<>(pruning);
        steps.add(step);
        return new TrainingRecord(
                data,
                rows,
                kernel,
                map,
                by,
                penalty,
                again,
                balancedClasses,
                classWeights,
                seed,
                componentCount,
                unlabelledRows,
                calibration,
                kernelSearch,
                channels,
                end,
                steps,
                libraryVersion(),
                SavedRecord.today());
    }

    /** Returns the fields for JSON; spellings are texts. */
    public Map<String, Object> toJson() {
        return SavedRecord.write(this);
    }

    /** Returns the version of this library. */
    public static String libraryVersion() {
        try (InputStream in = TrainingRecord.class.getResourceAsStream("/org/bochner/version.properties")) {
            Properties properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return properties.getProperty("version", "unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
