/**
 * The probability distributions from which frequencies are drawn, and low-discrepancy sequences.
 */
@NullMarked
package org.bochner.random.law;

import org.jspecify.annotations.NullMarked;
