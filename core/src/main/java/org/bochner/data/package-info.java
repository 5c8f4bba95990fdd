/**
 * Rows: where they come from, how they are read, and the blocks in which they travel. Nothing here holds all rows of a
 * file unless it says so.
 *
 * <p>A file's way: {@link org.bochner.data.DataFiles} finds its format and surveys it in one pass (a {@code ...Survey}
 * for each format), which gives the {@link org.bochner.data.Encoding} that is saved with a model. A {@code ...Part} then
 * reads the file as the encoding says, row by row, and a cursor joins the parts into blocks. Bytes come through a
 * window that the parsers work on directly; no text is made of a cell unless it is a name not met before.
 */
@NullMarked
package org.bochner.data;

import org.jspecify.annotations.NullMarked;
