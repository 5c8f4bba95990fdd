package org.bochner.map.landmark;

import java.util.OptionalInt;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.Spelling;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapRecipe;
import org.bochner.map.composed.TermRecipe;
import org.bochner.random.Seed;

/**
 * The recipe {@code none}, for exact machines: they learn from the kernel values between all rows. The map of the
 * trained model compares a row with training rows; it exists only after the training.
 */
public record NoMap() implements TermRecipe {
    public static final String NAME = "none";

    public static NoMap parse(Spelling spelling) {
        spelling.allow();
        return new NoMap();
    }

    @Override
    public boolean takesFeatures(Kernel leaf) {
        return false;
    }

    @Override
    public MapRecipe chosen(Kernel kernel, RowSample rows, OptionalInt features, Notes notes) {
        return this;
    }

    @Override
    public FeatureMap build(Kernel kernel, RowSample rows, OptionalInt features, Seed seed, Notes notes) {
        throw noFeatures();
    }

    @Override
    public FeatureMap map(Kernel leaf, RowSample rows, int features, Seed seed, Notes notes) {
        throw noFeatures();
    }

    private static BochnerException noFeatures() {
        return new BochnerException(
                "map 'none' has no features: it is for training exact machines",
                Remedy.set(Setting.MAP, "landmarks", "has kernel values as features"));
    }

    @Override
    public String toString() {
        return NAME;
    }
}
