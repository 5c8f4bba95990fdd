/**
 * Kernel values between near rows, found by a tree: matrices without small values, and products that need no matrix.
 */
@NullMarked
package org.bochner.kernel.tree;

import org.jspecify.annotations.NullMarked;
