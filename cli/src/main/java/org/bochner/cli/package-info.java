/**
 * The {@code bochner} command. A command parses its flags, calls the library and prints the result; it does no
 * mathematics.
 */
@NullMarked
package org.bochner.cli;

import org.jspecify.annotations.NullMarked;
