/** Damaged files of every kind, found by coverage-guided fuzzing. */
@NullMarked
package org.bochner.fuzz;

import org.jspecify.annotations.NullMarked;
