/** Statistics of columns, from which scalings are fitted. */
@NullMarked
package org.bochner.scale.fit;

import org.jspecify.annotations.NullMarked;
