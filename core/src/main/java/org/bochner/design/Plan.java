package org.bochner.design;

import org.bochner.base.Require;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a design search.
 *
 * @param form the form of terms in several columns; null for modulation if the signature is even in every column, which
 *     gives smaller programs, and projection otherwise
 * @param pool the pool of several columns
 * @param spacing for a discrete search in one column, the frequency whose multiples form the pool; 0 for an eighth of
 *     the first harmonic of the range, π/(8M)
 */
public record Plan(Norm norm, @Nullable Form form, Pool pool, Search search, double spacing) {
    /** The default plan: minimises the largest error with unrestricted frequencies. */
    public static final Plan DEFAULT = new Plan(Norm.LARGEST, null, Pool.PRODUCT, Search.CONTINUOUS, 0);

    public Plan {
        Require.notNegative("design", "spacing", spacing);
        Require.that(
                search != Search.GREEDY || pool != Pool.POLAR,
                "design: a greedy search ranks the products of the columns' designs, and a polar pool has no weights to rank; take"
                        + " another search or the product pool");
    }

    public Plan withNorm(Norm other) {
        return new Plan(other, form, pool, search, spacing);
    }

    public Plan withForm(Form other) {
        return new Plan(norm, other, pool, search, spacing);
    }

    public Plan withPool(Pool other) {
        return new Plan(norm, form, other, search, spacing);
    }

    public Plan withSearch(Search other) {
        return new Plan(norm, form, pool, other, spacing);
    }

    /** Returns a plan with a discrete search, in one column over the multiples of a frequency; 0 for the default. */
    public Plan withSpacing(double other) {
        return new Plan(norm, form, pool, Search.DISCRETE, other);
    }

    /** Returns the form of terms for a target. */
    Form formFor(Target target) {
        if (form != null) {
            return form;
        }
        return pool == Pool.PRODUCT && target.evenInEveryColumn() ? Form.MODULATION : Form.PROJECTION;
    }
}
