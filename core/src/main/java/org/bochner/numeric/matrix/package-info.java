/**
 * Cholesky factors and operations on vectors.
 */
@NullMarked
package org.bochner.numeric.matrix;

import org.jspecify.annotations.NullMarked;
