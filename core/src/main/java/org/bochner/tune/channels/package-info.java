/** Holds the problems of multiple kernel learning and their solvers. */
@NullMarked
package org.bochner.tune.channels;

import org.jspecify.annotations.NullMarked;
