/**
 * Calibrations: functions that turn scores into probabilities, and their fits to held-out scores.
 */
@NullMarked
package org.bochner.learn.calibrate;

import org.jspecify.annotations.NullMarked;
