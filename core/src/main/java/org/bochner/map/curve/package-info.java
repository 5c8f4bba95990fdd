/**
 * Curves of additive models: functions that are a sum of one function per column, as tables.
 */
@NullMarked
package org.bochner.map.curve;

import org.jspecify.annotations.NullMarked;
