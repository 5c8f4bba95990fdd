/**
 * The base of all packages: argument checks, exceptions with remedies, notes, spellings, the saved form of fitted objects, JSON
 * and atomic files.
 */
@NullMarked
package org.bochner.base;

import org.jspecify.annotations.NullMarked;
