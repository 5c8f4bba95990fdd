/**
 * Scaling of columns and rows, the step before the feature map. A {@link org.bochner.scale.Scaling} is a recipe; fitted
 * in one streaming pass it becomes a {@link org.bochner.scale.Scaler}, which is saved with the model.
 */
@NullMarked
package org.bochner.scale;

import org.jspecify.annotations.NullMarked;
