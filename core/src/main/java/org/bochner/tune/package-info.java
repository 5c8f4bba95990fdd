/** Kernel learning (length-scales and frequencies) and multiple kernel learning. */
@NullMarked
package org.bochner.tune;

import org.jspecify.annotations.NullMarked;
