/**
 * File formats: readers, surveys and writers of CSV, LIBSVM, NPY, NPZ and IDX files, and the encodings of their columns and
 * labels.
 */
@NullMarked
package org.bochner.data.format;

import org.jspecify.annotations.NullMarked;
