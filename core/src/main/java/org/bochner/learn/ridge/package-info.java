/**
 * Ridge regression from statistics: direct solutions, the choice of the penalty, and the elimination of features.
 */
@NullMarked
package org.bochner.learn.ridge;

import org.jspecify.annotations.NullMarked;
