/** Maps made of other maps, and the algebra that takes kernels apart: sums, factors, columns, stages. */
@NullMarked
package org.bochner.map.composed;

import org.jspecify.annotations.NullMarked;
