/** Text cells as counts of hashed n-grams of words or characters. */
@NullMarked
package org.bochner.data.text;

import org.jspecify.annotations.NullMarked;
