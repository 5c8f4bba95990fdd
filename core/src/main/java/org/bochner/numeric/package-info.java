/**
 * Dense linear algebra on heap arrays, the cosine in turns, the features of single values, and worker threads. The only
 * door to BLAS and LAPACK: all matrices here are row-major, and every call runs on the calling thread, so that results
 * never depend on how many threads there are.
 */
@NullMarked
package org.bochner.numeric;

import org.jspecify.annotations.NullMarked;
