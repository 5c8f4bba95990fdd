/**
 * The {@code bochner} command. A command parses its flags, calls the library, and prints: no mathematics lives here.
 */
@NullMarked
package org.bochner.cli;

import org.jspecify.annotations.NullMarked;
