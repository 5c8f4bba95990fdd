/**
 * Single cells of data files: numbers, dates, missing values and categories, and how a column of them is written.
 */
@NullMarked
package org.bochner.data.cell;

import org.jspecify.annotations.NullMarked;
