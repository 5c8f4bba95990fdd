package org.bochner.model;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.bochner.data.DataIdentity;
import org.bochner.kernel.Kernels;
import org.bochner.learn.Learner;
import org.bochner.map.FeatureMaps;
import org.bochner.random.Seed;

/** Training records for models that are put together by tests. */
final class Records {
    private Records() {}

    static TrainingRecord unknown() {
        return new TrainingRecord(
                DataIdentity.UNKNOWN,
                0,
                Kernels.recipe("linear"),
                FeatureMaps.parse("auto"),
                Learner.ridge(1),
                1,
                null,
                false,
                Map.of(),
                new Seed(1),
                null,
                null,
                null,
                null,
                null,
                null,
                List.of(),
                "test",
                LocalDate.EPOCH);
    }
}
