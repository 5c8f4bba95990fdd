/**
 * Seeds and streams of random numbers. Every number is a function of the seed alone, on every JDK, machine and number
 * of threads.
 */
@NullMarked
package org.bochner.random;

import org.jspecify.annotations.NullMarked;
