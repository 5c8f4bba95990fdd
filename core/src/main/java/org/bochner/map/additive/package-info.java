/** Maps of additive kernels, column by column, and their recipes. */
@NullMarked
package org.bochner.map.additive;

import org.jspecify.annotations.NullMarked;
