/** Holds rows sorted into folds, and passes over them. */
@NullMarked
package org.bochner.tune.folds;

import org.jspecify.annotations.NullMarked;
