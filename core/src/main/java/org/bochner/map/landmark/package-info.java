/**
 * Maps that compare a row with landmarks, which are rows of the data or means of rows, and the choice of landmarks.
 */
@NullMarked
package org.bochner.map.landmark;

import org.jspecify.annotations.NullMarked;
