/** Holds criteria of kernel ridge regression from the kernel values between all rows, without features. */
@NullMarked
package org.bochner.tune.exact;

import org.jspecify.annotations.NullMarked;
