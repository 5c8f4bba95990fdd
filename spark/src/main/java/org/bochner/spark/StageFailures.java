package org.bochner.spark;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;

/** Rewrites messages of the library so that settings are named as params. */
final class StageFailures {
    /** The names of params that are not the names of settings in camel case. */
    private static final Map<Setting, String> NAMES =
            Map.of(Setting.CRITERION, "criterion", Setting.LABEL, "labelCol", Setting.LEARNED_SCALES, "learnScales");

    private static final Map<Setting, String> SAME = same(
            Setting.CALIBRATION,
            Setting.COMPONENTS,
            Setting.FEATURES,
            Setting.KERNEL,
            Setting.LEARNER,
            Setting.MAP,
            Setting.NORM,
            Setting.PRECISION,
            Setting.SCALING,
            Setting.SEED,
            Setting.UNCERTAINTY);

    private StageFailures() {}

    private static Map<Setting, String> same(Setting... settings) {
        return Arrays.stream(settings)
                .collect(Collectors.toUnmodifiableMap(
                        setting -> setting, setting -> setting.name().toLowerCase(Locale.ROOT)));
    }

    /** Runs something; a failure names params. */
    static <T> T inParams(Supplier<T> run) {
        try {
            return run.get();
        } catch (BochnerException e) {
            throw new BochnerException(
                    e.message(
                            remedy -> remedy.setting() == null || !name(remedy).isEmpty(), StageFailures::inParams),
                    e);
        }
    }

    private static String name(Remedy remedy) {
        Setting setting = remedy.setting();
        return setting == null ? "" : NAMES.getOrDefault(setting, SAME.getOrDefault(setting, ""));
    }

    private static String inParams(Remedy remedy) {
        Object value = remedy.value();
        return "the param " + name(remedy) + (value == null ? "" : " = " + value);
    }
}
