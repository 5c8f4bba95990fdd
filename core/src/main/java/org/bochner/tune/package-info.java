/** Learning what a machine's recipe leaves open: scales, frequencies, weights of channels. */
@NullMarked
package org.bochner.tune;

import org.jspecify.annotations.NullMarked;
