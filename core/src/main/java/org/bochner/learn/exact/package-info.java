/**
 * Solvers of exact kernel machines: support vector machines in the dual, and ridge regression by conjugate gradients.
 */
@NullMarked
package org.bochner.learn.exact;

import org.jspecify.annotations.NullMarked;
