/** How features of a map belong together: groups of features, and penalties of weights. */
@NullMarked
package org.bochner.map.layout;

import org.jspecify.annotations.NullMarked;
