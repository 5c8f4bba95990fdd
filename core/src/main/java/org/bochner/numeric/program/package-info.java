/**
 * Linear programs, solved by the simplex method.
 */
@NullMarked
package org.bochner.numeric.program;

import org.jspecify.annotations.NullMarked;
