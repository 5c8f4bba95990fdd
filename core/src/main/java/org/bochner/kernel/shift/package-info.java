/**
 * The shift-invariant kernels, one per file.
 */
@NullMarked
package org.bochner.kernel.shift;

import org.jspecify.annotations.NullMarked;
