/**
 * Numbers, ranges and checks per column.
 */
@NullMarked
package org.bochner.kernel.columns;

import org.jspecify.annotations.NullMarked;
