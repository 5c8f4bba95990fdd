/**
 * The precision of features, worker threads, and the linear algebra library in use. All matrices are row-major, and
 * each call of BLAS runs on the calling thread, so results do not depend on the number of threads.
 */
@NullMarked
package org.bochner.numeric;

import org.jspecify.annotations.NullMarked;
