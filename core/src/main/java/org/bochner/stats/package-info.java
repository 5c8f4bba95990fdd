/**
 * Sufficient statistics of mapped rows, and passes over the features. The statistics are centred and mergeable and
 * take one pass; they determine the ridge solution for every penalty and class. If there are more sparse features
 * than rows, the sparse features and the inner products of the rows are kept instead, because they are smaller.
 */
@NullMarked
package org.bochner.stats;

import org.jspecify.annotations.NullMarked;
