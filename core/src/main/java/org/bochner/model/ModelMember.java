package org.bochner.model;

/**
 * One of the models that a model is made of ({@link KernelModel#members}).
 *
 * @param model the member, which can be used by itself
 * @param weight the factor of the member's scores in an average; the share of the training rows that a leaf of a tree has
 */
public record ModelMember(KernelModel model, double weight) {}
