/**
 * The additive kernels, one per file.
 */
@NullMarked
package org.bochner.kernel.additive;

import org.jspecify.annotations.NullMarked;
