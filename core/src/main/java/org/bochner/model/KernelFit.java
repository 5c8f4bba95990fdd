package org.bochner.model;

import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.scale.Scaler;

/**
 * What a machine's scaling and kernel become for a source.
 *
 * @param scaler the fitted scaling
 * @param rows a sample of the scaled rows, all of which lie in the kernel's domain
 * @param kernel the kernel with all its scales
 */
public record KernelFit(Scaler scaler, RowSample rows, Kernel kernel) {}
