/**
 * Scaling of columns and rows, the first thing that happens to data on its way to a feature map. A {@link
 * org.bochner.scale.Scaling} is a recipe; fitted in one streaming pass it becomes a {@link org.bochner.scale.Scaler},
 * which is saved with the model.
 */
@NullMarked
package org.bochner.scale;

import org.jspecify.annotations.NullMarked;
