package org.bochner.model;

import org.bochner.data.RowSource;
import org.bochner.learn.LinearModel;

/**
 * Finds the weights of the features that {@linkplain Pruning pruning} keeps: how a model that was not trained by ridge
 * regression is trained again.
 */
@FunctionalInterface
public interface Refit {
    /**
     * Learns linear functions of the features that are kept.
     *
     * @param kept the model's scaling, and what is left of its map
     * @param rows the rows to learn from, whose labels are those of the model
     */
    LinearModel fit(Transformer kept, RowSource rows);
}
