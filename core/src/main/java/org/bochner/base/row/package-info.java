/** Holds the exception for a row that cannot be used. */
@NullMarked
package org.bochner.base.row;

import org.jspecify.annotations.NullMarked;
