package org.bochner.learn;

import org.bochner.base.Require;
import org.bochner.map.FeatureGroups;
import org.jspecify.annotations.Nullable;

/**
 * What large weights cost: {@code l1·|β|₁ + l2/2·|β|² + group·Σ_g √size_g·|β_g|₂}. The groups are of features, and reach
 * over all outputs: a feature is of use to some output, or dropped for all of them. Intercepts cost nothing.
 *
 * @param l1 makes single weights zero
 * @param l2 keeps weights small
 * @param group makes whole groups of weights zero
 * @param groups the groups; null where group is 0
 */
record Regularizer(
        double l1, double l2, double group, @Nullable FeatureGroups groups) {
    Regularizer {
        Require.notNegative("penalty", "l1", l1);
        Require.notNegative("penalty", "l2", l2);
        Require.notNegative("penalty", "group", group);
        Require.that(group == 0 || groups != null, "penalty", "groups must be given where they are penalised");
    }

    static Regularizer squared(double l2) {
        return new Regularizer(0, l2, 0, null);
    }

    /** Whether it has a derivative everywhere. */
    boolean smooth() {
        return l1 == 0 && group == 0;
    }

    /** Whether it ties outputs together. */
    boolean joint() {
        return group > 0;
    }
}
