package org.bochner.model;

/**
 * How the weights of several feature channels were learned. All but the numbers are spellings.
 *
 * @param channels the column ranges of the channels
 * @param norm the norm over the channels
 * @param loss the loss and the penalty that were asked for
 * @param lambda the penalty of the norm
 * @param folds the folds that the penalty was chosen with
 */
public record ChannelWeighting(String channels, String norm, String loss, double lambda, int folds) {}
