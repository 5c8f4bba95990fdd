/** Statistics of columns, from which scalings are fitted, and failures of rows after scaling. */
@NullMarked
package org.bochner.scale.fit;

import org.jspecify.annotations.NullMarked;
