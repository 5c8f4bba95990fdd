package org.bochner.tune.channels;

import java.util.function.Supplier;
import org.bochner.learn.linear.LinearModel;

/**
 * Linear functions of the features of all channels, trained on all rows or without a fold.
 *
 * @param loss the mean loss on the rows of the fold, averaged over the outputs; NaN without a fold
 * @param linear computes the functions
 */
public record ChannelFit(double loss, Supplier<LinearModel> linear) {}
