/**
 * Linear discriminant analysis from the statistics of one pass: class means and the pooled within-class covariance.
 */
@NullMarked
package org.bochner.learn.discriminant;

import org.jspecify.annotations.NullMarked;
