/**
 * Seeds, streams and the laws that frequencies are drawn from. Every number is a function of the seed alone: the same on
 * every JDK, machine and thread count.
 */
@NullMarked
package org.bochner.random;

import org.jspecify.annotations.NullMarked;
