/**
 * Kernels as mathematics: exact values, spectra, and the algebra that combines them. A kernel is a small immutable
 * value whose {@code toString} is its spelling. It does not depend on feature maps.
 */
@NullMarked
package org.bochner.kernel;

import org.jspecify.annotations.NullMarked;
