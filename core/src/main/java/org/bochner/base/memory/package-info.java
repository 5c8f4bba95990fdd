/**
 * Limits of memory: a budget of the Java heap that is checked before a structure is allocated, and a cache of limited
 * size.
 */
@NullMarked
package org.bochner.base.memory;

import org.jspecify.annotations.NullMarked;
