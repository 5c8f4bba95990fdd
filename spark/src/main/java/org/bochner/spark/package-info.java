/** Kernel machines on Apache Spark: pipeline stages, and the command through {@code spark-submit}. */
@NullMarked
package org.bochner.spark;

import org.jspecify.annotations.NullMarked;
