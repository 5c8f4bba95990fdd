/** Maps of kernels of the inner product, and their recipes. */
@NullMarked
package org.bochner.map.dot;

import org.jspecify.annotations.NullMarked;
