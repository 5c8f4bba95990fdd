/** Holds the printing of numbers, CSV cells, escapes and the reading of JSON objects. */
@NullMarked
package org.bochner.base.text;

import org.jspecify.annotations.NullMarked;
