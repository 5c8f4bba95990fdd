/**
 * The kernels of inner products, one per file.
 */
@NullMarked
package org.bochner.kernel.dot;

import org.jspecify.annotations.NullMarked;
