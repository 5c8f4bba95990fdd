/** Exact kernel machines on n×n kernel matrices: the yardstick for maps, learned scales and kernel weights. */
@NullMarked
package org.bochner.benchmarks.exact;

import org.jspecify.annotations.NullMarked;
