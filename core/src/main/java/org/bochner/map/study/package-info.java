/** Measurement of map errors on pairs of rows. */
@NullMarked
package org.bochner.map.study;

import org.jspecify.annotations.NullMarked;
