/**
 * Sources of rows, the blocks in which rows are processed, and data files. Nothing here holds all rows of a file unless its
 * documentation says so.
 *
 * <p>How a file is read: {@link org.bochner.data.FileSource} finds the format and surveys the file in one pass, which gives the
 * {@link org.bochner.data.Encoding} that is saved with a model. A cursor then reads the file by this encoding, row by row,
 * joins it with other files and fills blocks. The sub-packages hold the bytes, the cells and the formats of files, and views
 * of sources.
 */
@NullMarked
package org.bochner.data;

import org.jspecify.annotations.NullMarked;
