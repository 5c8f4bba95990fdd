/**
 * Measurements, none of them a test: JMH for the inner loops.
 *
 * <pre>
 *   mvn -q -B -pl benchmarks -am -DskipTests package exec:exec -Darguments=Turns
 * </pre>
 *
 * runs those whose name holds "Turns"; without {@code -Darguments} all run, and {@code -Darguments=-h} lists JMH's
 * options. Compare numbers of one run only: machines are noisy.
 */
@NullMarked
package org.bochner.benchmarks;

import org.jspecify.annotations.NullMarked;
