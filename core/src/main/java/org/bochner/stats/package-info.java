/**
 * Sufficient statistics of mapped rows: one pass over the data, mergeable, centred. From them ridge regression for every
 * penalty and every class follows without reading the rows again. Where sparse features outnumber the rows, what is kept is
 * the features and the inner products of the rows, which are smaller.
 */
@NullMarked
package org.bochner.stats;

import org.jspecify.annotations.NullMarked;
