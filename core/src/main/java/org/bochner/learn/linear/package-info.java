/**
 * Linear functions of the features, the losses of their scores, and how labels are coded as targets.
 */
@NullMarked
package org.bochner.learn.linear;

import org.jspecify.annotations.NullMarked;
