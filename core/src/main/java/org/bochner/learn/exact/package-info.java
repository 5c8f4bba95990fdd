/**
 * Solvers of exact kernel machines: support vector machines in the dual, with kernel values in place of features.
 */
@NullMarked
package org.bochner.learn.exact;

import org.jspecify.annotations.NullMarked;
