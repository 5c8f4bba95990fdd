/**
 * Kernels that are made of other kernels: sums, products, factors, channels, warped values and distances.
 */
@NullMarked
package org.bochner.kernel.composed;

import org.jspecify.annotations.NullMarked;
