/**
 * Views of row sources and the assignment of rows to folds.
 */
@NullMarked
package org.bochner.data.sample;

import org.jspecify.annotations.NullMarked;
