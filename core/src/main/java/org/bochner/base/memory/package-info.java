/** Holds the memory budget: how much of the Java heap one structure may take, checked before it is allocated. */
@NullMarked
package org.bochner.base.memory;

import org.jspecify.annotations.NullMarked;
