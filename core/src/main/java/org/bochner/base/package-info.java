/**
 * What every package on the data path leans on: argument checks, errors that teach, spellings that parse and print
 * back, and the neutral form in which fitted objects are saved. Leftmost on the path; knows nothing of kernels.
 */
@NullMarked
package org.bochner.base;

import org.jspecify.annotations.NullMarked;
