package org.bochner.tune;

import java.util.OptionalInt;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.map.FeatureMap;
import org.bochner.map.landmark.UnmappedKernel;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.model.train.TrainingContext;
import org.bochner.model.train.TrainingSettings;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;

/**
 * A machine that is given a learned kernel, to find out whether it makes the learned features again.
 *
 * @param fitted the settings of the model with the learned kernel
 */
record RemadeFeatures(TrainingSettings fitted, RowSource source, Workers workers, Progress progress) {
    /** Rows whose features are compared. */
    private static final int COMPARED_ROWS = 10;

    /** The difference of features, relative to the largest one, that rounding of frequencies and scales can make. */
    private static final double ROUNDING = 1e-4;

    /** Returns true if the machine makes the scaling and the features that were learned. */
    boolean makes(Transformer learned) {
        if (learned.map() instanceof UnmappedKernel) {
            Scaler made = learned.scaler().scaling().fit(source, workers);
            return made.state().equals(learned.scaler().state());
        }
        FeatureMap map = learned.map();
        TrainingSettings settings =
                new TrainingSettings(Kernels.recipe(map.kernel().toString()));
        settings.map = fitted.map;
        settings.features = OptionalInt.of(fitted.features.orElse(map.outputDimension()));
        settings.scaling = learned.scaler().scaling();
        settings.seed = fitted.seed;
        try {
            Transformer made = TrainingContext.of(settings, source, workers, progress, new Notes())
                    .prepare()
                    .transformer();
            return made.scaler().state().equals(learned.scaler().state())
                    && sameFeatures(
                            made.map(), map, TrainingContext.sample(settings, settings.kernel, source, made.scaler()));
        } catch (BochnerException | IllegalArgumentException e) {
            // The map has no spelling, or cannot have this number of features.
            return false;
        }
    }

    private static boolean sameFeatures(FeatureMap one, FeatureMap other, RowSample rows) {
        if (one.outputDimension() != other.outputDimension()) {
            return false;
        }
        double[] features = new double[one.outputDimension()];
        double[] others = new double[features.length];
        double largest = 0;
        double difference = 0;
        for (int i = 0; i < Math.min(COMPARED_ROWS, rows.rows()); i++) {
            one.apply(rows.row(i), features);
            other.apply(rows.row(i), others);
            for (int j = 0; j < features.length; j++) {
                largest = Math.max(largest, Math.abs(features[j]));
                difference = Math.max(difference, Math.abs(features[j] - others[j]));
            }
        }
        return difference <= ROUNDING * largest;
    }
}
