/** Holds the layout of model files. */
@NullMarked
package org.bochner.model.file;

import org.jspecify.annotations.NullMarked;
