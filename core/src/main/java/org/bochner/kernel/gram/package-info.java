/**
 * Matrices of kernel values: between blocks of rows and fixed rows, such as landmarks and support vectors.
 */
@NullMarked
package org.bochner.kernel.gram;

import org.jspecify.annotations.NullMarked;
