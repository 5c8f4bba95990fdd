/** Random binning maps: cells of random grids as sparse features, for the Laplacian kernel. */
@NullMarked
package org.bochner.map.binning;

import org.jspecify.annotations.NullMarked;
