/**
 * Sufficient statistics of mapped rows: one pass over the data, mergeable, centred. From them ridge regression for every
 * penalty and every class follows without reading the rows again.
 */
@NullMarked
package org.bochner.stats;

import org.jspecify.annotations.NullMarked;
