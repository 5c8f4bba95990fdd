/** Holds the criteria, objectives and parametrizations that kernel learning minimises over scales and frequencies. */
@NullMarked
package org.bochner.tune.scales;

import org.jspecify.annotations.NullMarked;
