/** The search of tuning: candidates, samples of growing size, comparisons of errors, and the log of tests. */
@NullMarked
package org.bochner.tune.search;

import org.jspecify.annotations.NullMarked;
