/** Declarations of kernel families: name, parameters and the measurement of the scale. */
@NullMarked
package org.bochner.kernel.family;

import org.jspecify.annotations.NullMarked;
