/**
 * Solvers for losses and penalties, the search for the strength of a penalty, and
 * {@link org.bochner.learn.solve.Training}, which runs them.
 */
@NullMarked
package org.bochner.learn.solve;

import org.jspecify.annotations.NullMarked;
