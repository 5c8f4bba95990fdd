package org.bochner.data;

/**
 * What says later which file a model was made from: the name without its folder, its size and SHA-256 as it lies on
 * disk (that is, compressed where it is), and its rows.
 */
public record FileIdentity(String file, long bytes, long rows, String sha256) {}
