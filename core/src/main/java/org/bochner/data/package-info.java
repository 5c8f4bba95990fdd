/**
 * Rows: where they come from, how they are read, and the blocks in which they travel. Nothing here holds all rows of a
 * file unless it says so.
 */
@NullMarked
package org.bochner.data;

import org.jspecify.annotations.NullMarked;
