/** How a kernel declares its name, its parameters and the measurement of its scale. */
@NullMarked
package org.bochner.kernel.family;

import org.jspecify.annotations.NullMarked;
