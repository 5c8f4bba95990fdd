/**
 * Feature maps designed for an error: the frequencies and weights whose sum of cosines comes nearest to a kernel's signature
 * on a range of differences, found by linear programming.
 */
@NullMarked
package org.bochner.design;

import org.jspecify.annotations.NullMarked;
