/** Kernel machines on Apache Spark: executors map and accumulate blocks of rows, the driver merges and solves. */
@NullMarked
package org.bochner.spark;

import org.jspecify.annotations.NullMarked;
