package org.bochner.data;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** What one pass over a file found. */
record Survey(PartEncoding encoding, long rows, FileIdentity identity) {
    /** The file's SHA-256, taken while it is read. */
    static final class Digest {
        private final MessageDigest digest;

        Digest() {
            try {
                digest = MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new AssertionError("every Java platform has SHA-256", e);
            }
        }

        MessageDigest digest() {
            return digest;
        }

        FileIdentity identity(Input input, ByteFeed feed, long rows) {
            long bytes = feed.drain();
            return new FileIdentity(
                    input.fileName(), bytes, rows, HexFormat.of().formatHex(digest.digest()));
        }
    }
}
