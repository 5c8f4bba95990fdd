/** Arrays of numbers as bytes, for exchange between processes. */
@NullMarked
package org.bochner.base.binary;

import org.jspecify.annotations.NullMarked;
