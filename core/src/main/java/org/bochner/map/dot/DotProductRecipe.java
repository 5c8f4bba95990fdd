package org.bochner.map.dot;

import org.bochner.kernel.DotProductKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.TermRecipe;
import org.bochner.random.Seed;

/** A recipe for random maps of one family of kernels of the inner product. */
public interface DotProductRecipe extends TermRecipe {
    @Override
    FeatureMap dotProduct(DotProductKernel kernel, int columns, int features, Seed seed);
}
