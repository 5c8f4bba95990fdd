/**
 * The bytes of data files: files, pipes and the standard input, unpacked and turned into UTF-8, in windows that readers parse.
 */
@NullMarked
package org.bochner.data.bytes;

import org.jspecify.annotations.NullMarked;
