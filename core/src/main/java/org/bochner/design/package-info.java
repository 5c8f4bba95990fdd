/**
 * Designed feature maps: frequencies and spectral weights whose sum of cosines is closest to a kernel's signature on a
 * range of differences, found by linear programming.
 */
@NullMarked
package org.bochner.design;

import org.jspecify.annotations.NullMarked;
