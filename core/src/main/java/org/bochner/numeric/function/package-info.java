/**
 * Fast elementary functions of arrays: cosines in turns, logarithms, powers, series and the Hadamard transform.
 */
@NullMarked
package org.bochner.numeric.function;

import org.jspecify.annotations.NullMarked;
