/** Methods of other libraries for comparisons: LIBLINEAR, LIBSVM and XGBoost, with defaults that suit most data. */
@NullMarked
package org.bochner.peers;

import org.jspecify.annotations.NullMarked;
