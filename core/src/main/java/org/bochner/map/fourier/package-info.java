/** Fourier maps of shift-invariant kernels: frequencies, projections on them, and their recipes. */
@NullMarked
package org.bochner.map.fourier;

import org.jspecify.annotations.NullMarked;
