/** Stub. */
@NullMarked
package org.bochner.scale;

import org.jspecify.annotations.NullMarked;
