/** Fast elementary functions of arrays: cosines in turns, logarithms, powers, series and the Hartley transform. */
@NullMarked
package org.bochner.numeric.function;

import org.jspecify.annotations.NullMarked;
