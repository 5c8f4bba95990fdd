/** BLAS and LAPACK routines on row-major arrays, and Cholesky factors. */
@NullMarked
package org.bochner.numeric.matrix;

import org.jspecify.annotations.NullMarked;
