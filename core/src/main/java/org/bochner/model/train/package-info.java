/** Holds the training of a model: from settings and rows to scaling, map, weights and calibration. */
@NullMarked
package org.bochner.model.train;

import org.jspecify.annotations.NullMarked;
