/**
 * Contracts that everything of a kind must keep, and a harness for properties that must hold for random cases. Published,
 * so that kernels, maps and sources from outside the library can be held to the same.
 *
 * <p>A contract is an interface of tests. A test class implements it, says what is under test, and inherits the tests:
 *
 * <pre>{@code
 * class MyKernelTest implements ShiftInvariantKernelContract {
 *     public ShiftInvariantKernel kernel() {
 *         return new MyKernel(2);
 *     }
 * }
 * }</pre>
 */
@NullMarked
package org.bochner.testkit;

import org.jspecify.annotations.NullMarked;
