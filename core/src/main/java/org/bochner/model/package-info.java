/**
 * Models: scaling, map and linear part together; trained from a source, evaluated, saved to safe files and loaded
 * again.
 */
@NullMarked
package org.bochner.model;

import org.jspecify.annotations.NullMarked;
