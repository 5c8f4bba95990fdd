/**
 * Explicit feature maps: functions φ with ⟨φ(x), φ(y)⟩ ≈ k(x, y). The algebra of maps mirrors that of kernels: a sum of
 * kernels is a concatenation of maps, a·k is √a·φ, and a kernel of some columns is a map of those columns.
 */
@NullMarked
package org.bochner.map;

import org.jspecify.annotations.NullMarked;
