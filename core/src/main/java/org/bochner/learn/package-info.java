/**
 * Learners: from statistics to a linear function of the features. They never see rows.
 */
@NullMarked
package org.bochner.learn;

import org.jspecify.annotations.NullMarked;
